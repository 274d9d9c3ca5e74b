//! Our own notes: a nudge in the output must not make the output look new.

use super::text::ScannedText;
use crate::marker::MARKER;

/// How an entry of a list starts.
const LIST: &[u8] = b"\\n  ";

/// Whether a note starts at `at`.
pub(super) fn starts(text: &ScannedText<'_>, at: usize) -> bool {
    text.says(at, MARKER.as_bytes())
}

/// The text without notes.
pub(super) fn strip(bytes: Vec<u8>) -> Vec<u8> {
    let mut text = ScannedText::new(&bytes);
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'[' || !starts(&text, at) {
            at += 1;
            continue;
        }
        let (start, end) = bounds(&text, at);
        out.extend_from_slice(&bytes[text.floor..start]);
        text.floor = end;
        at = end;
    }
    if text.floor == 0 {
        return bytes;
    }
    out.extend_from_slice(&bytes[text.floor..]);
    out
}

/// The note whose marker starts at `at`, to the end of its line, with the line breaks before it.
fn bounds(text: &ScannedText<'_>, at: usize) -> (usize, usize) {
    let mut end = line_end(text, at + MARKER.len());
    // The calls of a cycle come as a list, and the advice behind it.
    let mut listed = false;
    while text.says(end, LIST) && text.at(end + LIST.len()).is_ascii_digit() {
        end = line_end(text, end + LIST.len());
        listed = true;
    }
    if listed && text.says(end, b"\\n") && !text.says(end, b"\\n\\n") {
        end = line_end(text, end + 2);
    }
    let mut start = at;
    loop {
        if text.before(start) == b' ' {
            start -= 1;
        } else if start >= text.floor + 2
            && text.says(start - 2, b"\\n")
            && text.is_escape(start - 2)
        {
            start -= 2;
        } else {
            break;
        }
    }
    (start, end)
}

/// Where the line goes to that `at` is in.
fn line_end(text: &ScannedText<'_>, at: usize) -> usize {
    let mut end = at;
    while end < text.bytes.len() && !text.is_line_end(end) {
        end += if text.at(end) == b'\\' { 2 } else { 1 };
    }
    end.min(text.bytes.len())
}
