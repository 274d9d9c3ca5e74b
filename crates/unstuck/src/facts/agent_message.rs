//! Messages to other agents, as far as a call tells that it is one.

use serde::{Deserialize, Serialize};

use super::{Args, CallView};
use crate::{
    fingerprint::Mark,
    vocab::{arguments::Role, tools::ToolWords},
};
use unstuck_json::{JsonKind, JsonRef};

/// Different words and names that are kept of a message.
const WORDS: usize = 64;
const NAMES: usize = 24;

/// Fewer words are a signal, not a message.
const FEWEST: usize = 5;

/// What one agent tells another, without the order of its words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgentMessage {
    /// Whom, and by which tool.
    pub(crate) to: Mark,
    /// Hashes of the words, in order of their size.
    words: Vec<u32>,
    /// Those of them that name something: with a digit, a capital within a sentence, a path.
    names: Vec<u32>,
}

impl AgentMessage {
    /// The message that a call sends, if it sends one.
    pub(crate) fn of(view: &CallView<'_>) -> Option<Self> {
        of(&view.call.tool, view.words, &view.args)
    }

    /// Do the two ask for the same? They share a third of their words, and this one brings up no more names than it takes
    /// over. Where it brings up another name, or one other word, and the rest is the same, it is a request for another
    /// thing: one for each of many is not one made many times.
    pub(crate) fn is_like(&self, earlier: &Self) -> bool {
        if self.to != earlier.to {
            return false;
        }
        let words = Overlap::of(self.words.iter(), &earlier.words);
        let names = Overlap::of(self.names.iter(), &earlier.names);
        let plain = Overlap::of(self.plain(), &earlier.plain().copied().collect::<Vec<_>>());
        let template = names.fresh > 0 && plain.shared * 5 >= plain.all() * 4;
        let slot = words.fresh == 1 && words.gone == 1;
        let about_another = template || slot;
        words.shared * 3 >= words.all() && names.fresh <= names.shared && !about_another
    }

    /// The words that are no names.
    fn plain(&self) -> impl Iterator<Item = &u32> {
        let is_name = |word: &u32| self.names.binary_search(word).is_ok();
        self.words.iter().filter(move |word| !is_name(word))
    }
}

/// What two sets have in common.
struct Overlap {
    shared: usize,
    /// Only in the later one.
    fresh: usize,
    /// Only in the earlier one.
    gone: usize,
}

impl Overlap {
    fn of<'a>(later: impl Iterator<Item = &'a u32>, earlier: &[u32]) -> Self {
        let (mut shared, mut fresh) = (0, 0);
        for item in later {
            match earlier.binary_search(item) {
                Ok(_) => shared += 1,
                Err(_) => fresh += 1,
            }
        }
        Self {
            shared,
            fresh,
            gone: earlier.len() - shared,
        }
    }

    fn all(&self) -> usize {
        self.shared + self.fresh + self.gone
    }
}

fn of(tool: &str, words: ToolWords, args: &Args<'_>) -> Option<AgentMessage> {
    if !is_messenger(words) {
        return None;
    }
    let text = match args.whole.kind() {
        JsonKind::String => args.whole.text(),
        _ => args.role(Role::Message).and_then(JsonRef::text),
    }?;
    let to = args.role(Role::Recipient).map_or("", JsonRef::as_str);
    let mut message = read(&text);
    message.to = Mark::of_bytes(tool.bytes()).join(Mark::of_bytes(to.bytes()));
    (message.words.len() >= FEWEST).then_some(message)
}

/// Does its name say that a tool hands something to another agent?
fn is_messenger(words: ToolWords) -> bool {
    words.say(ToolWords::HANDS_OVER) || words.say(ToolWords::AGENTS | ToolWords::TELLS)
}

fn read(text: &str) -> AgentMessage {
    let mut message = AgentMessage::default();
    let mut sentence_starts = true;
    for word in text.split_whitespace() {
        let is_edge = |character: char| !character.is_alphanumeric();
        let plain = word.trim_matches(is_edge);
        let starts = std::mem::replace(
            &mut sentence_starts,
            word.ends_with(['.', '!', '?', ':', ';']),
        );
        if plain.is_empty() {
            continue;
        }
        let named = (plain.starts_with(char::is_uppercase) && !starts)
            || plain.contains(|character: char| {
                character.is_ascii_digit() || "_/.".contains(character)
            });
        let hashed = Mark::of_bytes(plain.bytes().map(|byte| byte.to_ascii_lowercase())).0 as u32;
        insert(&mut message.words, hashed, WORDS);
        if named {
            insert(&mut message.names, hashed, NAMES);
        }
    }
    message
}

/// Keeps the smallest, each once: an even sample where there are more.
fn insert(hashes: &mut Vec<u32>, hash: u32, most: usize) {
    if let Err(at) = hashes.binary_search(&hash) {
        hashes.insert(at, hash);
        hashes.truncate(most);
    }
}

#[cfg(test)]
#[path = "agent_message_tests.rs"]
mod tests;
