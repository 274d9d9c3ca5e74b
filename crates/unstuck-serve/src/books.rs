//! What people want to know of each agent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unstuck::{Decision, Engine, Verdict};

/// What is known of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Book {
    pub(crate) events: u64,
    /// Time of the last event, in milliseconds on the clock of the events.
    pub(crate) last: i64,
    pub(crate) nudges: u64,
    pub(crate) denials: u64,
    /// The rule that halted it, while it is halted.
    pub(crate) halted: Option<Box<str>>,
}

/// Agents by session and name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Books(BTreeMap<(Box<str>, Box<str>), Book>);

impl Books {
    /// Records the decision about an event.
    pub(crate) fn record(&mut self, decision: &Decision, at: i64) {
        let key = (decision.session.clone(), decision.agent.clone());
        let book = self.0.entry(key).or_default();
        book.events += 1;
        book.last = book.last.max(at);
        match decision.verdict {
            Verdict::Allow => {}
            Verdict::Nudge => book.nudges += 1,
            Verdict::Deny => book.denials += 1,
            Verdict::Halt => {
                book.halted = decision.rule().map(|rule| rule.as_str().into());
            }
        }
        if decision.verdict != Verdict::Halt {
            book.halted = None;
        }
    }

    /// Forgets the agents that the engine has forgotten, once there are many more than it keeps.
    pub(crate) fn tidy(&mut self, engine: &Engine) {
        let most = engine.settings().memory.sessions.get() as usize;
        if self.0.len() <= most + most / 4 + 16 {
            return;
        }
        let mut old = std::mem::take(&mut self.0);
        for (session, agent) in engine.agents() {
            let key = (session.into(), agent.into());
            if let Some(book) = old.remove(&key) {
                self.0.insert(key, book);
            }
        }
    }

    /// All agents with what is known of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str, &Book)> {
        let all = self.0.iter();
        all.map(|((session, agent), book)| (&**session, &**agent, book))
    }

    /// The agents of a session.
    pub(crate) fn agents(&self, session: &str) -> Vec<Box<str>> {
        let from: (Box<str>, Box<str>) = (session.into(), "".into());
        let known = self.0.range(from..);
        known
            .take_while(|((of, _), _)| **of == *session)
            .map(|((_, agent), _)| agent.clone())
            .collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
