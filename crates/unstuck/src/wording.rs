//! Words: how a text is cut into them, which of them are names, and what two texts have in common.
//!
//! Five callers detect rephrasings: sketches of calls, queries, messages to other agents, and passages and sentences of a
//! model's text. They split and compare texts with this module; each has thresholds of its own.

use std::mem;

use serde::{Deserialize, Serialize};

use crate::hash::{Tag, add_short};

/// How a text is split into words. The thresholds of decisions are tuned for these differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// An argument of a call, in any language. Only what is made of letters alone can be a plain word, because arguments
    /// hold identifiers, and a capital inside a word makes it a name. A capital letter alone is not a name.
    Argument,
    /// A message to another agent. Words are separated by spaces, and only digits, signs of paths and capitals
    /// make one a name: people write `can't` and `and/or`.
    Message,
}

/// A word, or what stands in the place of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextWord<'a> {
    /// Without the signs around it; empty where there is nothing else.
    pub(crate) bare: &'a str,
    part: SentencePart,
    reading: Reading,
    letters: Letters,
}

/// What a word consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    /// Small letters of ASCII alone: it is plain, and compared as it is.
    Small,
    Any,
}

/// Role of a word in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    /// It names the subject: a number, an identifier, a name.
    Name,
    /// It can be replaced by another word.
    Plain,
}

/// Position of a word in its sentence. The first word has a capital in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SentencePart {
    Opening,
    Later,
}

/// The words of a text, one after the other, and signs that stand alone.
pub(crate) fn pieces(text: &str, reading: Reading) -> impl Iterator<Item = TextWord<'_>> {
    let mut next = SentencePart::Opening;
    let mut rest = text;
    // What is left of the run that is being split.
    let mut run = "";
    std::iter::from_fn(move || {
        if run.is_empty() {
            let letters;
            (run, letters, rest) = next_run(rest)?;
            if letters == Letters::Small {
                // Fast path for the most common case, with the same result.
                return Some(TextWord {
                    bare: mem::take(&mut run),
                    part: mem::replace(&mut next, SentencePart::Later),
                    reading,
                    letters,
                });
            }
        }
        let (piece, after) = split(run, reading);
        run = after;
        let after = if reading.ends_sentence(piece) {
            SentencePart::Opening
        } else {
            SentencePart::Later
        };
        let bare = reading.bare(piece);
        Some(TextWord {
            bare,
            part: mem::replace(&mut next, after),
            reading,
            letters: if !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_lowercase()) {
                Letters::Small
            } else {
                Letters::Any
            },
        })
    })
}

/// Kinds of bytes, as far as runs need to tell them apart. Each is a bit.
const SMALL: u8 = 1;
const SPACE: u8 = 1 << 1;
const FOREIGN: u8 = 1 << 2;

/// The kind of each byte; zero for other bytes of ASCII.
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => SMALL,
            b'\t'..=b'\r' | b' ' => SPACE,
            0x80.. => FOREIGN,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// The text up to the next space, what it consists of, and the text behind it. Cuts where [`str::split_whitespace`] does,
/// in fewer steps for ASCII.
fn next_run(text: &str) -> Option<(&str, Letters, &str)> {
    let kind = |byte: u8| KINDS[usize::from(byte)];
    let start = text.bytes().position(|byte| kind(byte) != SPACE)?;
    let mut rest = &text[start..];
    if kind(rest.as_bytes()[0]) == FOREIGN {
        rest = rest.trim_start();
    }
    let bytes = rest.as_bytes();
    let mut end = 0;
    let mut all = SMALL;
    while let Some(byte) = bytes.get(end)
        && kind(*byte) & (SPACE | FOREIGN) == 0
    {
        all &= kind(*byte);
        end += 1;
    }
    if bytes.get(end).is_some_and(|byte| kind(*byte) == FOREIGN) {
        let space = rest[end..].find(char::is_whitespace);
        end = space.map_or(rest.len(), |space| end + space);
        all = 0;
    }
    let (run, after) = rest.split_at(end);
    let letters = match all {
        SMALL => Letters::Small,
        _ => Letters::Any,
    };
    (!run.is_empty()).then_some((run, letters, after))
}

/// The first piece of what stands between spaces, and the rest: a character by itself in writing that has none.
fn split(run: &str, reading: Reading) -> (&str, &str) {
    let end = match reading {
        Reading::Message => run.len(),
        Reading::Argument if run.is_ascii() => run.len(),
        Reading::Argument => match run.find(is_ideograph) {
            Some(0) => run.chars().next().map_or(run.len(), char::len_utf8),
            Some(ideograph) => ideograph,
            None => run.len(),
        },
    };
    run.split_at(end)
}

/// Chinese and Japanese are written without spaces.
fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

impl Reading {
    fn ends_sentence(self, piece: &str) -> bool {
        match piece.as_bytes().last() {
            Some(b'.' | b'!' | b'?' | b':' | b';') => true,
            Some(last) => !last.is_ascii() && self == Self::Argument && piece.ends_with('。'),
            None => false,
        }
    }

    /// A piece without the signs around it.
    fn bare(self, piece: &str) -> &str {
        // Most words are plain, and need no look at what kinds of characters there are.
        let is_plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        if is_plain(piece.as_bytes().first()) && is_plain(piece.as_bytes().last()) {
            return piece;
        }
        piece.trim_matches(|sign| self.is_edge(sign))
    }

    /// Whether a character is punctuation around a word.
    fn is_edge(self, sign: char) -> bool {
        match self {
            Self::Argument => {
                sign.is_ascii_punctuation() || matches!(sign, '“' | '”' | '‘' | '’' | '…' | '—')
            }
            Self::Message => !sign.is_alphanumeric(),
        }
    }
}

impl TextWord<'_> {
    /// Whether it consists of small letters of ASCII alone.
    pub(crate) fn is_small(self) -> bool {
        self.letters == Letters::Small
    }

    /// Whether it consists of letters alone.
    pub(crate) fn is_plain(self) -> bool {
        if self.letters == Letters::Small {
            return true;
        }
        if self.bare.is_ascii() {
            let is_letter = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'\'');
            return !self.bare.is_empty() && self.bare.bytes().all(is_letter);
        }
        let is_letter = |sign: char| sign.is_alphabetic() || matches!(sign, '-' | '\'' | '’');
        !self.bare.is_empty() && self.bare.chars().all(is_letter)
    }

    /// The word as it is compared, and whether it is a name.
    pub(crate) fn tagged(self) -> (Tag, Nature) {
        if self.letters == Letters::Small {
            // Fast path for the most common case, with the same result.
            let word = match self.reading {
                Reading::Argument => self.singular(),
                Reading::Message => self.bare,
            };
            return (Tag::of(word.bytes()), Nature::Plain);
        }
        let nature = self.nature();
        let tag = match (self.reading, nature) {
            // Of ASCII, bytes and characters have the same tags.
            (Reading::Argument, Nature::Name) if self.bare.is_ascii() => Tag::of(self.bare.bytes()),
            (Reading::Argument, Nature::Name) => Tag::EMPTY.and(self.bare.chars()),
            // Small and capital letters are one, and so are one and many of a thing.
            (Reading::Argument, Nature::Plain) => {
                let singular = self.singular();
                if singular.is_ascii() {
                    Tag::of(singular.bytes().map(|byte| byte.to_ascii_lowercase()))
                } else {
                    Tag::EMPTY.and(singular.chars().flat_map(char::to_lowercase))
                }
            }
            (Reading::Message, _) => {
                Tag::of(self.bare.bytes().map(|byte| byte.to_ascii_lowercase()))
            }
        };
        (tag, nature)
    }

    /// The word without the ending of a plural.
    fn singular(&self) -> &str {
        match self.bare.strip_suffix('s') {
            Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
            _ => self.bare,
        }
    }

    fn nature(self) -> Nature {
        let mut signs = self.bare.chars();
        let capital =
            signs.next().is_some_and(char::is_uppercase) && self.part == SentencePart::Later;
        let is_name = match self.reading {
            Reading::Argument => {
                let rest = signs.as_str();
                let has_capital = if rest.is_ascii() {
                    rest.bytes().any(|byte| byte.is_ascii_uppercase())
                } else {
                    rest.chars().any(char::is_uppercase)
                };
                (capital && !rest.is_empty()) || has_capital || !self.is_plain()
            }
            Reading::Message => {
                let is_of_name = |sign: char| sign.is_ascii_digit() || "_/.".contains(sign);
                capital || self.bare.contains(is_of_name)
            }
        };
        if is_name { Nature::Name } else { Nature::Plain }
    }
}

/// A word of a text that streams in, letter by letter: it may be cut anywhere, so nothing is known of what follows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct StreamedWord {
    pub(crate) hash: u32,
    pub(crate) last: Option<char>,
    /// The hash of its first letters.
    stem: u32,
    /// Number of letters and digits, up to 255.
    length: u8,
    letters: bool,
    digits: bool,
    named: bool,
}

/// Letters of a word that tell its forms from other words: `fails`, `failed` and `failing` have one stem.
const STEM: u8 = 4;

/// Words with fewer letters have no stem: most of them say little.
const SHORTEST_STEM: u8 = 4;

/// The stem of a word of ASCII letters, as [`StreamedWord::stem`] has it.
pub(crate) const fn stem_of(word: &str) -> u32 {
    let letters = word.as_bytes();
    let (mut hash, mut at) = (0, 0);
    while at < letters.len() && at < STEM as usize {
        hash = add_letter(hash, letters[at] as char);
        at += 1;
    }
    hash
}

const fn add_letter(hash: u32, letter: char) -> u32 {
    add_short(hash, letter).rotate_left(5)
}

impl StreamedWord {
    /// Takes the next letter or sign. Signs are not hashed.
    #[inline]
    pub(crate) fn push(&mut self, sign: char) {
        if !sign.is_ascii_lowercase() {
            return self.push_any(sign);
        }
        // Fast path for the most common case, with the same result.
        self.named |= self.is_joined();
        self.letters = true;
        self.add(sign);
        self.last = Some(sign);
    }

    fn push_any(&mut self, sign: char) {
        if sign.is_alphanumeric() {
            let camel = sign.is_uppercase() && self.last.is_some_and(char::is_lowercase);
            self.named |= (self.is_joined() && sign.is_alphabetic()) || camel;
            self.letters |= sign.is_alphabetic();
            self.digits |= sign.is_numeric();
            self.add(if sign.is_ascii() {
                sign.to_ascii_lowercase()
            } else {
                sign.to_lowercase().next().unwrap_or(sign)
            });
        } else {
            let inner = self.last.is_some_and(char::is_alphanumeric);
            self.named |= matches!(sign, '`' | '\\') || (inner && matches!(sign, '_' | '/'));
        }
        self.last = Some(sign);
    }

    /// Whether a sign joins the next letter to those before, as in `a.b` and `a::b`.
    fn is_joined(&self) -> bool {
        matches!(self.last, Some('.' | ':')) && !self.is_empty()
    }

    fn add(&mut self, letter: char) {
        self.hash = add_letter(self.hash, letter);
        if self.length < STEM {
            self.stem = self.hash;
        }
        self.length = self.length.saturating_add(1);
    }

    /// The beginning of a word that is long enough to say something.
    pub(crate) fn stem(&self) -> Option<u32> {
        (self.letters && self.length >= SHORTEST_STEM).then_some(self.stem)
    }

    /// Whether it consists of digits and signs.
    pub(crate) fn is_number(&self) -> bool {
        self.digits && !self.letters
    }

    /// Whether it has neither letters nor digits.
    pub(crate) fn is_empty(&self) -> bool {
        !self.letters && !self.digits
    }

    /// Whether it names a file, a function or a key. Capitals are ignored, because every sentence begins with one.
    pub(crate) fn is_name(&self) -> bool {
        self.named || (self.letters && self.digits)
    }
}

/// Comparison of two sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub(crate) shared: usize,
    /// Only in the later one.
    pub(crate) fresh: usize,
    /// Only in the earlier one.
    pub(crate) gone: usize,
}

impl Comparison {
    /// Compares two sets that are given in order.
    pub(crate) fn of<T: Ord>(
        later: impl IntoIterator<Item = T>,
        earlier: impl IntoIterator<Item = T>,
    ) -> Self {
        Self::of_smallest(usize::MAX, later, earlier)
    }

    /// The same for the `most` smallest items that either has. Where sets are samples of the smallest, what lies beyond
    /// was left out of one and not of the other.
    pub(crate) fn of_smallest<T: Ord>(
        most: usize,
        later: impl IntoIterator<Item = T>,
        earlier: impl IntoIterator<Item = T>,
    ) -> Self {
        let (mut later, mut earlier) =
            (later.into_iter().peekable(), earlier.into_iter().peekable());
        let mut comparison = Self::default();
        while comparison.all() < most {
            match (later.peek(), earlier.peek()) {
                (None, None) => break,
                (Some(one), Some(other)) if one == other => {
                    comparison.shared += 1;
                    later.next();
                    earlier.next();
                }
                (Some(one), other) if other.is_none_or(|other| one < other) => {
                    comparison.fresh += 1;
                    later.next();
                }
                _ => {
                    comparison.gone += 1;
                    earlier.next();
                }
            }
        }
        comparison
    }

    pub(crate) fn all(&self) -> usize {
        self.shared + self.changed()
    }

    /// How many are in one only.
    pub(crate) fn changed(&self) -> usize {
        self.fresh + self.gone
    }
}

/// Adds to a set that is kept in order and holds the `most` smallest only: an even sample where hashes are kept.
pub(crate) fn keep_smallest<T: Ord>(kept: &mut Vec<T>, item: T, most: usize) {
    if let Err(at) = kept.binary_search(&item)
        && at < most
    {
        kept.truncate(most - 1);
        kept.insert(at, item);
    }
}

#[cfg(test)]
#[path = "wording_tests.rs"]
mod tests;
