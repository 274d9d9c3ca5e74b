//! Takes JSON apart without reading it: members and elements as they stand in the text.
//!
//! Documents are read an element at a time, so that one bad element loses only itself, memory holds one of them, and a
//! document that is cut off in the middle, as a file is while it is written, gives all that stands before the cut.

use std::borrow::Cow;

use unstuck::{Json, JsonError};
use unstuck_json::{Scanner, Scratch};

use crate::readable::string_end;

/// How a value ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// As it should.
    Whole,
    /// As it should, but it is nested too deeply to be read.
    Deep,
    /// The text is over before it is.
    Cut,
    /// It contains something that is not JSON.
    Broken,
}

/// A value that was not looked into yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a> {
    /// The value; where it has no right end, all the text from its start on.
    pub(crate) text: &'a str,
    pub(crate) end: End,
    /// Line of the text that the value begins on, counted from one.
    pub(crate) line: u64,
}

/// The elements of an array.
pub(crate) struct Elements<'a> {
    parts: Parts<'a>,
}

/// The members of an object.
pub(crate) struct Members<'a> {
    parts: Parts<'a>,
}

/// What array and object have in common.
struct Parts<'a> {
    text: &'a str,
    at: usize,
    /// Line of `at`.
    line: u64,
    close: u8,
    first: bool,
    /// Set once there is no more.
    end: Option<End>,
}

impl<'a> Raw<'a> {
    /// The first value of a text, and what stands behind it.
    pub(crate) fn first(text: &'a str) -> Option<(Self, &'a str)> {
        Self::first_from(text, 1)
    }

    /// The first value of a text that begins on this line, and what stands behind it.
    pub(crate) fn first_from(text: &'a str, line: u64) -> Option<(Self, &'a str)> {
        let start = skip_whitespace(text, 0);
        if start == text.len() {
            return None;
        }
        let (raw, at) = take_value(text, start, line + newlines(&text[..start]));
        Some((raw, &text[at..]))
    }

    /// Line that the byte at this offset of the value stands on.
    pub(crate) fn line_at(self, offset: usize) -> u64 {
        let before = self.text.get(..offset).unwrap_or(self.text);
        self.line + newlines(before)
    }

    /// Does it end as it should, so that what is wrong with it is its own?
    pub(crate) fn has_end(self) -> bool {
        matches!(self.end, End::Whole | End::Deep)
    }

    pub(crate) fn is_array(self) -> bool {
        self.text.starts_with('[')
    }

    pub(crate) fn is_object(self) -> bool {
        self.text.starts_with('{')
    }

    /// The elements; none for what is not an array.
    pub(crate) fn elements(self) -> Elements<'a> {
        Elements {
            parts: Parts::of(self, b'[', b']'),
        }
    }

    /// The members; none for what is not an object.
    pub(crate) fn members(self) -> Members<'a> {
        Members {
            parts: Parts::of(self, b'{', b'}'),
        }
    }

    /// The member of this name, the first one where there are several.
    pub(crate) fn get(self, name: &str) -> Option<Self> {
        self.members()
            .find_map(|(key, value)| (key == name).then_some(value))
    }

    /// The value itself. What has no right end has none.
    pub(crate) fn json(self) -> Result<Json, JsonError> {
        Json::lossy(self.text.as_bytes())
    }

    /// What a string says.
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        let mut scratch = Scratch::default();
        Scanner::lossy(self.text, &mut scratch).string().ok()
    }
}

impl<'a> Parts<'a> {
    fn of(raw: Raw<'a>, open: u8, close: u8) -> Self {
        let opened = raw.text.as_bytes().first() == Some(&open);
        Self {
            text: raw.text,
            at: 1,
            line: raw.line,
            close,
            first: true,
            end: (!opened).then_some(End::Broken),
        }
    }

    /// Stands on the next part, or has ended.
    fn advance(&mut self) -> Option<()> {
        if self.end.is_some() {
            return None;
        }
        self.skip_whitespace();
        let byte = self.text.as_bytes().get(self.at).copied();
        let comma = byte == Some(b',');
        if byte == Some(self.close) {
            self.end = Some(End::Whole);
        } else if byte.is_none() {
            self.end = Some(End::Cut);
        } else if comma == self.first {
            self.end = Some(End::Broken);
        } else if comma {
            self.at += 1;
            self.skip_whitespace();
            if self.at == self.text.len() {
                self.end = Some(End::Cut);
            }
        }
        self.first = false;
        self.end.is_none().then_some(())
    }

    fn skip_whitespace(&mut self) {
        self.go_to(skip_whitespace(self.text, self.at));
    }

    fn go_to(&mut self, at: usize) {
        self.line += newlines(&self.text[self.at..at]);
        self.at = at;
    }

    fn value(&mut self) -> Raw<'a> {
        let (raw, at) = take_value(self.text, self.at, self.line);
        self.go_to(at);
        if !raw.has_end() {
            self.end = Some(raw.end);
        }
        raw
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        self.parts.advance()?;
        Some(self.parts.value())
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Raw<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let parts = &mut self.parts;
        parts.advance()?;
        let key = parts.value();
        let Some(key) = key.string() else {
            parts.end.get_or_insert(End::Broken);
            return None;
        };
        parts.skip_whitespace();
        match parts.text.as_bytes().get(parts.at) {
            Some(b':') => {
                parts.at += 1;
                parts.skip_whitespace();
            }
            Some(_) => parts.end = Some(End::Broken),
            None => parts.end = Some(End::Cut),
        }
        if parts.end.is_some() || parts.at == parts.text.len() {
            parts.end.get_or_insert(End::Cut);
            return None;
        }
        Some((key, parts.value()))
    }
}

/// The value at `at`, which is not whitespace and stands on this line, and where it ends.
fn take_value(text: &str, at: usize, line: u64) -> (Raw<'_>, usize) {
    let rest = &text[at..];
    let mut scratch = Scratch::default();
    let taken = Scanner::lossy(rest, &mut scratch).raw();
    let end = match taken {
        Ok(value) => Ok((value.len(), End::Whole)),
        // The reader of the value will refuse it; what follows it need not be lost.
        Err(JsonError::TooDeep { .. }) => match deep_end(rest.as_bytes()) {
            Some(length) => Ok((length, End::Deep)),
            None => Err(End::Cut),
        },
        Err(JsonError::End { .. }) => Err(End::Cut),
        Err(_) => Err(End::Broken),
    };
    match end {
        Ok((length, end)) => {
            let raw = Raw {
                text: &rest[..length],
                end,
                line,
            };
            (raw, at + length)
        }
        Err(end) => {
            let raw = Raw {
                text: rest,
                end,
                line,
            };
            (raw, text.len())
        }
    }
}

/// Where an array or object ends that is nested too deeply to be looked at.
fn deep_end(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = string_end(bytes, at + 1);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

fn newlines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}

fn skip_whitespace(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    at + rest.iter().take_while(|byte| blank(byte)).count()
}

#[cfg(test)]
#[path = "elements_tests.rs"]
mod tests;
