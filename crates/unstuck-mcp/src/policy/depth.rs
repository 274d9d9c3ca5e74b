//! Refuses policies that are nested too deeply, before Cedar reads them: its reader and this one are recursive.

/// Deepest expression; a bracket weighs four times as much as an operator, as it does on the stack of Cedar's reader.
const DEEPEST: usize = 500;
const BRACKET: usize = 4;

/// One open bracket.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Depth outside of it.
    outside: usize,
    /// Operators and accesses in a row.
    chain: usize,
}

/// The byte offset at which the text is nested too deeply, if it is.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open = Vec::new();
    let mut level = Level::default();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                let rest = bytes[at..].iter().position(|byte| *byte == b'\n');
                at = rest.map_or(bytes.len(), |length| at + length);
            }
            b'(' | b'[' | b'{' => {
                level.chain += 1;
                open.push(level);
                level = Level {
                    outside: level.outside + level.chain + BRACKET,
                    chain: 0,
                };
            }
            b')' | b']' | b'}' => level = open.pop().unwrap_or_default(),
            b',' => level.chain = 0,
            b';' => {
                open.clear();
                level = Level::default();
            }
            b'.' | b'+' | b'-' | b'*' | b'!' | b'<' | b'>' | b'=' => level.chain += 1,
            b'&' | b'|' => {
                level.chain += 1;
                at += 1;
            }
            b'i' if is_word(bytes, at, b"if") => level.chain += 1,
            _ => {}
        }
        if level.outside + level.chain > DEEPEST {
            return Some(at.min(text.len()));
        }
        at += 1;
    }
    None
}

/// The offset of the quote that ends a string.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

fn is_word(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    let part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    bytes[at..].starts_with(word) && !part(before) && !part(bytes.get(at + word.len()))
}
