//! Tells messages as events of one agent.

use unstuck::{Call, Outcome, Role};

use crate::{
    message::{Message, Part, Speaker},
    sink::Sink,
    track::{Moment, Track, Used},
};

/// A conversation whose messages come one by one.
#[derive(Debug)]
pub(crate) struct Conversation {
    track: Track,
    /// The place of the last message.
    here: Moment,
    /// Calls of the round that have no result yet, as (id, tool).
    open: Vec<(Box<str>, Box<str>)>,
    /// How many calls came without an id.
    unnamed: u64,
}

impl Conversation {
    /// Empty names stand for the usual ones.
    pub(crate) fn new(session: &str, agent: &str) -> Self {
        let session = if session.is_empty() {
            "default"
        } else {
            session
        };
        let agent = if agent.is_empty() { "main" } else { agent };
        Self {
            track: Track::new(session, agent),
            here: Moment::default(),
            open: Vec::new(),
            unnamed: 0,
        }
    }

    /// Tells a message, which begins on this line; 0 where there is none.
    pub(crate) fn tell(&mut self, line: u64, message: Message, sink: &mut dyn Sink) {
        self.here = Moment {
            line,
            at: message.at.or(self.here.at),
        };
        if message.speaker == Speaker::Model {
            self.track.message("", sink);
            self.open.clear();
        }
        if let Some(used) = message.used {
            self.pay(used, sink);
        }
        for part in message.parts {
            self.part(part, sink);
        }
    }

    /// The context was compacted.
    pub(crate) fn compaction(&mut self, line: u64, sink: &mut dyn Sink) {
        self.here.line = line;
        self.track.compaction(self.here, sink);
    }

    /// What a request of the round used.
    pub(crate) fn pay(&mut self, used: Used, sink: &mut dyn Sink) {
        self.track.pay(self.here, used, sink);
    }

    /// What the whole run used, where single requests are not known.
    pub(crate) fn pay_for_run(&mut self, used: Vec<Used>, sink: &mut dyn Sink) {
        self.track.pay_for_run(self.here, used, sink);
    }

    /// There is no more.
    pub(crate) fn end(&mut self, sink: &mut dyn Sink) {
        self.track.close(sink);
    }

    fn part(&mut self, part: Part, sink: &mut dyn Sink) {
        let here = self.here;
        match part {
            Part::Said(text) => self.track.say(here, Role::Assistant, &text, sink),
            Part::Thought(text) => self.track.say(here, Role::Thinking, &text, sink),
            Part::Called(call) => self.call(call, sink),
            Part::Returned { outcome, tool } => self.result(outcome, &tool, sink),
            Part::Asked(text) => self.track.asked(here, &text, sink),
        }
    }

    fn call(&mut self, mut call: Call, sink: &mut dyn Sink) {
        if call.id.is_empty() {
            self.unnamed += 1;
            call.id = format!("unnamed-{}", self.unnamed).into();
        }
        self.open.push((call.id.clone(), call.tool.clone()));
        self.track.call(self.here, call, sink);
    }

    /// A result without an id answers the first call of its tool that waits, or the first of all.
    fn result(&mut self, mut outcome: Outcome, tool: &str, sink: &mut dyn Sink) {
        let waiting = if outcome.id.is_empty() {
            let same_tool = self.open.iter().position(|(_, name)| **name == *tool);
            same_tool.or((!self.open.is_empty()).then_some(0))
        } else {
            self.open.iter().position(|(id, _)| *id == outcome.id)
        };
        if let Some(waiting) = waiting {
            outcome.id = self.open.remove(waiting).0;
        }
        self.track.result(self.here, outcome, sink);
    }
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
