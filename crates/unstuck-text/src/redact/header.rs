//! Headers whose value is the rest of their line.

use std::ops::Range;

use super::placeholder::is_placeholder;

/// What ends the value of a header.
const ENDS: [char; 5] = ['\n', '\r', '"', '\'', '`'];

/// A stretch of text up to the end of a header's value. A line may name a header again and again, and its end is looked
/// for once.
#[derive(Default)]
pub(super) struct Line {
    start: usize,
    end: usize,
}

impl Line {
    /// Where the value ends that begins at `from`.
    fn end(&mut self, text: &str, from: usize) -> usize {
        if !(self.start..=self.end).contains(&from) {
            self.start = from;
            self.end = text[from..].find(ENDS).map_or(text.len(), |end| from + end);
        }
        self.end
    }
}

/// Whether the rest of the line behind this name is one value.
pub(super) fn is_header(name: &str) -> bool {
    let ends = |header: &str| {
        let start = name.len().checked_sub(header.len());
        start.is_some_and(|start| name.as_bytes()[start..].eq_ignore_ascii_case(header.as_bytes()))
    };
    name.eq_ignore_ascii_case("cookie") || ends("authorization")
}

/// The rest of the line of the headers `Authorization` and `Cookie`, behind the name of a scheme.
pub(super) fn find(
    text: &str,
    name: &str,
    start: usize,
    line_end: &mut Line,
) -> Option<Range<usize>> {
    /// Bytes of a line that are judged.
    const PROBE: usize = 256;
    let rest = &text[start..];
    let line = &rest[..crate::floor_char_boundary(rest, PROBE)];
    let line = &line[..line.find(ENDS).unwrap_or(line.len())];
    let cookie = name.eq_ignore_ascii_case("cookie");
    let is_scheme = |word: &str| {
        word.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let scheme = match line.split_once(' ') {
        Some((scheme, _)) if !cookie && is_scheme(scheme) => scheme.len() + 1,
        _ => 0,
    };
    let value = line[scheme..].trim_end();
    let telling = value.bytes().any(|byte| byte.is_ascii_digit())
        || scheme > 0 && !value.contains(' ') && value.len() >= 16
        || cookie && value.contains('=');
    if value.len() < 6 || is_placeholder(value) || !telling {
        return None;
    }
    let from = start + scheme;
    let value = text[from..line_end.end(text, from)].trim_end();
    Some(from..from + value.len())
}

#[cfg(test)]
#[path = "header_tests.rs"]
mod tests;
