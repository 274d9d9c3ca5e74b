//! Near repetition: passages with almost the same words.

use serde::{Deserialize, Serialize};

use super::{prose::Sign, sentences::Sentences};
use crate::{
    event::Line,
    fingerprint::Mark,
    memory::Last,
    wording::{Comparison, StreamedWord, keep_smallest},
};

/// Minimum length of a passage in letters: shorter ones repeat by chance, and are joined with the next sentence.
pub(super) const SHORTEST: u32 = 60;

/// Maximum length of a passage in letters.
const LONGEST: u32 = 1_000;

/// Number of passages that are remembered, besides the one that has just ended.
const REMEMBERED: usize = 15;

/// Number of similar passages among them that are reported.
pub(super) const ALIKE: u32 = 4;

/// Word triples kept of a passage: all of a sentence, a sample of a paragraph.
const TRIPLES: usize = 32;

/// Minimum number of triples for a comparison.
const FEWEST_TRIPLES: usize = 6;

/// Looks for passages that are alike.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Passages {
    remembered: Last<Passage, REMEMBERED>,
    draft: OpenPassage,
    sentences: Sentences,
}

/// A passage that ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Passage {
    /// The smallest hashes of its word triples, in order.
    triples: Vec<u16>,
    /// Names of things in it: files, functions, keys. Passages about other things are other passages.
    names: u32,
    start: u64,
    from: Line,
}

/// The passage that is being read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct OpenPassage {
    triples: Vec<u16>,
    names: u32,
    letters: u32,
    start: u64,
    from: Line,
    word: StreamedWord,
    before: [u32; 2],
    words: u32,
}

/// Passages that are alike.
#[derive(Clone, Debug)]
pub(super) struct SimilarPassages {
    pub(super) key: Mark,
    pub(super) count: u32,
    /// Whether they are sentences that say the same in other words.
    pub(super) reworded: bool,
    pub(super) from: Line,
    /// The positions at which the first and the last of them began.
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Passages {
    #[inline]
    pub(super) fn read(
        &mut self,
        sign: Sign,
        position: u64,
        line: Line,
    ) -> Option<SimilarPassages> {
        match sign {
            Sign::Letter(letter) => {
                let draft = &mut self.draft;
                if draft.letters == 0 {
                    draft.start = position;
                    draft.from = line;
                }
                if draft.word.last.is_none() {
                    self.sentences.begin(position, line);
                }
                draft.letters += 1;
                draft.word.push(letter);
                None
            }
            Sign::Gap => self.gap(),
            Sign::LineEnd | Sign::Block(_) => {
                self.draft.end_word(&mut self.sentences);
                let reworded = self.end_sentence();
                self.end().or(reworded)
            }
        }
    }

    fn end_sentence(&mut self) -> Option<SimilarPassages> {
        let found = self.sentences.end()?;
        Some(SimilarPassages {
            key: found.key,
            count: found.count,
            reworded: true,
            from: found.from,
            first: found.first,
            last: found.last,
        })
    }

    fn gap(&mut self) -> Option<SimilarPassages> {
        let sentence_ends = matches!(self.draft.word.last, Some('.' | '!' | '?'));
        self.draft.end_word(&mut self.sentences);
        let reworded = if sentence_ends {
            self.end_sentence()
        } else {
            None
        };
        self.draft.letters += u32::from(self.draft.letters > 0);
        let long = self.draft.letters >= SHORTEST;
        let ended = (long && sentence_ends) || self.draft.letters >= LONGEST;
        let alike = if ended { self.end() } else { None };
        alike.or(reworded)
    }

    /// Forgets the passages so far, because they were reported.
    pub(super) fn restart(&mut self) {
        self.remembered.clear();
        self.sentences.restart();
    }

    fn end(&mut self) -> Option<SimilarPassages> {
        let draft = std::mem::take(&mut self.draft);
        if draft.letters < SHORTEST || draft.triples.len() < FEWEST_TRIPLES {
            return None;
        }
        let passage = Passage {
            triples: draft.triples,
            names: draft.names,
            start: draft.start,
            from: draft.from,
        };
        let mut alike = self
            .remembered
            .iter()
            .filter(|other| passage.is_like(other));
        let first = alike.next().map(|first| (first.start, first.from));
        let count = 1 + u32::from(first.is_some()) + alike.count() as u32;
        let smallest = passage.triples.first().copied().unwrap_or(0);
        self.remembered.push(passage);
        match first {
            Some((first, from)) if count >= ALIKE => Some(SimilarPassages {
                key: Mark(u64::from(smallest)).join(Mark(0x9a55)),
                count: ALIKE,
                reworded: false,
                from,
                first,
                last: draft.start,
            }),
            _ => None,
        }
    }
}

impl Passage {
    /// Whether the two share four fifths of their word triples.
    fn is_like(&self, other: &Self) -> bool {
        if self.names != other.names {
            return false;
        }
        let common = Comparison::of_smallest(TRIPLES, &self.triples, &other.triples);
        common.shared * 5 >= common.all() * 4
    }
}

impl OpenPassage {
    fn end_word(&mut self, sentences: &mut Sentences) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        sentences.word(&word);
        if word.is_name() {
            self.names = self.names.wrapping_add(word.hash);
        }
        self.words += 1;
        if self.words >= 3 {
            let [first, second] = self.before;
            let triple =
                Mark(u64::from(first) << 32 | u64::from(second)).join(Mark(word.hash.into()));
            keep_smallest(&mut self.triples, triple.0 as u16, TRIPLES);
        }
        self.before = [self.before[1], word.hash];
    }
}

#[cfg(test)]
#[path = "passages_tests.rs"]
mod tests;
