//! What was reported of a conversation whose history is sent, or written, again and again.

use std::collections::HashSet;

use crate::message::{Message, Part};

/// Parts of a conversation that were reported, each by a key. A history that was rewritten is compared with them, so that
/// nothing is reported twice.
#[derive(Debug)]
pub struct Reported {
    keys: HashSet<u64>,
    key: fn(&Part) -> Option<u64>,
    most: usize,
}

/// Whether what comes next in a compacted history is the summary of what was taken out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Summary {
    /// It is.
    Expected,
    /// It is not.
    #[default]
    None,
}

/// Messages of a history before and after it was written again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// How many of the first ones are the same.
    pub common: usize,
    /// How many there were.
    pub before: usize,
    /// How many there are.
    pub now: usize,
}

impl Reported {
    /// Nothing yet. `key` tells parts apart; `most` of them are remembered, beside those of the present history.
    pub fn new(key: fn(&Part) -> Option<u64>, most: usize) -> Self {
        Self {
            keys: HashSet::new(),
            key,
            most,
        }
    }

    /// Remembers parts as reported.
    pub fn add<'p>(&mut self, parts: impl IntoIterator<Item = &'p Part>) {
        self.keys.extend(parts.into_iter().filter_map(self.key));
    }

    /// Whether a part was reported.
    pub fn has(&self, part: &Part) -> bool {
        (self.key)(part).is_some_and(|key| self.keys.contains(&key))
    }

    /// Keeps what is remembered within its bound: the parts of the present history stay.
    pub fn bound<'p>(&mut self, current: impl IntoIterator<Item = &'p Part>) {
        if self.keys.len() <= self.most {
            return;
        }
        let current: HashSet<u64> = current.into_iter().filter_map(self.key).collect();
        self.keys.retain(|key| current.contains(key));
    }

    /// Whether the beginning of a history was replaced, or something taken out of its middle. Otherwise it goes on from an
    /// earlier point in another way. `rest` are the parts behind what is common.
    pub fn is_compacted<'p>(
        &self,
        history: Rewritten,
        rest: impl IntoIterator<Item = &'p Part>,
    ) -> bool {
        history.common == 0
            || (history.now < history.before && rest.into_iter().any(|part| self.has(part)))
    }

    /// Leaves out of a message what was reported before the history was rewritten, and the summary of a compacted history,
    /// which is not a person's message.
    pub fn keep_new(&mut self, message: &mut Message, summary: &mut Summary) {
        // A model thinks before it speaks: its thoughts were reported with its words.
        if message.parts.iter().any(|part| self.has(part)) {
            message
                .parts
                .retain(|part| !matches!(part, Part::Thought(_)) && !self.has(part));
        }
        if *summary == Summary::Expected
            && let Some(at) = message
                .parts
                .iter()
                .position(|part| matches!(part, Part::Asked(_)))
        {
            let part = message.parts.remove(at);
            self.add([&part]);
            *summary = Summary::None;
        }
    }
}
