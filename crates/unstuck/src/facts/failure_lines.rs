//! The lines of a test run that say what was wrong: exceptions, expected and actual values, errors of compilers.
//!
//! Line numbers and places are left out, because an edit moves them without changing the failure. Values stay: a test that
//! gets 5 instead of 4 has changed.

use crate::{
    fingerprint::Mark,
    hash::Tag,
    normalize::normalize,
    vocab::phrases::{
        runners::{self, PYTEST},
        texts,
    },
};

/// Lines that are compared; further ones are ignored.
const LINES: usize = 64;

/// Bytes of a line that are compared.
const LONGEST: usize = 200;

const WRONG: [&str; runners::WRONG.len()] = texts(&runners::WRONG);

/// What a test run says was wrong: equal for runs that say the same.
#[derive(Clone, Debug, Default)]
pub(super) struct FailureLines {
    marks: Vec<Mark>,
    /// Whether the next line is the message of a panic of Rust.
    panicked: bool,
}

impl FailureLines {
    /// Reads a line of canonical text.
    pub(super) fn read(&mut self, line: &str) {
        let panicked = std::mem::take(&mut self.panicked);
        let is_marked = line.trim_start().starts_with(PYTEST);
        let line = bare(line);
        if line.is_empty() {
            self.panicked = panicked;
            return;
        }
        self.panicked =
            line.starts_with("thread '") && line.ends_with(':') && line.contains(" panicked at ");
        let said = if panicked || is_marked {
            Some(line)
        } else {
            said(line)
        };
        if let Some(said) = said
            && self.marks.len() < LINES
        {
            let said = &said[..unstuck_text::floor_char_boundary(said, LONGEST)];
            let mark = Mark::from(Tag::of(normalize(said).iter().copied()));
            if !self.marks.contains(&mark) {
                self.marks.push(mark);
            }
        }
    }

    /// The mark of all lines, in whatever order they were printed; `None` without any.
    pub(super) fn mark(mut self) -> Option<Mark> {
        self.marks.sort_unstable();
        self.marks.into_iter().reduce(Mark::join)
    }
}

/// A line without blanks at its ends and what runners put before their messages.
fn bare(line: &str) -> &str {
    const BLANKS: [&str; 2] = ["\\t", "\\r"];
    const MARKS: [&str; 4] = ["[ERROR] ", PYTEST, "+ ", "- "];
    let mut line = line.trim_matches(|edge: char| edge.is_whitespace() || edge == '"');
    loop {
        let before = line.len();
        for blank in BLANKS {
            line = line.strip_prefix(blank).unwrap_or(line).trim_start();
            line = line.strip_suffix(blank).unwrap_or(line).trim_end();
        }
        for mark in MARKS {
            line = line.strip_prefix(mark).unwrap_or(line).trim_start();
        }
        if line.len() == before {
            return line;
        }
    }
}

/// What a line says was wrong, without its place.
fn said(line: &str) -> Option<&str> {
    if WRONG.iter().any(|label| line.starts_with(label)) || names_exception(line) {
        return Some(line);
    }
    // pytest: `FAILED a.py::test_x - assert 1 == 2`
    if line.starts_with("FAILED ") {
        return line.split_once(" - ").map(|(_, said)| said);
    }
    // older Rust: `thread 'x' panicked at 'message', src/a.rs:1:2`
    if let Some((_, panic)) = split_at_sign(line, b'\'', " panicked at ") {
        return panic[1..].rsplit_once("', ").map(|(said, _)| said);
    }
    // compilers: `a.c:3:5: error: x`, `a.ts(3,5): error TS2322: x`
    let mut colons = memchr::memchr_iter(b':', line.as_bytes());
    if let Some(at) = colons.find(|at| line[*at..].starts_with(": error")) {
        return Some(line[at..].trim_start_matches([':', ' ']));
    }
    // maven: `ATest.adds:12 expected: <1> but was: <2>`
    if let Some((before, _)) = split_at_sign(line, b':', " expected") {
        return Some(line[before.len()..].trim_start_matches([':', ' ']));
    }
    // go: `a_test.go:12: got 1, want 2`
    let (place, said) = line.split_once(": ")?;
    let (file, number) = place.rsplit_once(':')?;
    let is_go = file.rsplit('.').next() == Some("go");
    let is_place = is_go && number.bytes().all(|byte| byte.is_ascii_digit());
    is_place.then_some(said)
}

/// Splits a line before the first `words` that `sign` follows. To look for the sign first takes less than to set up a
/// search for words, which most lines do not have.
fn split_at_sign<'l>(line: &'l str, sign: u8, words: &str) -> Option<(&'l str, &'l str)> {
    let mut signs = memchr::memchr_iter(sign, line.as_bytes());
    signs.find_map(|at| {
        let before = line[..at].strip_suffix(words)?;
        Some((before, &line[at..]))
    })
}

/// `KeyError: 'a'`, `java.lang.AssertionError`, `AssertionFailedError: expected 1`.
fn names_exception(line: &str) -> bool {
    let end = line.find(|end: char| !(end.is_ascii_alphanumeric() || "._\\$".contains(end)));
    let word = &line[..end.unwrap_or(line.len())];
    let name = word.rsplit(['.', '\\', '$']).next().unwrap_or_default();
    let is_name = name.starts_with(|first: char| first.is_ascii_uppercase());
    let is_said = matches!(line.as_bytes().get(word.len()), None | Some(b':' | b' '));
    let is_kind = ["Error", "Exception", "Failure", "Mismatch"]
        .iter()
        .any(|kind| name.ends_with(kind));
    is_name && is_said && is_kind
}

#[cfg(test)]
#[path = "failure_lines_tests.rs"]
mod tests;
