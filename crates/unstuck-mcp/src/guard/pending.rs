//! What waits for an answer of the server.

use std::collections::BTreeMap;

use unstuck::{Event, EventKind, Fingerprint, Json};

use super::{Era, Judged, Micros};
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
}

/// What waits, by id. Of one id that is used twice at once the older comes first.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    by_id: BTreeMap<(Box<str>, u64), Pending>,
    added: u64,
    calls: usize,
    /// Stands before ids, so that those of several clients are told apart.
    scope: Box<str>,
}

/// Lists that may wait at once.
const MOST_LISTS: usize = 1_024;

impl Waiting {
    /// Ids are those of this scope from now on.
    pub(super) fn enter(&mut self, scope: &str) {
        if *self.scope != *scope {
            self.scope = scope.into();
        }
    }

    fn scoped(&self, id: &str) -> Box<str> {
        if self.scope.is_empty() {
            return id.into();
        }
        format!("{}{id}", self.scope).into()
    }

    pub(super) fn add_call(&mut self, id: &Id<'_>, calling: Calling) {
        self.calls += 1;
        self.add(id, Pending::Call(Box::new(calling)));
    }

    pub(super) fn add_list(&mut self, id: &Id<'_>) {
        if self.by_id.len() - self.calls < MOST_LISTS {
            self.add(id, Pending::List);
        }
    }

    fn add(&mut self, id: &Id<'_>, pending: Pending) {
        self.added += 1;
        let key = (self.scoped(id.key.as_str()), self.added);
        self.by_id.insert(key, pending);
    }

    /// What waits longest for an answer with this id.
    pub(super) fn take(&mut self, id: &Json) -> Option<Pending> {
        let first = (self.scoped(id.as_str()), 0);
        let last = (first.0.clone(), u64::MAX);
        let key = self.by_id.range(first..=last).next()?.0.clone();
        let pending = self.by_id.remove(&key)?;
        self.calls -= usize::from(matches!(pending, Pending::Call(_)));
        Some(pending)
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
                let id = key.0.strip_prefix(&*self.scope).unwrap_or(&key.0);
                Some((id.into(), calling))
            }
            Pending::List => None,
        }
    }

    /// The calls that wait within a scope, the oldest first.
    pub(super) fn drain_scope(&mut self, scope: &str) -> Vec<Calling> {
        let first = (Box::<str>::from(scope), 0);
        let keys = self.by_id.range(first..).map(|(key, _)| key);
        let keys = keys.take_while(|key| key.0.starts_with(scope));
        let keys: Vec<_> = keys.cloned().collect();
        let mut calls: Vec<_> = keys
            .iter()
            .filter_map(|key| match self.by_id.remove(key)? {
                Pending::Call(calling) => Some(*calling),
                Pending::List => None,
            })
            .collect();
        self.calls -= calls.len();
        calls.sort_unstable_by_key(|calling| calling.number);
        calls
    }

    /// All calls that wait, the oldest first.
    pub(super) fn drain(&mut self) -> Vec<Calling> {
        let mut calls: Vec<_> = std::mem::take(&mut self.by_id)
            .into_values()
            .filter_map(|pending| match pending {
                Pending::Call(calling) => Some(*calling),
                Pending::List => None,
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
