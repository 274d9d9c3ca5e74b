//! The text of a recording, with what strict JSON refuses made readable.

use std::{borrow::Cow, ops::Range};

use memchr::{memchr2, memchr3};
use unstuck_json::lossy_text;

/// The bytes as text that strict JSON readers take.
///
/// Invalid UTF-8 becomes U+FFFD; `NaN` and the infinities, which Python writes, become `null`. Nothing is copied where
/// nothing is wrong.
pub(crate) fn readable(bytes: &[u8]) -> Cow<'_, str> {
    let text = lossy_text(bytes);
    let foreign = foreign_numbers(text.as_bytes());
    if foreign.is_empty() {
        return text;
    }
    let mut repaired = String::with_capacity(text.len() + foreign.len());
    let mut at = 0;
    for number in foreign {
        repaired.push_str(&text[at..number.start]);
        repaired.push_str("null");
        at = number.end;
    }
    repaired.push_str(&text[at..]);
    Cow::Owned(repaired)
}

/// Where numbers stand that JSON does not have.
fn foreign_numbers(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut foreign = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr3(b'"', b'N', b'I', rest))
    {
        at += found;
        if bytes[at] == b'"' {
            at = string_end(bytes, at + 1);
            continue;
        }
        let word: &[u8] = if bytes[at] == b'N' {
            b"NaN"
        } else {
            b"Infinity"
        };
        if bytes[at..].starts_with(word) {
            let negative = at > 0 && bytes[at - 1] == b'-';
            foreign.push(at - usize::from(negative)..at + word.len());
            at += word.len();
        } else {
            at += 1;
        }
    }
    foreign
}

/// Where the string that starts at `at`, behind its quote, ends.
pub(crate) fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
#[path = "readable_tests.rs"]
mod tests;
