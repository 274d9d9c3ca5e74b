//! Where values stand in a JSON text, so that the text can be edited without touching what is around them.

use std::ops::Range;

use unstuck_json::{JsonError, Scanner, Scratch};

/// A cursor over the members or elements of one JSON text. Values are passed over, never decoded.
pub(crate) struct Cursor<'a, 's> {
    text: &'a str,
    at: usize,
    scratch: &'s mut Scratch,
}

/// A member: its name, and where its value stands.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) value: Range<usize>,
}

impl<'a, 's> Cursor<'a, 's> {
    /// A cursor at a place in the text.
    pub(crate) fn new(text: &'a str, at: usize, scratch: &'s mut Scratch) -> Self {
        Self { text, at, scratch }
    }

    /// Where it is.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next byte that is not white space.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(|byte| blank(byte)).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes over this byte, if it comes next.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Passes over the next value.
    pub(crate) fn value(&mut self) -> Result<Range<usize>, JsonError> {
        self.peek();
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let length = Scanner::lossy(rest, self.scratch).raw()?.len();
        self.at = start + length;
        Ok(start..self.at)
    }

    /// The name of the next member, of an object that was entered; its value follows.
    pub(crate) fn key(&mut self) -> Result<Option<String>, JsonError> {
        self.take(b',');
        if self.take(b'}') {
            return Ok(None);
        }
        let span = self.value()?;
        let name = Scanner::lossy(&self.text[span], self.scratch)
            .string()?
            .into_owned();
        if !self.take(b':') {
            return Err(JsonError::Expected {
                expected: "`:`",
                at: self.at,
            });
        }
        Ok(Some(name))
    }

    /// The next element, of an array that was entered.
    pub(crate) fn element(&mut self) -> Result<Option<Range<usize>>, JsonError> {
        self.take(b',');
        if self.take(b']') {
            return Ok(None);
        }
        self.value().map(Some)
    }
}

/// The members of the object that stands at `span`. None if something else stands there.
pub(crate) fn members(text: &str, span: Range<usize>) -> Vec<Member> {
    let mut scratch = Scratch::default();
    let mut cursor = Cursor::new(&text[..span.end], span.start, &mut scratch);
    let mut found = Vec::new();
    if !cursor.take(b'{') {
        return found;
    }
    while let Ok(Some(name)) = cursor.key() {
        let Ok(value) = cursor.value() else { break };
        found.push(Member { name, value });
    }
    found
}

/// The elements of the array that stands at `span`. None if something else stands there.
pub(crate) fn elements(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut scratch = Scratch::default();
    let mut cursor = Cursor::new(&text[..span.end], span.start, &mut scratch);
    let mut found = Vec::new();
    if !cursor.take(b'[') {
        return found;
    }
    while let Ok(Some(element)) = cursor.element() {
        found.push(element);
    }
    found
}

/// Where the value of a member stands, found by names from the outside in. Of two members with one name the last counts.
pub(crate) fn at(text: &str, span: Range<usize>, path: &[&str]) -> Option<Range<usize>> {
    let mut here = span;
    for name in path {
        let found = members(text, here);
        here = found
            .into_iter()
            .rfind(|member| member.name == *name)?
            .value;
    }
    Some(here)
}

/// The whole of a text.
pub(crate) fn whole(text: &str) -> Range<usize> {
    0..text.len()
}

/// The string that stands at `span`, decoded.
pub(crate) fn string(text: &str, span: Range<usize>) -> Option<String> {
    let mut scratch = Scratch::default();
    let mut scanner = Scanner::lossy(&text[span], &mut scratch);
    scanner.string().ok().map(std::borrow::Cow::into_owned)
}

/// Whether the string under a member says this word.
pub(crate) fn says(text: &str, span: Range<usize>, name: &str, word: &str) -> bool {
    at(text, span, &[name])
        .and_then(|value| string(text, value))
        .is_some_and(|found| found == word)
}

/// Replacements in one text, each of a span that no other overlaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces what stands at `span`; an empty span is a place for an insertion.
    pub(crate) fn replace(&mut self, span: Range<usize>, with: String) {
        if !(span.is_empty() && with.is_empty()) {
            self.0.push((span, with));
        }
    }

    /// Takes back an insertion.
    pub(crate) fn remove(&mut self, place: usize) {
        self.0.retain(|(span, _)| *span != (place..place));
    }

    /// Takes back all changes within a span, its ends included.
    pub(crate) fn remove_within(&mut self, within: Range<usize>) {
        self.0
            .retain(|(span, _)| span.start < within.start || span.end > within.end);
    }

    /// Takes a span out of the text.
    pub(crate) fn cut(&mut self, span: Range<usize>) {
        self.0.push((span, String::new()));
    }

    /// Whether nothing is changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with its replacements.
    pub(crate) fn apply_text(self, text: &str) -> String {
        String::from_utf8(self.apply(text.as_bytes())).unwrap_or_default()
    }

    /// The same for bytes.
    pub(crate) fn apply(mut self, text: &[u8]) -> Vec<u8> {
        self.0.sort_by_key(|(span, _)| (span.start, span.end));
        let added: usize = self.0.iter().map(|(_, with)| with.len()).sum();
        let mut out = Vec::with_capacity(text.len() + added);
        let mut done = 0;
        for (span, with) in self.0 {
            // Of two replacements of one place the first counts.
            if span.start < done {
                continue;
            }
            out.extend_from_slice(&text[done..span.start]);
            out.extend_from_slice(with.as_bytes());
            done = span.end;
        }
        out.extend_from_slice(&text[done..]);
        out
    }
}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
