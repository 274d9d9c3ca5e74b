//! What a call asks, as far as it asks in words.

use serde::{Deserialize, Serialize};

use super::{Args, CallView};
use crate::{
    fingerprint::Mark,
    hash::Tag,
    vocab::{
        arguments::{Member, Role},
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
        of(&view.call.tool, view.words, &view.args)
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

fn of(tool: &str, said: ToolWords, args: &Args<'_>) -> Option<Query> {
    let asks = said.say(ToolWords::ASKS);
    let is_query = |member: &&Member<'_>| {
        let value = member.value;
        let is_named = member.known.plays(Role::Query);
        (is_named || (asks && is_sentence(value))) && has_words(value)
    };
    let members = args.members.iter();
    let mut words = QueryWords::default();
    if args.whole.kind() == JsonKind::Object {
        for member in members.clone().filter(is_query) {
            words.add(member.value);
        }
    } else if asks && has_words(args.whole) {
        words.add(args.whole);
    }
    // Most calls ask nothing, and to hash what they are given takes time for each byte of it.
    if words.len < FEWEST {
        return None;
    }
    let mut query = Query {
        of: Mark::from(Tag::of(tool.bytes())),
        amounts: Mark::default(),
        words: words.hashes[..words.len].to_vec(),
    };
    for member in members.filter(|member| !is_query(member)) {
        let value = Mark::from(Tag::of(member.value.as_str().bytes()));
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
            let word = piece.bare;
            if word.is_ascii() {
                self.add_word(word.as_bytes());
            } else {
                self.add_word(word.to_lowercase().as_bytes());
            }
        }
    }

    /// Adds a word. Letters of ASCII may be capitals.
    fn add_word(&mut self, word: &[u8]) {
        if word.is_empty() || is_common(word) {
            return;
        }
        let ends_in_s = |word: &[u8]| matches!(word.last(), Some(b's' | b'S'));
        let singular = match word.split_last() {
            Some((b's' | b'S', stem)) if stem.len() > 2 && !ends_in_s(stem) => stem,
            _ => word,
        };
        let hash = Tag::of(singular.iter().map(u8::to_ascii_lowercase)).stirred();
        if self.len < WORDS && !self.hashes[..self.len].contains(&hash) {
            self.hashes[self.len] = hash;
            self.len += 1;
        }
    }
}

/// Whether a word is in most questions.
fn is_common(word: &[u8]) -> bool {
    const LONGEST: usize = 7;
    let mut letters = [0; LONGEST];
    let Some(letters) = letters.get_mut(..word.len()) else {
        return false;
    };
    letters.copy_from_slice(word);
    letters.make_ascii_lowercase();
    matches!(
        &*letters,
        b"a" | b"about"
            | b"all"
            | b"an"
            | b"and"
            | b"any"
            | b"are"
            | b"at"
            | b"be"
            | b"by"
            | b"can"
            | b"confirm"
            | b"could"
            | b"do"
            | b"does"
            | b"explain"
            | b"find"
            | b"for"
            | b"from"
            | b"give"
            | b"how"
            | b"i"
            | b"in"
            | b"is"
            | b"it"
            | b"know"
            | b"me"
            | b"my"
            | b"need"
            | b"of"
            | b"on"
            | b"or"
            | b"please"
            | b"should"
            | b"tell"
            | b"that"
            | b"the"
            | b"there"
            | b"this"
            | b"to"
            | b"use"
            | b"using"
            | b"want"
            | b"was"
            | b"what"
            | b"when"
            | b"where"
            | b"which"
            | b"who"
            | b"why"
            | b"with"
            | b"would"
            | b"you"
    )
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
