//! One sentence in other words, again and again.
//!
//! A sentence is compared with the last few as a set of words: `The failing test must be fixed` says what `I will fix the
//! test that fails` says. A report says something similar of one thing after another, in one form: sentences of one form
//! that differ in a word are not the same.

use serde::{Deserialize, Serialize};

use crate::{
    event::Line,
    fingerprint::Mark,
    memory::Last,
    vocab::common_words::IN_SENTENCES,
    wording::{Comparison, StreamedWord, stem_of},
};

/// Number of sentences that are remembered, besides the one that has just ended.
const REMEMBERED: usize = 14;

/// Number of sentences among them with the same meaning that are reported.
const ALIKE: u32 = 7;

/// Minimum number of telling words in a sentence that is compared.
const FEWEST_WORDS: usize = 3;

/// Telling words kept of a sentence, and pairs of neighbouring words.
const MOST_WORDS: usize = 16;

/// Stems that say little about the subject. Words of three letters and less are left out in any case.
const FUNCTION_WORDS: [u32; 55] = {
    let mut stems = [0; 55];
    let mut at = 0;
    while at < IN_SENTENCES.len() {
        stems[at] = stem_of(IN_SENTENCES[at]);
        at += 1;
    }
    stems
};

/// Looks for sentences that say the same.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Sentences {
    remembered: Last<Sentence, REMEMBERED>,
    draft: Sentence,
    before: u32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Sentence {
    /// Stems of its telling words, in order.
    words: Vec<u16>,
    /// Pairs of neighbouring words, in order: its form.
    pairs: Vec<u16>,
    /// Names of things in it: files, functions, keys. Sentences about other things say something else.
    names: u32,
    start: Option<u64>,
    from: Line,
}

/// Sentences that say the same.
#[derive(Clone, Debug)]
pub(super) struct SameSentences {
    pub(super) key: Mark,
    pub(super) count: u32,
    pub(super) from: Line,
    /// The positions at which the first and the last of them began.
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Sentences {
    /// Begins a word.
    pub(super) fn begin(&mut self, position: u64, line: Line) {
        if self.draft.start.is_none() {
            self.draft.start = Some(position);
            self.draft.from = line;
        }
    }

    /// Ends a word.
    pub(super) fn word(&mut self, word: &StreamedWord) {
        let draft = &mut self.draft;
        let mut form = word.hash;
        if word.is_name() {
            draft.names = draft.names.wrapping_add(word.hash);
        } else if word.is_number() {
            form = 0;
        } else if let Some(stem) = word.stem().filter(|stem| !FUNCTION_WORDS.contains(stem)) {
            keep(&mut draft.words, fold(stem));
        }
        if self.before != 0 {
            keep(&mut draft.pairs, fold(self.before.rotate_left(7) ^ form));
        }
        self.before = form | 1;
    }

    /// Ends a sentence.
    pub(super) fn end(&mut self) -> Option<SameSentences> {
        self.before = 0;
        let sentence = std::mem::take(&mut self.draft);
        if sentence.words.len() < FEWEST_WORDS {
            return None;
        }
        let mut alike = self.remembered.iter().filter(|other| sentence.says(other));
        let first = alike
            .next()
            .map(|first| (first.start.unwrap_or(0), first.from));
        let count = 1 + u32::from(first.is_some()) + alike.count() as u32;
        let key = Mark(u64::from(sentence.words[0])).join(Mark(0x5a1d));
        let last = sentence.start.unwrap_or(0);
        self.remembered.push(sentence);
        let (first, from) = first.filter(|_| count >= ALIKE)?;
        Some(SameSentences {
            key,
            count,
            from,
            first,
            last,
        })
    }

    /// Forgets the sentences so far, because they were reported.
    pub(super) fn restart(&mut self) {
        self.remembered.clear();
    }
}

impl Sentence {
    /// Whether two sentences have half of their telling words in common, and not one form. Equal sentences have one form:
    /// they are for passages and periods, which know how much text it takes.
    fn says(&self, other: &Self) -> bool {
        let words = Comparison::of(&self.words, &other.words);
        self.names == other.names
            && words.shared >= FEWEST_WORDS
            && words.shared >= words.changed()
            && !self.has_form_of(other)
    }

    /// Whether half of the pairs of words of the shorter one are in the other.
    fn has_form_of(&self, other: &Self) -> bool {
        let pairs = Comparison::of(&self.pairs, &other.pairs);
        pairs.shared * 2 >= self.pairs.len().min(other.pairs.len())
    }
}

fn fold(hash: u32) -> u16 {
    (hash ^ (hash >> 16)) as u16
}

/// Adds to a set that is kept in order, until it is full.
fn keep(set: &mut Vec<u16>, item: u16) {
    if let Err(at) = set.binary_search(&item)
        && set.len() < MOST_WORDS
    {
        set.insert(at, item);
    }
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
