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
    /// Stands before ids, so that those of several clients are told apart.
    scope: Box<str>,
    /// Requests too many were not taken down, so that nobody knows what waits.
    missed: bool,
}

/// Requests other than calls that may wait at once.
const MOST_OTHERS: usize = 1_024;

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

    /// What waits in this scope, with its id, if nothing else does.
    pub(super) fn take_only(&mut self) -> Option<(Box<str>, Pending)> {
        let mut keys = self.keys_in(&self.scope);
        let key = keys.next()?.clone();
        if keys.next().is_some() || self.missed {
            return None;
        }
        drop(keys);
        let pending = self.by_id.remove(&key)?;
        self.calls -= usize::from(matches!(pending, Pending::Call(_)));
        Some((self.bare(&key.0), pending))
    }

    fn keys_in(&self, scope: &str) -> impl Iterator<Item = &(Box<str>, u64)> {
        let first = (Box::<str>::from(scope), 0);
        let keys = self.by_id.range(first..).map(|(key, _)| key);
        keys.take_while(move |key| key.0.starts_with(scope))
    }

    /// An id without its scope.
    fn bare(&self, key: &str) -> Box<str> {
        key.strip_prefix(&*self.scope).unwrap_or(key).into()
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
                Some((self.bare(&key.0), calling))
            }
            Pending::List | Pending::Other => None,
        }
    }

    /// The calls that wait within a scope, the oldest first.
    pub(super) fn drain_scope(&mut self, scope: &str) -> Vec<Calling> {
        let keys: Vec<_> = self.keys_in(scope).cloned().collect();
        let mut calls: Vec<_> = keys
            .iter()
            .filter_map(|key| match self.by_id.remove(key)? {
                Pending::Call(calling) => Some(*calling),
                Pending::List | Pending::Other => None,
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
