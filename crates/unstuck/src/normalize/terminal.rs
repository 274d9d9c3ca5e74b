//! Terminal codes: colours, cursor movement, and lines that were overwritten.

use super::text::ScannedText;

const ESCAPE: &[u8] = b"\\u001b";

/// Whether the backslash at `at` starts an escape sequence or a carriage return.
pub(super) fn starts(text: &ScannedText<'_>, at: usize) -> bool {
    (text.says(at, ESCAPE) || text.says(at, b"\\r")) && text.is_escape(at)
}

/// The text as a terminal shows it: without sequences, and each line as it was last written.
pub(super) fn strip(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut line = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'\\' {
            out.push(byte);
            at += 1;
            if byte == b'"' {
                line = out.len();
            }
            continue;
        }
        let rest = &bytes[at..];
        if rest.starts_with(ESCAPE) {
            at += ESCAPE.len() + sequence(&rest[ESCAPE.len()..]);
        } else if rest.starts_with(b"\\r") {
            at += 2;
            let next = &bytes[at..];
            let ends = next.is_empty()
                || next.starts_with(b"\"")
                || next.starts_with(b"\\n")
                || next.starts_with(b"\\r");
            if !ends {
                out.truncate(line);
            }
        } else {
            let end = bytes.len().min(at + 2);
            out.extend_from_slice(&bytes[at..end]);
            at = end;
            if rest.starts_with(b"\\n") {
                line = out.len();
            }
        }
    }
    out
}

/// How much of what follows an escape character belongs to its sequence.
fn sequence(rest: &[u8]) -> usize {
    let in_string = |byte: &u8| !matches!(byte, b'"' | b'\\');
    match rest.first() {
        Some(b'[') => {
            let parameters = |byte: &&u8| matches!(byte, b' '..=b'?') && in_string(byte);
            let inner = rest[1..].iter().take_while(parameters).count() + 1;
            let last = rest.get(inner);
            inner
                + usize::from(
                    last.is_some_and(|byte| matches!(byte, b'@'..=b'~') && in_string(byte)),
                )
        }
        // A title or a link: it ends with a bell or another escape character.
        Some(b']') => {
            let inner = rest.iter().take_while(|byte| in_string(byte)).count();
            let bell = rest[inner..].starts_with(b"\\u0007");
            inner + if bell { 6 } else { 0 }
        }
        Some(b'(' | b')' | b'#') => {
            1 + usize::from(rest.get(1).is_some_and(u8::is_ascii_alphanumeric))
        }
        Some(b'=' | b'>' | b'7' | b'8' | b'c' | b'D' | b'E' | b'H' | b'M') => 1,
        _ => 0,
    }
}
