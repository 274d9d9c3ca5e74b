//! What a call asks, as far as it asks in words.

use serde::{Deserialize, Serialize};

use super::{Args, CallView};
use crate::{
    fingerprint::Mark,
    hash::Tag,
    vocab::{arguments::Role, tools::ToolWords},
    wording::{Reading, pieces},
};
use unstuck_json::{JsonKind, JsonRef};

/// Words that are kept of a question. A longer text is a document.
const WORDS: usize = 24;

/// Bytes of the longest question.
const LONGEST: usize = 600;

/// A question of fewer words is a name.
const FEWEST: usize = 2;

/// Words that are in most questions, in order.
const COMMON: [&str; 53] = [
    "a", "about", "all", "an", "and", "any", "are", "at", "be", "by", "can", "confirm", "could",
    "do", "does", "explain", "find", "for", "from", "give", "how", "i", "in", "is", "it", "know",
    "me", "my", "need", "of", "on", "or", "please", "should", "tell", "that", "the", "there",
    "this", "to", "use", "using", "want", "was", "what", "when", "where", "which", "who", "why",
    "with", "would", "you",
];

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
    let mut query = Query {
        of: Mark::from(Tag::of(tool.bytes())),
        amounts: Mark::default(),
        words: Vec::new(),
    };
    if args.whole.kind() == JsonKind::Object {
        for member in &args.members {
            let is_query = member.known.plays(Role::Query) || (asks && is_sentence(member.value));
            if is_query && add(&mut query.words, member.value) {
                continue;
            }
            let value = Mark::from(Tag::of(member.value.as_str().bytes()));
            let part = match member.value.kind() {
                JsonKind::String | JsonKind::Array | JsonKind::Object => &mut query.of,
                JsonKind::Null | JsonKind::Bool | JsonKind::Number => &mut query.amounts,
            };
            *part = part.join(Mark::from(member.tag)).join(value);
        }
    } else if asks {
        add(&mut query.words, args.whole);
    }
    (query.words.len() >= FEWEST).then_some(query)
}

fn is_sentence(value: JsonRef<'_>) -> bool {
    value.kind() == JsonKind::String && value.as_str().contains(' ')
}

/// Adds the words of a string, or of the strings of an array. Returns whether it is one.
fn add(words: &mut Vec<u32>, value: JsonRef<'_>) -> bool {
    if value.as_str().len() > LONGEST {
        return false;
    }
    match value.kind() {
        JsonKind::String => {
            if let Some(text) = value.text() {
                add_text(words, &text);
            }
            true
        }
        JsonKind::Array => {
            for text in value.elements().filter_map(JsonRef::text) {
                add_text(words, &text);
            }
            true
        }
        _ => false,
    }
}

fn add_text(words: &mut Vec<u32>, text: &str) {
    for piece in pieces(text, Reading::Argument) {
        let word = piece.bare.to_lowercase();
        if word.is_empty() || COMMON.binary_search(&&*word).is_ok() {
            continue;
        }
        let singular = match word.strip_suffix('s') {
            Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
            _ => &word,
        };
        let hash = Tag::of(singular.bytes()).stirred();
        if words.len() < WORDS && !words.contains(&hash) {
            words.push(hash);
        }
    }
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
