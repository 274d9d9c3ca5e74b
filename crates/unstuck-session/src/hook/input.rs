//! The input of a hook, bounded.

use std::io::{self, Read};

use unstuck_hosts::Condenser;

/// Bytes of an input that are kept as they are.
const LARGEST: usize = 32 << 20;

/// The input of a hook.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// As the host wrote it.
    Whole(Vec<u8>),
    /// It was too large: long parts are replaced by digests.
    Outline {
        text: String,
        /// Bytes of the input.
        bytes: u64,
    },
}

impl Input {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Outline { text, .. } => text.as_bytes(),
        }
    }
}

/// Reads to the end: a host may fail when its pipe is closed early. An input that is too large for memory is condensed
/// while it is read, with digests of that key, so that its call is counted all the same.
pub(super) fn read(mut from: impl Read, key: &[u8; 32]) -> io::Result<Input> {
    let mut input = Vec::with_capacity(1 << 13);
    let mut limited = from.by_ref().take(LARGEST as u64 + 1);
    limited.read_to_end(&mut input)?;
    if input.len() <= LARGEST {
        return Ok(Input::Whole(input));
    }
    let mut condenser = Condenser::of_oversized(key);
    let mut bytes = 0;
    loop {
        condenser.feed(&input);
        bytes += input.len() as u64;
        input.clear();
        let mut piece = from.by_ref().take(1 << 20);
        if piece.read_to_end(&mut input)? == 0 {
            let text = condenser.finish();
            return Ok(Input::Outline { text, bytes });
        }
    }
}
