//! Our own notes: a nudge in the output must not make the output look new.

use super::{Found, Kind, text::Text};
use crate::nudge::MARKER;

/// How an entry of a list starts.
const LIST: &[u8] = b"\\n  ";

/// The note whose marker starts at `at`, to the end of its line, with the line breaks before it.
pub(super) fn ours(text: &Text<'_>, at: usize) -> Option<Found> {
    if !text.says(at, MARKER.as_bytes()) {
        return None;
    }
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
    Some(Found {
        start,
        end,
        kind: Kind::Nothing,
    })
}

/// Where the line goes to that `at` is in.
fn line_end(text: &Text<'_>, at: usize) -> usize {
    let mut end = at;
    while end < text.bytes.len() && !text.is_line_end(end) {
        end += if text.at(end) == b'\\' { 2 } else { 1 };
    }
    end.min(text.bytes.len())
}
