//! Walks a JSON text without building anything.

use std::borrow::Cow;

use super::number::Number;
use super::string::{Reading, closing_quote, find_special, hex4, run_end, string_end, unescape};
use super::write::Scratch;
use super::{JsonError, JsonKind};

/// How deep arrays and objects may nest; a scalar is at level 0, `[]` at level 1.
pub(crate) const MAX_DEPTH: usize = 128;

/// A cursor over one JSON text, for readers that want a few members of a long line and build no tree for the rest.
///
/// Each value that is skipped or canonicalised counts its nesting from itself, so what surrounds it
/// does not eat into the limit.
///
/// ```
/// use unstuck_json::{Scanner, Scratch};
///
/// let mut scratch = Scratch::default();
/// let mut scanner = Scanner::new(r#"{"noise":[1,{}],"args":{"b":1, "a":2}}"#, &mut scratch);
/// scanner.begin_object()?;
/// while let Some(key) = scanner.next_key()? {
///     match &*key {
///         "args" => assert_eq!(scanner.canonical()?.as_str(), r#"{"a":2,"b":1}"#),
///         _ => scanner.skip_value()?,
///     }
/// }
/// scanner.end()?;
/// # Ok::<(), unstuck_json::JsonError>(())
/// ```
#[derive(Debug)]
pub struct Scanner<'a, 's> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) scratch: &'s mut Scratch,
    pub(crate) reading: Reading,
    pub(crate) duplicates: Duplicates,
    /// Where the value that is being canonicalised begins in the output.
    pub(crate) value: usize,
    /// Between an opening bracket and the first item, where a comma is an error.
    opened: bool,
}

/// How two members with the same name are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duplicates {
    /// The last one is taken.
    LastWins,
    /// They are an error.
    Refused,
}

impl<'a, 's> Scanner<'a, 's> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a str, scratch: &'s mut Scratch) -> Self {
        Self {
            text,
            at: 0,
            scratch,
            reading: Reading::Exact,
            duplicates: Duplicates::LastWins,
            value: 0,
            opened: false,
        }
    }

    /// A cursor that reads on where a program wrote more than JSON allows: half of a surrogate pair becomes U+FFFD, a
    /// control character in a string is taken as it is, and a number beyond a double becomes a string of its digits.
    pub fn lossy(text: &'a str, scratch: &'s mut Scratch) -> Self {
        Self {
            reading: Reading::Lossy,
            ..Self::new(text, scratch)
        }
    }

    /// The same cursor, but two members of one name are an error in every value that is canonicalised or checked, at any
    /// depth. For readers that pass the text on to others, who may take another of the two.
    ///
    /// ```
    /// use unstuck_json::{JsonError, Scanner, Scratch};
    ///
    /// let mut scratch = Scratch::default();
    /// let mut scanner = Scanner::new(r#"[{"a":1,"b":{},"\u0061":2}]"#, &mut scratch).strict();
    /// assert_eq!(scanner.check_value(), Err(JsonError::DuplicateKey { at: 26 }));
    /// ```
    #[must_use]
    pub fn strict(self) -> Self {
        Self {
            duplicates: Duplicates::Refused,
            ..self
        }
    }

    /// Enters the next value, which must be an object; [`Self::next_key`] walks it.
    pub fn begin_object(&mut self) -> Result<(), JsonError> {
        self.begin(b'{', "an object")
    }

    /// The next key of the object entered last, or `None` once it is closed.
    ///
    /// After a key its value must be consumed before the next call.
    #[inline]
    pub fn next_key(&mut self) -> Result<Option<Cow<'a, str>>, JsonError> {
        // The usual case: `,"key":` or `{"key":`, without blanks and escapes.
        let start = self.at + if self.opened { 1 } else { 2 };
        let bytes = self.text.as_bytes();
        if let Some([comma, b'"']) = bytes.get(start.wrapping_sub(2)..start)
            && (self.opened || *comma == b',')
        {
            let end = find_special(bytes, start);
            if let Some(b"\":") = bytes.get(end..end + 2) {
                self.opened = false;
                self.at = end + 2;
                return Ok(Some(Cow::Borrowed(&self.text[start..end])));
            }
        }
        self.next_key_with_blanks()
    }

    fn next_key_with_blanks(&mut self) -> Result<Option<Cow<'a, str>>, JsonError> {
        let byte = self.next_byte()?;
        let opened = std::mem::take(&mut self.opened);
        if byte == b'}' {
            self.at += 1;
            return Ok(None);
        }
        if !opened {
            if byte != b',' {
                return Err(self.expected("`,` or `}`"));
            }
            self.at += 1;
        }
        self.key_quote(opened)?;
        let key = self.string()?;
        self.colon()?;
        Ok(Some(key))
    }

    /// Enters the next value, which must be an array; [`Self::next_element`] walks it.
    pub fn begin_array(&mut self) -> Result<(), JsonError> {
        self.begin(b'[', "an array")
    }

    /// Goes to the next element of the array entered last; `false` once it is closed.
    ///
    /// After `true` the element must be consumed before the next call.
    pub fn next_element(&mut self) -> Result<bool, JsonError> {
        let byte = self.next_byte()?;
        let opened = std::mem::take(&mut self.opened);
        if byte == b']' {
            self.at += 1;
            return Ok(false);
        }
        if !opened {
            if byte != b',' {
                return Err(self.expected("`,` or `]`"));
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// Returns the kind of the next value, by its first byte.
    pub fn peek_kind(&mut self) -> Result<JsonKind, JsonError> {
        let byte = self.next_byte()?;
        JsonKind::of_first_byte(byte).ok_or_else(|| self.expected("a value"))
    }

    /// Passes over the next value.
    ///
    /// Its syntax and depth are checked. Lone surrogates and numbers beyond a double are let
    /// through, because their values are not used. A lossy cursor does not check strings at all.
    pub fn skip_value(&mut self) -> Result<(), JsonError> {
        self.skip(1)
    }

    /// Passes over the next value and gives it as it is spelled.
    pub fn raw(&mut self) -> Result<&'a str, JsonError> {
        self.next_byte()?;
        let start = self.at;
        self.skip(1)?;
        Ok(&self.text[start..self.at])
    }

    /// The next value, which must be a string, decoded.
    pub fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        if self.next_byte()? != b'"' {
            return Err(self.expected("a string"));
        }
        let start = self.at + 1;
        let special = find_special(self.text.as_bytes(), start);
        if self.text.as_bytes().get(special) == Some(&b'"') {
            self.at = special + 1;
            return Ok(Cow::Borrowed(&self.text[start..special]));
        }
        let mut decoded = String::new();
        self.at = unescape(self.text, start, &mut decoded, self.reading)?;
        Ok(Cow::Owned(decoded))
    }

    /// Checks that only whitespace is left.
    pub fn end(&mut self) -> Result<(), JsonError> {
        self.skip_whitespace();
        if self.at < self.text.len() {
            return Err(JsonError::Trailing { at: self.at });
        }
        Ok(())
    }

    fn begin(&mut self, bracket: u8, expected: &'static str) -> Result<(), JsonError> {
        if self.next_byte()? != bracket {
            return Err(self.expected(expected));
        }
        self.at += 1;
        self.opened = true;
        Ok(())
    }

    /// The first byte after whitespace, not consumed.
    #[inline]
    pub(crate) fn next_byte(&mut self) -> Result<u8, JsonError> {
        self.skip_whitespace();
        self.text
            .as_bytes()
            .get(self.at)
            .copied()
            .ok_or(JsonError::End { at: self.at })
    }

    /// Moves to the quote that opens a key, or returns the error for the token that is there.
    #[inline]
    pub(crate) fn key_quote(&mut self, opened: bool) -> Result<(), JsonError> {
        if self.next_byte()? == b'"' {
            return Ok(());
        }
        Err(self.expected(if opened { "a key or `}`" } else { "a key" }))
    }

    #[inline]
    pub(crate) fn colon(&mut self) -> Result<(), JsonError> {
        if self.next_byte()? != b':' {
            return Err(self.expected("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    /// Consumes `word`, of which only the first byte has been seen.
    #[inline]
    pub(crate) fn literal(&mut self, word: &'static str) -> Result<(), JsonError> {
        let rest = &self.text.as_bytes()[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(());
        }
        Err(if word.as_bytes().starts_with(rest) {
            JsonError::End {
                at: self.text.len(),
            }
        } else {
            self.expected("a value")
        })
    }

    /// Consumes a number, of which only the first byte has been seen.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<Number<'a>, JsonError> {
        let number = Number::scan(self.text, self.at)?;
        self.at += number.text.len();
        Ok(number)
    }

    #[cold]
    pub(crate) fn expected(&self, expected: &'static str) -> JsonError {
        JsonError::Expected {
            expected,
            at: self.at,
        }
    }

    #[inline]
    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
    }

    fn skip(&mut self, depth: usize) -> Result<(), JsonError> {
        match self.next_byte()? {
            b'"' => self.skip_string(),
            b'{' => self.skip_object(depth),
            b'[' => self.skip_array(depth),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            b'-' | b'0'..=b'9' => self.number().map(drop),
            _ => Err(self.expected("a value")),
        }
    }

    fn skip_object(&mut self, depth: usize) -> Result<(), JsonError> {
        self.open(depth)?;
        if self.next_byte()? == b'}' {
            self.at += 1;
            return Ok(());
        }
        self.key_quote(true)?;
        loop {
            self.skip_string()?;
            self.colon()?;
            self.skip(depth + 1)?;
            match self.next_byte()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return Err(self.expected("`,` or `}`")),
            }
            self.key_quote(false)?;
        }
        self.at += 1;
        Ok(())
    }

    fn skip_array(&mut self, depth: usize) -> Result<(), JsonError> {
        self.open(depth)?;
        if self.next_byte()? == b']' {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.skip(depth + 1)?;
            match self.next_byte()? {
                b',' => self.at += 1,
                b']' => break,
                _ => return Err(self.expected("`,` or `]`")),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Consumes the bracket or brace that opens level `depth`.
    #[inline]
    pub(crate) fn open(&mut self, depth: usize) -> Result<(), JsonError> {
        if depth > MAX_DEPTH {
            return Err(JsonError::TooDeep { at: self.at });
        }
        self.at += 1;
        Ok(())
    }

    fn skip_string(&mut self) -> Result<(), JsonError> {
        let bytes = self.text.as_bytes();
        if self.reading == Reading::Lossy {
            self.at = string_end(bytes, self.at + 1)?;
            return Ok(());
        }
        let mut at = run_end(bytes, self.at + 1);
        while let Some(b'\\') = bytes.get(at) {
            at = match bytes.get(at + 1) {
                Some(b'/') => at + 2,
                Some(b'u') => {
                    hex4(bytes, at)?;
                    at + 6
                }
                Some(_) => return Err(JsonError::Escape { at }),
                None => return Err(JsonError::End { at: bytes.len() }),
            };
            at = run_end(bytes, at);
        }
        closing_quote(bytes, at)?;
        self.at = at + 1;
        Ok(())
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
