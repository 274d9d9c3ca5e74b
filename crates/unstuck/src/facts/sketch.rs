//! Sketches: what makes two calls one call in other words.
//!
//! The arguments of a call are data (a path, an id, a number, a command) or wording (a sentence, a search query). Data
//! says what a call is about: calls with other data are other calls. Wording can be said in many ways. A [`Sketch`]
//! holds a mark for the data and the words of the wording, in a fixed number of bytes.

use serde::{Deserialize, Serialize};

use super::{
    Args,
    cut_query::{CutQuery, CutWord},
};
use crate::{
    fingerprint::{Fingerprinter, Mark},
    vocab::{
        arguments::{Argument, ArgumentRole, Member},
        tools::ToolWords,
    },
    wording::{Comparison, Nature, Reading, pieces},
};
use unstuck_json::{JsonKind, JsonRef, Token};

/// Words kept of a call. A longer wording is sampled: of all its words those with the smallest hashes are kept, which
/// are the same ones in every text that has them.
const WORDS: usize = 48;

/// Half of all words must be the same.
const COMMON: (usize, usize) = (1, 2);

/// One word in common is none.
const FEWEST_COMMON: usize = 2;

/// Where no more words than this were put in the place of others, something else is meant, not said in other words.
const SLOT: usize = 3;

/// Where names were added or left out and no more than this was changed besides, a list is being worked off.
const BESIDES: usize = 2;

/// A wording longer than this is a document, and those are data.
const LONGEST: usize = 4_096;

/// A sentence has at least so many words; what is shorter may be a name.
const SENTENCE: usize = 8;

/// The fewest bytes of so many words in JSON: a letter each, what stands between them, and the quotes.
const SHORTEST: usize = SENTENCE + (SENTENCE - 1) + 2;

/// How many words are looked at to tell a sentence from code, a table or a list of names.
const LOOKED_AT: usize = 64;

/// A call with the words it was put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub(crate) struct Sketch {
    /// Equal where everything but the wording is.
    frame: Mark,
    /// One bit a word, for a first look.
    bits: u64,
    words: [Word; WORDS],
    len: u8,
    wording: Wording,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    frame: Mark,
    words: Vec<Word>,
    wording: Wording,
}

/// What kind of text is put in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Wording {
    /// What is looked for: a name more or less asks for the same.
    #[default]
    Query,
    /// What is to be done, or was: a name more or less is a list that is being worked off.
    Sentence,
}

/// A word by its hash. The lowest bit is set where the word is data: a number, a name, an identifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Word(u32);

/// How two calls compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    Different,
    /// The same sentence about something else.
    Swapped,
    /// The same in other words.
    Reworded,
}

impl Sketch {
    /// The sketch of a call; none where all its arguments are data.
    /// `asked` are the words of its query, if they were cut before.
    pub(crate) fn of(
        prints: &Fingerprinter,
        tool: &str,
        args: &Args<'_>,
        asked: Option<&CutQuery>,
    ) -> Option<Self> {
        let Args {
            whole: args,
            members,
            ..
        } = args;
        let args = *args;
        let asks = args.kind() == JsonKind::String && asks(tool);
        let worded = || match args.kind() {
            // To find the members again is to read all of it again. Queries are recognised by their names.
            JsonKind::Object => {
                members.iter().any(is_worded_query) || members.iter().any(is_worded)
            }
            _ => has_wording(args),
        };
        if !asks && !worded() {
            return None;
        }
        // Room for most calls.
        let mut draft = Draft {
            frame: Vec::with_capacity(128),
            words: Vec::with_capacity(WORDS / 2),
            wording: Wording::default(),
        };
        draft.data(tool);
        match args.kind() {
            _ if asks => draft.wording(args),
            JsonKind::Object => draft.members(members, asked),
            _ => draft.value(args),
        }
        draft.sketch(prints)
    }

    fn new(frame: Mark, words: &[Word], wording: Wording) -> Self {
        let mut kept = [Word::default(); WORDS];
        for (kept, word) in kept.iter_mut().zip(words) {
            *kept = *word;
        }
        Self {
            frame,
            bits: words.iter().fold(0, |bits, word| bits | word.bit()),
            words: kept,
            len: words.len().min(WORDS) as u8,
            wording,
        }
    }

    /// How another call compares to this one.
    pub(crate) fn likeness(&self, other: &Self) -> Likeness {
        if self.wording != other.wording || !self.may_be_like(other) {
            return Likeness::Different;
        }
        let (mine, theirs) = (distinct(self.words()), distinct(other.words()));
        let all = Comparison::of(&theirs, &mine);
        let (part, whole) = COMMON;
        if all.shared < FEWEST_COMMON || all.shared * whole < all.all() * part {
            return Likeness::Different;
        }
        if all.changed() == 0 {
            return Likeness::Reworded;
        }
        let is_data = |word: &&Word| word.is_data();
        let data = Comparison::of(theirs.iter().filter(is_data), mine.iter().filter(is_data));
        let other_data = match self.wording {
            _ if data.gone > 0 && data.fresh > 0 => true,
            Wording::Query => false,
            Wording::Sentence => data.changed() > 0 && all.changed() - data.changed() <= BESIDES,
        };
        if other_data || self.fills_slot(other) {
            Likeness::Swapped
        } else {
            Likeness::Reworded
        }
    }

    fn words(&self) -> &[Word] {
        self.words.get(..usize::from(self.len)).unwrap_or(&[])
    }

    /// A bit that only one of two has is a word that only one has, so this refuses none that is alike: of the words of
    /// both, at most half of those that are left are common.
    pub(crate) fn may_be_like(&self, other: &Self) -> bool {
        if self.frame != other.frame {
            return false;
        }
        let changed = (self.bits ^ other.bits).count_ones() as usize;
        let all = usize::from(self.len) + usize::from(other.len);
        let (part, whole) = COMMON;
        all * (whole - part) >= changed * (whole + part)
    }

    /// Whether the two differ in one place only, and by few words on both sides.
    fn fills_slot(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.words(), other.words());
        let same = |(a, b): &(&Word, &Word)| a == b;
        let front = mine.iter().zip(theirs).take_while(same).count();
        let (mine, theirs) = (&mine[front..], &theirs[front..]);
        let back = mine.iter().rev().zip(theirs.iter().rev());
        let back = back.take_while(same).count();
        let slot = 1..=SLOT;
        slot.contains(&(mine.len() - back)) && slot.contains(&(theirs.len() - back))
    }
}

impl Word {
    fn new(hash: u32, nature: Nature) -> Self {
        Self(match nature {
            Nature::Plain => hash & !1,
            Nature::Name => hash | 1,
        })
    }

    fn is_data(self) -> bool {
        self.0 & 1 == 1
    }

    fn bit(self) -> u64 {
        1 << (self.0 >> 26)
    }
}

/// A sketch in the making.
struct Draft {
    /// The data, and where the wording was.
    frame: Vec<u8>,
    words: Vec<Word>,
    wording: Wording,
}

impl Draft {
    /// Takes the members of an object: the same as [`value`](Self::value) of it, without finding them again.
    fn members(&mut self, members: &[Member<'_>], asked: Option<&CutQuery>) {
        for (place, member) in members.iter().enumerate() {
            self.data(&member.name);
            if let Some(cut) = CutQuery::at(asked, place) {
                self.cut(cut);
            } else if is_worded_query(member) {
                self.wording(member.value);
            } else {
                self.value(member.value);
            }
        }
        self.frame.push(b'}');
    }

    fn value(&mut self, value: JsonRef<'_>) {
        let mut walk = value.walk();
        while let Some(token) = walk.next() {
            match token {
                Token::Open => {}
                Token::Close(bracket) => self.frame.push(bracket),
                Token::Key(name) => {
                    let name = name.text().unwrap_or_default();
                    self.data(&name);
                    if is_query(&name)
                        && let Some(words) = walk.peek_strings(LONGEST)
                    {
                        walk.pass_over(words);
                        self.wording(words);
                    }
                }
                Token::Scalar(value) if is_wording(value) => {
                    self.wording = Wording::Sentence;
                    self.wording(value);
                }
                Token::Scalar(value) => self.data(value.as_str()),
            }
        }
    }

    fn data(&mut self, data: &str) {
        self.frame.extend_from_slice(data.as_bytes());
        // No canonical text holds this byte.
        self.frame.push(0);
    }

    /// Takes the words of a query, cut before.
    fn cut(&mut self, words: &[CutWord]) {
        self.frame.push(1);
        let words = words.iter();
        self.words
            .extend(words.map(|word| Word::new(word.hash, word.nature)));
    }

    /// Takes the words of a string, or of the strings of an array.
    fn wording(&mut self, value: JsonRef<'_>) {
        self.frame.push(1);
        if let Some(text) = value.text() {
            self.words.extend(words_of(&text));
        }
        for text in value.elements().filter_map(JsonRef::text) {
            self.words.extend(words_of(&text));
        }
    }

    fn sketch(mut self, prints: &Fingerprinter) -> Option<Sketch> {
        if self.words.is_empty() {
            return None;
        }
        if self.words.len() > WORDS {
            // What is left out below must not be what tells two targets apart.
            let data = self.words.iter().filter(|word| word.is_data());
            let sum = data.fold(0, |sum: u64, word| sum.wrapping_add(u64::from(word.0)));
            self.frame.extend_from_slice(&sum.to_le_bytes());
            sample(&mut self.words);
        }
        // Compared within one session only.
        let frame = prints.text_mark(&self.frame);
        Some(Sketch::new(frame, &self.words, self.wording))
    }
}

/// Each word once, in order of the hashes.
fn distinct(words: &[Word]) -> Vec<Word> {
    let mut distinct = words.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Keeps the words with the smallest hashes, each where it stood first.
fn sample(words: &mut Vec<Word>) {
    let mut missing = distinct(words);
    missing.truncate(WORDS);
    words.retain(|word| match missing.binary_search(word) {
        Ok(at) => {
            missing.remove(at);
            true
        }
        Err(_) => false,
    });
}

/// Whether a value has words that could be replaced by others.
fn has_wording(value: JsonRef<'_>) -> bool {
    match value.kind() {
        JsonKind::Array | JsonKind::Object => {}
        _ => return is_wording(value),
    }
    let mut walk = value.walk();
    while let Some(token) = walk.next() {
        let is_worded = match token {
            Token::Key(name) => {
                let name = name.text().unwrap_or_default();
                is_query(&name) && walk.peek_strings(LONGEST).is_some()
            }
            Token::Scalar(value) => is_wording(value),
            Token::Open | Token::Close(_) => false,
        };
        if is_worded {
            return true;
        }
    }
    false
}

fn is_worded(member: &Member<'_>) -> bool {
    // Most values are numbers and short words.
    let is_scalar = !matches!(member.value.as_str().as_bytes().first(), Some(b'[' | b'{'));
    (!is_scalar || member.value.as_str().len() >= SHORTEST) && has_wording(member.value)
}

fn is_worded_query(member: &Member<'_>) -> bool {
    member.known.plays(ArgumentRole::Query) && is_words(member.value)
}

/// A string that is not too long, or an array of such.
fn is_words(value: JsonRef<'_>) -> bool {
    value.walk().peek_strings(LONGEST).is_some()
}

fn is_wording(value: JsonRef<'_>) -> bool {
    let raw = value.as_str();
    raw.starts_with('"')
        && (SHORTEST..=LONGEST).contains(&raw.len())
        && may_be_prose(raw)
        && value.text().is_some_and(|text| is_prose(&text))
}

/// Whether arguments of this name are search queries.
fn is_query(name: &str) -> bool {
    Argument::named(name).plays(ArgumentRole::Query)
}

/// Whether the name of a tool that takes only a string says that the string is a query.
fn asks(tool: &str) -> bool {
    ToolWords::of(tool).say(ToolWords::ASKS)
}

/// Whether a string has enough spaces for a sentence, or letters of a script without spaces. Cheaper than [`is_prose`].
fn may_be_prose(raw: &str) -> bool {
    let is_gap = |byte: &u8| *byte == b' ' || *byte >= 0xe2;
    // In blocks whose counts fit in a byte: so it compiles to vector instructions.
    let in_block = |block: &[u8]| block.iter().map(|byte| u8::from(is_gap(byte))).sum::<u8>();
    let mut gaps = 0;
    raw.as_bytes().chunks(64).any(|block| {
        gaps += usize::from(in_block(block));
        gaps >= SENTENCE - 1
    })
}

/// Whether the text has enough words for a sentence, and four fifths of them are plain.
fn is_prose(text: &str) -> bool {
    let (mut all, mut plain) = (0, 0);
    for piece in pieces(text, Reading::Argument).take(LOOKED_AT) {
        all += 1;
        plain += usize::from(piece.is_plain());
    }
    all >= SENTENCE && plain * 5 >= all * 4
}

/// The words of a text, one after the other.
fn words_of(text: &str) -> impl Iterator<Item = Word> {
    pieces(text, Reading::Argument)
        .filter(|piece| !piece.bare.is_empty())
        .map(|piece| {
            let (tag, nature) = piece.tagged();
            Word::new(tag.stirred(), nature)
        })
}

impl From<Sketch> for Stored {
    fn from(sketch: Sketch) -> Self {
        Self {
            frame: sketch.frame,
            words: sketch.words().to_vec(),
            wording: sketch.wording,
        }
    }
}

impl TryFrom<Stored> for Sketch {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        if stored.words.len() > WORDS {
            return Err("a sketch has too many words");
        }
        Ok(Self::new(stored.frame, &stored.words, stored.wording))
    }
}

#[cfg(test)]
#[path = "sketch_tests.rs"]
mod tests;
