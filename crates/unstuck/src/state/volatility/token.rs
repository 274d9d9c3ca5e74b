//! The tokens of an answer: words, numbers, identifiers.

use crate::hash::Tag;

/// A run of letters and digits, and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) start: usize,
    pub(super) bytes: &'a [u8],
}

/// Class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Word,
    Number,
    /// Numbers with something between them: a decimal, a version, a range.
    Measure,
    /// Letters and digits.
    Mixed,
}

/// Every token of canonical text, in order.
pub(super) fn tokens(bytes: &[u8]) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            match bytes.get(at)? {
                // What follows belongs to the escape. The four digits of `\u00xx` are not useful as a token either.
                b'\\' if bytes.get(at + 1) == Some(&b'u') => at += 6,
                b'\\' => at += 2,
                byte if is_inner(*byte) => break,
                _ => at += 1,
            }
        }
        let start = at;
        while let Some(byte) = bytes.get(at)
            && (is_inner(*byte) || joins(bytes, at))
        {
            at += 1;
        }
        bytes.get(start..at).map(|bytes| Token { start, bytes })
    })
}

/// A sign that may stand inside a token.
fn is_sign(byte: u8) -> bool {
    matches!(byte, b'.' | b'-' | b'_')
}

fn is_inner(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Signs that hold a token together where they stand inside one.
fn joins(bytes: &[u8], at: usize) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let inner = |byte: Option<&u8>| byte.is_some_and(|byte| is_inner(*byte));
    let (before, after) = (
        at.checked_sub(1).and_then(|at| bytes.get(at)),
        bytes.get(at + 1),
    );
    match bytes.get(at) {
        Some(b'.') => digit(before) && digit(after),
        Some(b'-' | b'_') => inner(before) && inner(after),
        _ => false,
    }
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    pub(super) fn hash(&self) -> u32 {
        Tag::of(self.bytes.iter().copied()).folded()
    }

    /// The same for tokens that differ in digits only.
    pub(super) fn letters(&self) -> u32 {
        let letters = self.bytes.iter().filter(|byte| !byte.is_ascii_digit());
        Tag::of(letters.copied()).folded()
    }

    pub(super) fn sort(&self) -> Sort {
        let digits = self
            .bytes
            .iter()
            .filter(|byte| byte.is_ascii_digit())
            .count();
        let signs = self.bytes.iter().filter(|byte| is_sign(**byte)).count();
        match self.bytes.len() - digits - signs {
            _ if digits == 0 => Sort::Word,
            0 if signs == 0 => Sort::Number,
            0 => Sort::Measure,
            _ => Sort::Mixed,
        }
    }

    /// The value of a number that is not too long.
    pub(super) fn number(&self) -> Option<u64> {
        std::str::from_utf8(self.bytes).ok()?.parse().ok()
    }

    /// Whether letters and digits alternate too often for a name with a number.
    pub(super) fn looks_drawn(&self) -> bool {
        let class = |byte: u8| match byte {
            b'0'..=b'9' => 0_u8,
            b'a'..=b'z' => 1,
            _ => 2,
        };
        let inner = |byte: &&u8| !is_sign(**byte);
        let pairs = self
            .bytes
            .iter()
            .filter(inner)
            .zip(self.bytes.iter().filter(inner).skip(1));
        let changes = pairs.filter(|(one, next)| class(**one) != class(**next));
        // `1h20m5s` is a time, and so is `3d04h`.
        let more_than_time = self.bytes.iter().any(|byte| {
            byte.is_ascii_alphabetic() && !b"dhmnsuw".contains(&byte.to_ascii_lowercase())
        });
        let plain = self
            .bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        plain && self.sort() == Sort::Mixed && more_than_time && changes.count() >= 2
    }
}
