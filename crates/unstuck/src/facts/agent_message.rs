//! Messages to other agents, as far as a call tells that it is one.

use serde::{Deserialize, Serialize};

use super::{Args, CallView};
use crate::{
    fingerprint::Mark,
    hash::Tag,
    vocab::{arguments::ArgumentRole, tools::ToolWords},
    wording::{Comparison, Nature, Reading, keep_smallest, pieces},
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
    /// The recipient, and the tool.
    pub(crate) to: Mark,
    /// Hashes of the words, in order of their size.
    words: Vec<u32>,
    /// Those of them that name something: with a digit, a capital within a sentence, a path.
    names: Vec<u32>,
}

impl AgentMessage {
    /// The message that a call sends, if it sends one.
    pub(crate) fn of(view: &CallView<'_>) -> Option<Self> {
        of(view.tool, view.words, &view.args)
    }

    /// Whether the two ask for the same: they share a third of their words, and this one has no more new names than shared
    /// ones. A message that differs in a name, or in one word, asks for another thing: one request for each of many files
    /// is not one request made many times.
    pub(crate) fn is_like(&self, earlier: &Self) -> bool {
        if self.to != earlier.to {
            return false;
        }
        let words = Comparison::of(&self.words, &earlier.words);
        let names = Comparison::of(&self.names, &earlier.names);
        let plain = Comparison::of(self.plain(), earlier.plain());
        let template = names.fresh > 0 && plain.shared * 5 >= plain.all() * 4;
        let slot = words.fresh == 1 && words.gone == 1;
        let about_another = template || slot;
        words.shared * 3 >= words.all() && names.fresh <= names.shared && !about_another
    }

    /// The words that are not names.
    fn plain(&self) -> impl Iterator<Item = &u32> {
        let is_name = |word: &u32| self.names.binary_search(word).is_ok();
        self.words.iter().filter(move |word| !is_name(word))
    }
}

fn of(tool: Tag, words: ToolWords, args: &Args<'_>) -> Option<AgentMessage> {
    if !is_messenger(words) {
        return None;
    }
    let text = match args.whole.kind() {
        JsonKind::String => args.whole.text(),
        _ => args.role(ArgumentRole::Message).and_then(JsonRef::text),
    }?;
    let to = args
        .role(ArgumentRole::Recipient)
        .map_or("", JsonRef::as_str);
    let mut message = read(&text);
    message.to = Mark::from(tool).join(Mark::from(Tag::of(to.bytes())));
    (message.words.len() >= FEWEST).then_some(message)
}

/// Whether the name of a tool says that it sends something to another agent.
fn is_messenger(words: ToolWords) -> bool {
    words.say(ToolWords::HANDS_OVER) || words.say(ToolWords::AGENTS.and(ToolWords::TELLS))
}

fn read(text: &str) -> AgentMessage {
    let mut message = AgentMessage::default();
    for piece in pieces(text, Reading::Message).filter(|piece| !piece.bare.is_empty()) {
        let (tag, nature) = piece.tagged();
        let hash = tag.0 as u32;
        keep_smallest(&mut message.words, hash, WORDS);
        if nature == Nature::Name {
            keep_smallest(&mut message.names, hash, NAMES);
        }
    }
    message
}

#[cfg(test)]
#[path = "agent_message_tests.rs"]
mod tests;
