//! Ids, and when two spellings are one id.
//!
//! Official clients do not compare ids byte for byte: the TypeScript SDK looks up `Number(response.id)`, and the Python SDK
//! looks up `int(id)` where that is possible. An answer with the id `"5"` therefore reaches the caller of request `5`, and
//! the guard must pair it with that request too. [`Id::key`] is the one normal form by which all pairing is done.

use unstuck::{Json, JsonError};
use unstuck_json::{JsonKind, Scanner, Scratch};

/// Longest id in bytes, as it is spelled. Every request that waits keeps its id, so this bounds the memory.
pub(super) const LONGEST_ID: usize = 1_024;

/// Largest whole number that every program reads exactly (2^53). Larger numbers stay as they are spelled.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// An id: a string or a number.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Id<'a> {
    /// The id as it is spelled. An answer repeats it byte for byte.
    pub raw: &'a str,
    /// Normal form for comparison: `1`, `1.0`, `"1"` and `" 01 "` are one id.
    pub key: Json,
}

impl<'a> Id<'a> {
    /// Reads an id from its JSON text. Half of a surrogate pair and numbers beyond a double are refused here: an id is
    /// repeated in answers, and not every program can read these.
    ///
    /// ```
    /// use unstuck_mcp::Id;
    ///
    /// let id = Id::of("7").unwrap();
    /// assert_eq!(id.key, Id::of("\"7\"").unwrap().key);
    /// assert_ne!(id.key, Id::of("\"seven\"").unwrap().key);
    /// ```
    pub fn of(raw: &'a str) -> Result<Self, JsonError> {
        let key = match raw.parse::<u32>() {
            // Most ids are such numbers, and there is one way to spell them without a fraction.
            Ok(number) => Json::from(number),
            Err(_) => normal(Json::parse(raw)?),
        };
        Ok(Self { raw, key })
    }
}

/// Normal form of an id that was read already.
pub(crate) fn normal(id: Json) -> Json {
    let number = match id.view().kind() {
        JsonKind::Number => id.view().number(),
        JsonKind::String => id.view().text().and_then(|text| number(&text)),
        _ => None,
    };
    match number {
        Some(number) if number.fract() == 0.0 && number.abs() <= EXACT => {
            // Adding zero turns -0 into 0.
            Json::parse(&format!("{:.0}", number + 0.0)).unwrap_or(id)
        }
        _ => id,
    }
}

/// The number that a client reads from a text: as JavaScript's `Number` does, and with the underscores of Python's `int`.
/// Digits beyond ASCII, which `int` reads as well, are left out: an answer with such an id is paired with no request, and
/// so it is not passed on.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
    let radix = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => {
            let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
            return has_digit
                .then(|| text.replace('_', "").parse().ok())
                .flatten();
        }
    };
    u32::from_str_radix(&text[2..], radix).ok().map(f64::from)
}

/// The id as it may be repeated in a message of our own: valid JSON, a string or a number, and not long. Nothing else of a
/// message that cannot be read is repeated.
pub(super) fn repeatable(raw: &str) -> Option<Box<str>> {
    if raw.len() > LONGEST_ID {
        return None;
    }
    let mut scratch = Scratch::default();
    let mut scanner = Scanner::new(raw, &mut scratch);
    let kind = scanner.peek_kind().ok()?;
    let spelled = scanner.raw().ok()?;
    scanner.end().ok()?;
    match kind {
        JsonKind::Number => Json::parse(spelled).ok().map(|_| spelled.into()),
        JsonKind::String => Some(Json::parse(spelled).ok()?.as_str().into()),
        _ => None,
    }
}

#[cfg(test)]
#[path = "id_tests.rs"]
mod tests;
