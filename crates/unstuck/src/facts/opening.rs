//! The first words of an output, as they are compared with known phrases.

use crate::{fingerprint::Mark, hash::Tag};

/// What says why a call was refused says so at once; a page that mentions an error further down is not a refusal.
const LONGEST: usize = 320;

/// The start of an output in small letters, without the escapes of JSON.
pub(super) struct Opening {
    bytes: [u8; LONGEST],
    len: usize,
    /// Where words start, a bit for each byte: lists of phrases are looked for there, one after the other.
    starts: [u64; LONGEST / 64],
}

impl Opening {
    pub(super) fn of(canonical: &str) -> Self {
        let mut opening = Self::at_most(LONGEST, canonical);
        let mut before = b' ';
        for (at, byte) in opening.bytes[..opening.len].iter().enumerate() {
            let starts = !std::mem::replace(&mut before, *byte).is_ascii_alphanumeric();
            opening.starts[at / 64] |= u64::from(starts) << (at % 64);
        }
        opening
    }

    /// No more than so many bytes of it.
    pub(super) fn at_most(longest: usize, canonical: &str) -> Self {
        let longest = longest.min(LONGEST);
        let mut opening = Self {
            bytes: [0; LONGEST],
            len: 0,
            starts: [0; LONGEST / 64],
        };
        let mut rest = canonical.as_bytes();
        while opening.len < longest && !rest.is_empty() {
            let near = &rest[..rest.len().min(longest - opening.len)];
            let plain = memchr::memchr(b'\\', near).unwrap_or(near.len());
            opening.push(&near[..plain]);
            rest = &rest[plain..];
            let [b'\\', escaped, after @ ..] = rest else {
                break;
            };
            if opening.len == longest {
                break;
            }
            // What follows a backslash is a quote or a blank; letters of longer escapes do no harm.
            opening.push(match escaped {
                b'n' | b't' | b'r' => b" ",
                _ => std::slice::from_ref(escaped),
            });
            rest = after;
        }
        opening
    }

    /// Adds what there is room for.
    fn push(&mut self, bytes: &[u8]) {
        let room = &mut self.bytes[self.len..self.len + bytes.len()];
        room.copy_from_slice(bytes);
        room.make_ascii_lowercase();
        self.len += bytes.len();
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The first bytes of it.
    pub(super) fn first(&self, bytes: usize) -> &[u8] {
        &self.bytes[..self.len.min(bytes)]
    }

    /// Whether it has one of these phrases, from the start of a word on.
    pub(super) fn says(&self, phrases: &Phrases) -> bool {
        let bytes = self.as_bytes();
        let mut blocks = self.starts.iter().enumerate();
        blocks.any(|(block, starts)| {
            let mut left = *starts;
            while left != 0 {
                let at = block * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                if phrases.starts[usize::from(bytes[at])] && phrases.begin(&bytes[at..]) {
                    return true;
                }
            }
            false
        })
    }

    /// Equal for openings that differ in numbers alone, and in what follows `end`.
    pub(super) fn mark(&self, ends: &[&str]) -> Mark {
        let bytes = self.as_bytes();
        let end = ends
            .iter()
            .filter_map(|end| find(bytes, end.as_bytes()))
            .min();
        let bytes = &bytes[..end.unwrap_or(bytes.len())];
        Mark::from(Tag::of(
            bytes.iter().copied().filter(|byte| !byte.is_ascii_digit()),
        ))
    }
}

/// Phrases to look for, in small letters.
pub(super) struct Phrases {
    list: &'static [&'static str],
    /// Looked up by a byte: does one of them start with it? Most words start none.
    starts: [bool; 256],
}

impl Phrases {
    pub(super) const fn new(list: &'static [&'static str]) -> Self {
        let mut starts = [false; 256];
        let mut at = 0;
        while at < list.len() {
            starts[list[at].as_bytes()[0] as usize] = true;
            at += 1;
        }
        Self { list, starts }
    }

    /// Whether the bytes have one of them, from the start of a word on.
    pub(super) fn are_in(&self, bytes: &[u8]) -> bool {
        if let [only] = self.list
            && memchr::memmem::find(bytes, only.as_bytes()).is_none()
        {
            return false;
        }
        let mut before = b' ';
        bytes.iter().enumerate().any(|(at, &byte)| {
            let starts = !std::mem::replace(&mut before, byte).is_ascii_alphanumeric();
            starts && self.starts[usize::from(byte)] && self.begin(&bytes[at..])
        })
    }

    /// Whether one of them stands there as whole words, where `wanted` accepts the bytes before it. A name
    /// such as `running.log`, `is_running` or `/pending/` is another word.
    pub(super) fn are_words_in(&self, bytes: &[u8], wanted: impl Fn(&[u8]) -> bool) -> bool {
        bytes.iter().enumerate().any(|(at, &byte)| {
            self.starts[usize::from(byte)]
                && self.list.iter().any(|phrase| {
                    let (before, rest) = bytes.split_at(at);
                    let Some(after) = rest.strip_prefix(phrase.as_bytes()) else {
                        return false;
                    };
                    !joins(before.iter().rev()) && !joins(after.iter()) && wanted(before)
                })
        })
    }

    /// Whether the bytes begin with one of them.
    pub(super) fn begin(&self, bytes: &[u8]) -> bool {
        // A look at two letters spares most calls to compare the rest.
        let head = bytes.first_chunk::<2>();
        self.list.iter().any(|phrase| {
            let phrase = phrase.as_bytes();
            let may_be = phrase.first_chunk::<2>() == head || phrase.len() < 2;
            may_be && bytes.starts_with(phrase)
        })
    }

    /// Whether the bytes end in one of them.
    pub(super) fn end(&self, bytes: &[u8]) -> bool {
        self.list
            .iter()
            .any(|phrase| bytes.ends_with(phrase.as_bytes()))
    }
}

/// Whether the bytes on one side of a word, the nearest first, make it part of a longer one or of a name.
fn joins<'a>(mut nearest: impl Iterator<Item = &'a u8>) -> bool {
    match nearest.next() {
        Some(b'_' | b'-' | b'/' | b'\\') => true,
        // The end of a sentence is not a file's ending.
        Some(b'.') => nearest.next().is_some_and(u8::is_ascii_alphanumeric),
        Some(byte) => byte.is_ascii_alphanumeric(),
        None => false,
    }
}

pub(super) fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, word).filter(|_| !word.is_empty())
}
