//! Canonical JSON: one text for each value, so that equal arguments have equal bytes.
//!
//! The form is RFC 8785 (keys ordered by UTF-16 units, minimal escapes, numbers as ECMAScript
//! prints them) with one change: integers in the range of `i64` and `u64` are kept exactly.
//! RFC 8785 rounds them to doubles, and two calls that differ in an id of 17 digits would be one.

#![forbid(unsafe_code)]

mod compose;
mod error;
mod number;
mod order;
mod scan;
mod serde;
mod string;
mod view;
mod write;

use std::{borrow::Cow, fmt};

pub use self::compose::Composer;
pub use self::error::JsonError;
pub use self::scan::Scanner;
pub use self::view::{Elements, JsonKind, JsonRef, Members, Token, Walk};
pub use self::write::Scratch;

/// A JSON value in canonical form, owned. Equal values have equal texts.
///
/// ```
/// use unstuck_json::Json;
///
/// let json = Json::parse(r#"{ "path": "caf\u00e9", "limit": 1e2 }"#)?;
/// assert_eq!(json.as_str(), r#"{"limit":100,"path":"café"}"#);
/// assert_eq!(json, Json::parse(r#"{"limit":100.0,"path":"café"}"#)?);
/// # Ok::<(), unstuck_json::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Json(Box<str>);

impl Json {
    /// Reads one JSON value.
    ///
    /// Of duplicate keys the last wins. Lone surrogates, numbers beyond a double and nesting over
    /// 128 levels are errors.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        let mut scratch = Scratch::default();
        let mut scanner = Scanner::new(text, &mut scratch);
        let mut canonical = String::with_capacity(text.len());
        scanner.canonical_into(&mut canonical)?;
        scanner.end()?;
        Ok(Self(canonical.into_boxed_str()))
    }

    /// Reads one JSON value from bytes that break the rules of JSON in usual ways. Half of a surrogate pair and bytes
    /// that are not UTF-8 become U+FFFD, control characters in strings are accepted, and a number beyond a double
    /// becomes a string of its digits. Nesting over 128 levels is an error.
    ///
    /// ```
    /// use unstuck_json::Json;
    ///
    /// assert_eq!(Json::lossy(br#"["\ud83d",1e999]"#)?.as_str(), "[\"\u{fffd}\",\"1e999\"]");
    /// # Ok::<(), unstuck_json::JsonError>(())
    /// ```
    pub fn lossy(bytes: &[u8]) -> Result<Self, JsonError> {
        let text = lossy_text(bytes);
        let mut scratch = Scratch::default();
        let mut scanner = Scanner::lossy(&text, &mut scratch);
        let mut canonical = String::with_capacity(text.len());
        scanner.canonical_into(&mut canonical)?;
        scanner.end()?;
        Ok(Self(canonical.into_boxed_str()))
    }

    /// Reads one JSON value from bytes, which must be UTF-8.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, JsonError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text),
            Err(error) => Err(JsonError::Utf8 {
                at: error.valid_up_to(),
            }),
        }
    }

    /// The JSON form of any value serde can write; floats that are not finite become `null`.
    pub fn from_serialize<T: ::serde::Serialize + ?Sized>(value: &T) -> Result<Self, JsonError> {
        let text = serde_json::to_string(value).map_err(|error| JsonError::Serialize {
            message: error.to_string().into(),
        })?;
        Self::parse(&text)
    }

    /// Returns the JSON string with the value `text`.
    pub fn string(text: &str) -> Self {
        let mut quoted = String::with_capacity(text.len() + 2);
        string::write_quoted(text, &mut quoted);
        Self(quoted.into_boxed_str())
    }

    /// The value `null`.
    pub fn null() -> Self {
        Self("null".into())
    }

    /// The value `{}`.
    pub fn empty_object() -> Self {
        Self("{}".into())
    }

    /// Appends the JSON string with the value `text`.
    pub fn push_string(text: &str, out: &mut String) {
        string::write_quoted(text, out);
    }

    /// An object of these members, which must come in canonical order and without duplicates.
    pub fn object<'a, M>(members: M) -> Self
    where
        M: Iterator<Item = (&'a str, JsonRef<'a>)> + Clone,
    {
        let lengths = members.clone();
        let length: usize = lengths
            .map(|(name, value)| name.len() + value.as_str().len() + 4)
            .sum();
        let mut text = String::with_capacity(length + 2);
        text.push('{');
        for (name, value) in members {
            if text.len() > 1 {
                text.push(',');
            }
            string::write_quoted(name, &mut text);
            text.push(':');
            text.push_str(value.as_str());
        }
        text.push('}');
        Self(text.into_boxed_str())
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value, to look into.
    pub fn view(&self) -> JsonRef<'_> {
        JsonRef(&self.0)
    }
}

/// Converts bytes to text, with U+FFFD for bytes that are not UTF-8.
pub fn lossy_text(bytes: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// `null`.
impl Default for Json {
    fn default() -> Self {
        Self::null()
    }
}

/// The canonical text.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {
        $(impl From<$integer> for Json {
            fn from(number: $integer) -> Self {
                Self(number.to_string().into())
            }
        })*
    };
}

// Every integer of these types is kept exactly, so that its decimal digits are its canonical text.
from_integer!(i32, i64, u32, u64);

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self(if value { "true" } else { "false" }.into())
    }
}

/// A JSON string that says the text; [`Json::parse`] reads a JSON text.
impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

impl From<JsonRef<'_>> for Json {
    fn from(value: JsonRef<'_>) -> Self {
        Self(value.as_str().into())
    }
}

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
