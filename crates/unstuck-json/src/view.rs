//! Looks into canonical JSON without parsing it again.

use std::borrow::Cow;
use std::fmt;
use std::iter::FusedIterator;

use super::string::{escape, string_end};

/// The kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// An array.
    Array,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
    /// A number.
    Number,
    /// An object.
    Object,
    /// A string.
    String,
}

impl JsonKind {
    /// Every kind of value shows in its first byte.
    pub(crate) fn of_first_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            b'[' => Self::Array,
            b't' | b'f' => Self::Bool,
            b'n' => Self::Null,
            b'-' | b'0'..=b'9' => Self::Number,
            b'{' => Self::Object,
            b'"' => Self::String,
            _ => return None,
        })
    }
}

/// A JSON value in canonical form, borrowed. Equal values have equal texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JsonRef<'a>(pub(crate) &'a str);

impl<'a> JsonRef<'a> {
    /// The canonical text.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// Returns the kind of the value.
    pub fn kind(self) -> JsonKind {
        // The text is never empty and never starts otherwise.
        self.0
            .bytes()
            .next()
            .and_then(JsonKind::of_first_byte)
            .unwrap_or(JsonKind::Null)
    }

    /// Returns the value of a string; borrowed if nothing in it is escaped.
    pub fn text(self) -> Option<Cow<'a, str>> {
        let quoted = self.0.strip_prefix('"')?;
        Some(decode(quoted.strip_suffix('"')?))
    }

    /// Returns the beginning of a string's value, from at most `longest` bytes of its JSON. For callers that need only the
    /// beginning: the rest is not decoded.
    pub fn text_within(self, longest: usize) -> Option<Cow<'a, str>> {
        let inside = self.0.strip_prefix('"')?.strip_suffix('"')?;
        if inside.len() <= longest {
            return Some(decode(inside));
        }
        // An escape that is cut in two is an error at the very end, after everything before it has been decoded.
        let end = (0..=longest).rev().find(|at| inside.is_char_boundary(*at));
        Some(decode(&inside[..end.unwrap_or(0)]))
    }

    /// The value of a number that is an integer in the range of `i64`.
    pub fn integer(self) -> Option<i64> {
        // No other kind of value parses as an integer.
        self.0.parse().ok()
    }

    /// The value of `true` or `false`.
    pub fn boolean(self) -> Option<bool> {
        self.0.parse().ok()
    }

    /// The value of a number, rounded to a double.
    pub fn number(self) -> Option<f64> {
        match self.kind() {
            JsonKind::Number => self.0.parse().ok(),
            _ => None,
        }
    }

    /// The members of an object in canonical order; none for any other value.
    pub fn members(self) -> Members<'a> {
        Members(Parts::of(self.0, b'{'))
    }

    /// The elements of an array; none for any other value.
    pub fn elements(self) -> Elements<'a> {
        Elements(Parts::of(self.0, b'['))
    }

    /// The value and everything in it, in one pass.
    pub fn walk(self) -> Walk<'a> {
        Walk {
            text: self.0,
            at: 0,
        }
    }

    /// The member of an object under `key`.
    pub fn get(self, key: &str) -> Option<Self> {
        self.members()
            .find_map(|(name, value)| (name == key).then_some(value))
    }
}

impl fmt::Display for JsonRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The members of an object: decoded key and value.
#[derive(Clone, Debug)]
pub struct Members<'a>(Parts<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, JsonRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let Parts { text, at } = self.0;
        let bytes = text.as_bytes();
        // Names are short: a plain loop finds their end sooner than a search that is made for long texts.
        let start = at + 1;
        let mut end = start;
        while !matches!(bytes.get(end)?, b'"' | b'\\') {
            end += 1;
        }
        let name = if bytes[end] == b'"' {
            // Behind the quote and the colon.
            self.0.at = end + 2;
            Cow::Borrowed(&text[start..end])
        } else {
            let key = self.0.next_value()?;
            decode(key.get(1..key.len() - 1)?)
        };
        let value = self.0.next_value()?;
        Some((name, JsonRef(value)))
    }
}

impl FusedIterator for Members<'_> {}

/// The elements of an array.
#[derive(Clone, Debug)]
pub struct Elements<'a>(Parts<'a>);

impl<'a> Iterator for Elements<'a> {
    type Item = JsonRef<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next_value().map(JsonRef)
    }
}

impl FusedIterator for Elements<'_> {}

/// The rest of an array or object, from `at` on: values, each followed by one separator.
#[derive(Clone, Debug)]
struct Parts<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parts<'a> {
    /// The inside of `text` with its closing bracket, if it opens with `bracket`.
    fn of(text: &'a str, bracket: u8) -> Self {
        let opens = text.as_bytes().first() == Some(&bracket);
        Self {
            text: if opens { text } else { "" },
            at: 1,
        }
    }

    /// Cuts off the next key or value and the `:`, `,` or closing bracket behind it.
    fn next_value(&mut self) -> Option<&'a str> {
        let start = self.at;
        let end = value_end(self.text.as_bytes(), start);
        if end <= start {
            return None;
        }
        self.at = end + 1;
        Some(&self.text[start..end])
    }
}

/// A part of a value, in the order of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// `{` or `[`.
    Open,
    /// `}` or `]`.
    Close(u8),
    /// The name of a member, as a string; its value follows.
    Key(JsonRef<'a>),
    /// A string, number, boolean or `null`.
    Scalar(JsonRef<'a>),
}

/// Walks a value and everything in it in one pass, however deep it nests. [`JsonRef::members`] looks for the end of each
/// member first, so that a recursion over them passes over the innermost value once for each level.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    /// The string, or the array of strings, that comes next, if its text has at most so many bytes.
    pub fn peek_strings(&self, longest: usize) -> Option<JsonRef<'a>> {
        let mut ahead = self.clone();
        let first = ahead.next()?;
        let start = self.at + usize::from(self.is_at_separator());
        match first {
            Token::Scalar(value) => {
                let fits = value.kind() == JsonKind::String && value.0.len() <= longest;
                return fits.then_some(value);
            }
            Token::Open if self.text.as_bytes()[start] == b'[' => {}
            _ => return None,
        }
        loop {
            let token = ahead.next()?;
            if ahead.at - start > longest {
                return None;
            }
            match token {
                Token::Scalar(element) if element.kind() == JsonKind::String => {}
                Token::Close(_) => return Some(JsonRef(&self.text[start..ahead.at])),
                _ => return None,
            }
        }
    }

    /// Passes over the value that comes next, which is this one.
    pub fn pass_over(&mut self, value: JsonRef<'a>) {
        self.at += usize::from(self.is_at_separator()) + value.0.len();
    }

    fn is_at_separator(&self) -> bool {
        matches!(self.text.as_bytes().get(self.at), Some(b',' | b':'))
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        self.at += usize::from(self.is_at_separator());
        let start = self.at;
        match bytes.get(start)? {
            b'{' | b'[' => {
                self.at += 1;
                Some(Token::Open)
            }
            closing @ (b'}' | b']') => {
                self.at += 1;
                Some(Token::Close(*closing))
            }
            b'"' => {
                self.at = end_of_string(bytes, start + 1);
                let string = JsonRef(&self.text[start..self.at]);
                Some(if bytes.get(self.at) == Some(&b':') {
                    Token::Key(string)
                } else {
                    Token::Scalar(string)
                })
            }
            _ => {
                self.at = scalar_end(bytes, start);
                Some(Token::Scalar(JsonRef(&self.text[start..self.at])))
            }
        }
    }
}

/// Where the value ends that starts at `start` in canonical `bytes`; at `start` or before it if none does.
fn value_end(bytes: &[u8], start: usize) -> usize {
    let mut at = match bytes.get(start) {
        Some(b'"') => return end_of_string(bytes, start + 1),
        Some(b'{' | b'[') => start + 1,
        _ => return scalar_end(bytes, start),
    };
    // Brackets that are open.
    let mut depth = 1_usize;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    at
}

/// Where the number, boolean or `null` ends that starts at `start`.
fn scalar_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while let Some(byte) = bytes.get(end)
        && !matches!(byte, b',' | b'}' | b']')
    {
        end += 1;
    }
    end
}

/// Behind the closing quote of the string whose inside starts at `at`.
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    string_end(bytes, at).unwrap_or(bytes.len())
}

/// Returns the value of the inside of a canonical string, without its quotes.
fn decode(inside: &str) -> Cow<'_, str> {
    let bytes = inside.as_bytes();
    // Most texts have none, and a single search is set up sooner than an iterator.
    if memchr::memchr(b'\\', bytes).is_none() {
        return Cow::Borrowed(inside);
    }
    let mut decoded = String::with_capacity(inside.len());
    let mut run = 0;
    for at in memchr::memchr_iter(b'\\', bytes) {
        // The second half of an escaped backslash starts nothing.
        if at < run {
            continue;
        }
        decoded.push_str(&inside[run..at]);
        // Only the last escape of a text that was cut can be broken.
        let Ok((character, end)) = escape(bytes, at) else {
            return Cow::Owned(decoded);
        };
        decoded.push(character);
        run = end;
    }
    decoded.push_str(&inside[run..]);
    Cow::Owned(decoded)
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}
