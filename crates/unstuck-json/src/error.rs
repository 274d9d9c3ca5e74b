//! Errors in a JSON text.

/// Why a text is not a JSON value this crate accepts.
///
/// Offsets count bytes from 0 in the text that was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// A raw control character inside a string; JSON wants it escaped.
    #[error("raw control character in a string at byte {at}")]
    Control {
        /// Byte offset of the character.
        at: usize,
    },
    /// An object has two members of one name. Only [`Scanner::strict`](crate::Scanner::strict) minds.
    #[error("an object that ends at byte {at} has two members of one name")]
    DuplicateKey {
        /// Behind the closing brace of the object.
        at: usize,
    },
    /// The text ended inside a value, or holds none.
    #[error("unexpected end of input")]
    End {
        /// The length of the text.
        at: usize,
    },
    /// An escape sequence JSON does not know.
    #[error("unknown escape in a string at byte {at}")]
    Escape {
        /// Byte offset of its backslash.
        at: usize,
    },
    /// Something else than the grammar allows.
    #[error("expected {expected} at byte {at}")]
    Expected {
        /// Tokens that the grammar allows here.
        expected: &'static str,
        /// Byte offset of the unexpected token.
        at: usize,
    },
    /// Half of a surrogate pair: such a string is not Unicode text.
    #[error("lone surrogate in a string at byte {at}")]
    LoneSurrogate {
        /// Byte offset of the backslash of its escape.
        at: usize,
    },
    /// A number no double can hold, such as `1e400`.
    #[error("number beyond a double at byte {at}")]
    NumberBeyondDouble {
        /// Where the number starts.
        at: usize,
    },
    /// A Rust value that has no JSON form.
    #[error("value has no JSON form: {message}")]
    Serialize {
        /// The message of its serializer.
        message: Box<str>,
    },
    /// Arrays and objects nested deeper than 128 levels.
    #[error("nesting deeper than 128 levels at byte {at}")]
    TooDeep {
        /// Where the level too many opens.
        at: usize,
    },
    /// Something follows the value.
    #[error("unexpected text after the value at byte {at}")]
    Trailing {
        /// Where it starts.
        at: usize,
    },
    /// The bytes are not UTF-8.
    #[error("invalid UTF-8 at byte {at}")]
    Utf8 {
        /// The first byte that does not belong.
        at: usize,
    },
}

impl JsonError {
    /// Where in the text it went wrong, if a text was read.
    pub fn offset(&self) -> Option<usize> {
        match self {
            Self::Control { at }
            | Self::DuplicateKey { at }
            | Self::End { at }
            | Self::Escape { at }
            | Self::Expected { at, .. }
            | Self::LoneSurrogate { at }
            | Self::NumberBeyondDouble { at }
            | Self::TooDeep { at }
            | Self::Trailing { at }
            | Self::Utf8 { at } => Some(*at),
            Self::Serialize { .. } => None,
        }
    }
}
