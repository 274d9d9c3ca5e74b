//! What a call asks, as far as it asks in words.

use serde::{Deserialize, Serialize};

use super::{
    CallView,
    cut_query::{CutQuery, CutWord},
};
use crate::{
    fingerprint::Mark,
    hash::Tag,
    vocab::{
        arguments::{ArgumentRole, Member},
        common_words::is_common_in_questions,
        tools::ToolWords,
    },
    wording::{Reading, pieces},
};
use unstuck_json::{JsonKind, JsonRef};

/// Words that are kept of a question. A longer text is a document.
const WORDS: usize = 24;

/// Bytes of the longest question.
const LONGEST: usize = 600;

/// A question of fewer words is a name.
const FEWEST: usize = 2;

/// A question to a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Query {
    /// The tool, and what is asked for beside the words.
    pub(crate) of: Mark,
    /// The numbers and switches beside the words: how much is wanted, and which part of it.
    amounts: Mark,
    /// Hashes of the different words, in the order of the text.
    words: Vec<u32>,
}

/// How two questions to one tool compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// The same, in the same or in other words.
    Alike,
    /// Something else, or the same about something else.
    Otherwise,
}

impl Query {
    /// The question that a call asks, if it asks in words.
    pub(crate) fn of(view: &CallView<'_>) -> Option<Self> {
        if view.command.is_some() {
            return None;
        }
        of(view)
    }

    /// Compares this question with an earlier one. They are alike if at least half of the words of either are shared, unless
    /// each has words of its own between shared words in the same order: that is one question about two things.
    pub(crate) fn compare(&self, earlier: &Self) -> Asks {
        // The same words with another number are the next page.
        let next_page = self.words == earlier.words && self.amounts != earlier.amounts;
        if self.of != earlier.of || next_page {
            return Asks::Otherwise;
        }
        let in_both = |words: &[u32], others: &[u32]| -> Vec<u32> {
            let shared = words.iter().filter(|word| others.contains(word));
            shared.copied().collect()
        };
        let mine = in_both(&self.words, &earlier.words);
        let longest = self.words.len().max(earlier.words.len());
        if mine.len() < FEWEST || mine.len() * 2 < longest {
            return Asks::Otherwise;
        }
        let both_have_others = mine.len() < self.words.len() && mine.len() < earlier.words.len();
        if both_have_others && mine == in_both(&earlier.words, &self.words) {
            return Asks::Otherwise;
        }
        Asks::Alike
    }
}

fn of(view: &CallView<'_>) -> Option<Query> {
    let args = &view.args;
    let asks = view.words.say(ToolWords::ASKS);
    let is_query = |member: &&Member<'_>| {
        let value = member.value;
        let is_named = member.known.plays(ArgumentRole::Query);
        (is_named || (asks && is_sentence(value))) && has_words(value)
    };
    let members = || args.members.iter();
    let mut words = QueryWords::default();
    if args.whole.kind() == JsonKind::Object {
        for (place, member) in members().enumerate() {
            if !is_query(&member) {
                continue;
            }
            match CutQuery::at(view.asked.as_ref(), place) {
                Some(cut) => words.add_cut(cut),
                None => words.add(member.value),
            }
        }
    } else if asks && has_words(args.whole) {
        words.add(args.whole);
    }
    // Most calls ask nothing, and to hash what they are given takes time for each byte of it.
    if words.len < FEWEST {
        return None;
    }
    let mut query = Query {
        of: Mark::from(view.tool),
        amounts: Mark::default(),
        words: words.hashes[..words.len].to_vec(),
    };
    for member in members().filter(|member| !is_query(member)) {
        let value = Mark::of_data(member.value.as_str());
        let part = match member.value.kind() {
            JsonKind::String | JsonKind::Array | JsonKind::Object => &mut query.of,
            JsonKind::Null | JsonKind::Bool | JsonKind::Number => &mut query.amounts,
        };
        *part = part.join(Mark::from(member.tag)).join(value);
    }
    Some(query)
}

fn is_sentence(value: JsonRef<'_>) -> bool {
    value.kind() == JsonKind::String && value.as_str().contains(' ')
}

/// Whether a value is a string or an array and no document.
fn has_words(value: JsonRef<'_>) -> bool {
    value.as_str().len() <= LONGEST && matches!(value.kind(), JsonKind::String | JsonKind::Array)
}

/// Hashes of the different words that were found so far.
#[derive(Default)]
struct QueryWords {
    hashes: [u32; WORDS],
    len: usize,
}

impl QueryWords {
    /// Adds the words of a string, or of the strings of an array.
    fn add(&mut self, value: JsonRef<'_>) {
        if let Some(text) = value.text() {
            self.add_text(&text);
        }
        for text in value.elements().filter_map(JsonRef::text) {
            self.add_text(&text);
        }
    }

    fn add_text(&mut self, text: &str) {
        for piece in pieces(text, Reading::Argument) {
            self.add_hash(hash_of(piece.bare));
        }
    }

    /// Adds words that were cut before.
    fn add_cut(&mut self, words: &[CutWord]) {
        for word in words {
            self.add_hash(word.in_question);
        }
    }

    fn add_hash(&mut self, hash: Option<u32>) {
        if let Some(hash) = hash
            && self.len < WORDS
            && !self.hashes[..self.len].contains(&hash)
        {
            self.hashes[self.len] = hash;
            self.len += 1;
        }
    }
}

/// The hash of a word in a question. `None` if it is in most questions.
pub(super) fn hash_of(word: &str) -> Option<u32> {
    if word.is_ascii() {
        hash_of_letters(word.as_bytes())
    } else {
        hash_of_letters(word.to_lowercase().as_bytes())
    }
}

/// The same for a word of small letters, whose hash is known: it is that of the singular.
pub(super) fn hash_of_small(word: &str, hash: u32) -> Option<u32> {
    (!is_common_in_questions(word.as_bytes())).then_some(hash)
}

/// The hash of a word in which letters of ASCII may be capitals.
fn hash_of_letters(word: &[u8]) -> Option<u32> {
    if word.is_empty() || is_common_in_questions(word) {
        return None;
    }
    let ends_in_s = |word: &[u8]| matches!(word.last(), Some(b's' | b'S'));
    let singular = match word.split_last() {
        Some((b's' | b'S', stem)) if stem.len() > 2 && !ends_in_s(stem) => stem,
        _ => word,
    };
    Some(Tag::of(singular.iter().map(u8::to_ascii_lowercase)).stirred())
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
