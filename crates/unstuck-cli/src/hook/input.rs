//! The input of a hook, bounded.

use std::io::{self, Read};

/// More than this is not looked at.
const LARGEST: usize = 32 << 20;

/// Why there is no input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoInput {
    TooLarge(u64),
    Unreadable(String),
}

impl std::fmt::Display for NoInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge(bytes) => write!(
                f,
                "the hook input has {bytes} bytes, and at most {LARGEST} are looked at"
            ),
            Self::Unreadable(why) => write!(f, "the hook input cannot be read: {why}"),
        }
    }
}

/// Reads to the end. What is too much is read as well and thrown away: a host may fail when its pipe is closed early.
pub(super) fn read(mut from: impl Read) -> Result<Vec<u8>, NoInput> {
    let unreadable = |error: io::Error| NoInput::Unreadable(error.to_string());
    let mut input = Vec::with_capacity(1 << 13);
    let mut limited = from.by_ref().take(LARGEST as u64 + 1);
    limited.read_to_end(&mut input).map_err(unreadable)?;
    if input.len() <= LARGEST {
        return Ok(input);
    }
    let rest = io::copy(&mut from, &mut io::sink()).map_err(unreadable)?;
    Err(NoInput::TooLarge(input.len() as u64 + rest))
}
