//! What waits for an answer of the server.

use std::collections::BTreeMap;

use unstuck::{Event, EventKind, Fingerprint, Json};

use super::{Micros, hints::Era, record::Judged};
use crate::codec::Id;

/// A call that was passed on, or is about to be.
#[derive(Clone, Debug)]
pub(super) struct Calling {
    /// What all lines of the audit say of it.
    pub(super) about: String,
    pub(super) number: u64,
    /// The call as the rules know it.
    pub(super) event_id: Box<str>,
    pub(super) judged: Judged,
    pub(super) began: Micros,
    pub(super) fingerprint: Fingerprint,
    pub(super) era: Era,
    /// How often the server has asked for more.
    pub(super) round: u32,
    /// Words that go with its result.
    pub(super) nudge: Option<String>,
    pub(super) tool: Box<str>,
    pub(super) session: Box<str>,
    pub(super) agent: Box<str>,
}

impl Calling {
    /// Tells its rounds from those of other calls and agents.
    pub(super) fn round_key(&self) -> Box<str> {
        format!("{}\0{}\0{}", self.session, self.agent, self.fingerprint).into()
    }

    pub(super) fn event(&self, kind: EventKind, at: Micros) -> Event {
        Event::new(kind)
            .in_session(self.session.clone())
            .by_agent(self.agent.clone())
            .at(at.milliseconds())
    }
}

/// What an answer will be about.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    Call(Box<Calling>),
    /// A list of tools.
    List,
    /// Anything else.
    Other,
}

/// What waits, by id. Of one id that is used twice at once the older comes first.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    by_id: BTreeMap<(Box<str>, u64), Pending>,
    added: u64,
    calls: usize,
    /// Requests too many were not taken down, so that nobody knows what waits.
    missed: bool,
}

/// Requests other than calls that may wait at once.
const MOST_OTHERS: usize = 1_024;

impl Waiting {
    pub(super) fn add_call(&mut self, id: &Id<'_>, calling: Calling) {
        self.add(id, Pending::Call(Box::new(calling)));
    }

    pub(super) fn add(&mut self, id: &Id<'_>, pending: Pending) {
        if matches!(pending, Pending::Call(_)) {
            self.calls += 1;
        } else if self.by_id.len() - self.calls >= MOST_OTHERS {
            self.missed = true;
            return;
        }
        self.added += 1;
        let key = (Box::from(id.key.as_str()), self.added);
        self.by_id.insert(key, pending);
    }

    /// What waits longest for an answer with this id.
    pub(super) fn take(&mut self, id: &Json) -> Option<Pending> {
        let first = (Box::<str>::from(id.as_str()), 0);
        let last = (first.0.clone(), u64::MAX);
        let key = self.by_id.range(first..=last).next()?.0.clone();
        let pending = self.by_id.remove(&key)?;
        self.calls -= usize::from(matches!(pending, Pending::Call(_)));
        Some(pending)
    }

    /// What waits, with its id, if nothing else does.
    pub(super) fn take_only(&mut self) -> Option<(Box<str>, Pending)> {
        if self.by_id.len() != 1 || self.missed {
            return None;
        }
        self.calls = 0;
        let ((id, _), pending) = self.by_id.pop_first()?;
        Some((id, pending))
    }

    /// Takes back a call by its number. Rare, so it is looked for.
    pub(super) fn revoke(&mut self, number: u64) -> Option<(Box<str>, Box<Calling>)> {
        let is =
            |pending: &Pending| matches!(pending, Pending::Call(call) if call.number == number);
        let found = self.by_id.iter().find(|(_, pending)| is(pending));
        let key = found?.0.clone();
        match self.by_id.remove(&key)? {
            Pending::Call(calling) => {
                self.calls -= 1;
                Some((key.0, calling))
            }
            Pending::List | Pending::Other => None,
        }
    }

    /// All calls that wait, the oldest first.
    pub(super) fn drain(&mut self) -> Vec<Calling> {
        let mut calls: Vec<_> = std::mem::take(&mut self.by_id)
            .into_values()
            .filter_map(|pending| match pending {
                Pending::Call(calling) => Some(*calling),
                Pending::List | Pending::Other => None,
            })
            .collect();
        calls.sort_unstable_by_key(|calling| calling.number);
        self.calls = 0;
        calls
    }

    pub(super) fn calls(&self) -> usize {
        self.calls
    }
}
