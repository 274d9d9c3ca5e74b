//! What waits for an answer of the server.

use std::{
    borrow::Cow,
    collections::{BTreeMap, btree_map::Entry},
    iter, mem,
    ops::Bound,
};

use unstuck::{Decision, Engine, Event, EventKind, Fingerprint, Json};

use super::{Micros, engines::Ring, hints::Era, record::Judged};
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
    /// Whose calls it is counted with.
    pub(super) ring: Ring,
}

impl Calling {
    /// Tells its rounds from those of other calls and agents.
    pub(super) fn round_key(&self) -> Box<str> {
        format!("{}\0{}\0{}", self.session, self.agent, self.fingerprint).into()
    }

    /// The session as policies see it. What tells the clients of one owner apart is chosen by them.
    pub(super) fn policy_session(&self) -> &str {
        match &self.ring {
            Ring::Private { .. } => &self.session,
            Ring::Shared { owner } => owner,
        }
    }

    /// Has the rules judge an event of this call. The names go there and come back with the answer: copying them for
    /// each event would cost more than some rules do.
    pub(super) fn observed(
        &mut self,
        engine: &mut Engine,
        kind: EventKind,
        at: Micros,
    ) -> Decision {
        let session = mem::take(&mut self.session);
        let agent = mem::take(&mut self.agent);
        let event = Event::of(session, agent, kind).at(at.milliseconds());
        let mut decision = engine.observe(event);
        self.session = mem::take(&mut decision.session);
        self.agent = mem::take(&mut decision.agent);
        decision
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
    by_id: BTreeMap<Box<str>, Queue>,
    calls: usize,
    /// Requests other than calls.
    others: usize,
    /// Stands before ids, so that those of several clients are told apart.
    scope: Box<str>,
    /// Requests too many were not taken down, so that nobody knows what waits.
    missed: bool,
}

/// What waits for one id: hardly ever more than one.
#[derive(Clone, Debug)]
struct Queue {
    oldest: Pending,
    others: Vec<Pending>,
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

    fn scoped<'a>(&self, id: &'a str) -> Cow<'a, str> {
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
        } else if self.others >= MOST_OTHERS {
            self.missed = true;
            return;
        } else {
            self.others += 1;
        }
        match self.by_id.entry(self.scoped(id.key.as_str()).into()) {
            Entry::Vacant(entry) => {
                entry.insert(Queue {
                    oldest: pending,
                    others: Vec::new(),
                });
            }
            Entry::Occupied(mut entry) => entry.get_mut().others.push(pending),
        }
    }

    /// What waits longest for an answer with this id.
    pub(super) fn take(&mut self, id: &Json) -> Option<Pending> {
        let key = self.scoped(id.as_str());
        self.take_oldest(&key)
    }

    fn take_oldest(&mut self, key: &str) -> Option<Pending> {
        let queue = self.by_id.get_mut(key)?;
        let taken = if queue.others.is_empty() {
            self.by_id.remove(key)?.oldest
        } else {
            let next = queue.others.remove(0);
            mem::replace(&mut queue.oldest, next)
        };
        self.forget(&taken);
        Some(taken)
    }

    /// It waits no longer.
    fn forget(&mut self, taken: &Pending) {
        match taken {
            Pending::Call(_) => self.calls -= 1,
            Pending::List | Pending::Other => self.others -= 1,
        }
    }

    /// What waits in this scope, with its id, if nothing else does.
    pub(super) fn take_only(&mut self) -> Option<(Box<str>, Pending)> {
        let mut waiting = self.queues_in(&self.scope);
        let (key, queue) = waiting.next()?;
        if !queue.others.is_empty() || waiting.next().is_some() || self.missed {
            return None;
        }
        let key = key.clone();
        drop(waiting);
        let pending = self.take_oldest(&key)?;
        Some((self.bare(&key), pending))
    }

    fn queues_in(&self, scope: &str) -> impl Iterator<Item = (&Box<str>, &Queue)> {
        let from = (Bound::Included(scope), Bound::Unbounded);
        let queues = self.by_id.range::<str, _>(from);
        queues.take_while(move |(key, _)| key.starts_with(scope))
    }

    /// An id without its scope.
    fn bare(&self, key: &str) -> Box<str> {
        key.strip_prefix(&*self.scope).unwrap_or(key).into()
    }

    /// Takes back a call by its number. Rare, so it is looked for.
    pub(super) fn revoke(&mut self, number: u64) -> Option<(Box<str>, Box<Calling>)> {
        let is =
            |pending: &Pending| matches!(pending, Pending::Call(call) if call.number == number);
        let found = self.by_id.iter().find(|(_, queue)| queue.all().any(is));
        let key = found?.0.clone();
        let mut rest = self.by_id.remove(&key)?.into_all();
        let place = rest.iter().position(is)?;
        let revoked = rest.remove(place);
        self.forget(&revoked);
        let mut rest = rest.into_iter();
        if let Some(oldest) = rest.next() {
            let others = rest.collect();
            self.by_id.insert(key.clone(), Queue { oldest, others });
        }
        match revoked {
            Pending::Call(calling) => Some((self.bare(&key), calling)),
            Pending::List | Pending::Other => None,
        }
    }

    /// The calls that wait within a scope, the oldest first.
    pub(super) fn drain_scope(&mut self, scope: &str) -> Vec<Calling> {
        let keys: Vec<_> = self.queues_in(scope).map(|(key, _)| key.clone()).collect();
        let queues = keys.iter().filter_map(|key| self.by_id.remove(key));
        let pending: Vec<_> = queues.flat_map(Queue::into_all).collect();
        self.end(pending)
    }

    /// All calls that wait, the oldest first.
    pub(super) fn drain(&mut self) -> Vec<Calling> {
        let queues = mem::take(&mut self.by_id).into_values();
        let pending: Vec<_> = queues.flat_map(Queue::into_all).collect();
        self.end(pending)
    }

    fn end(&mut self, pending: Vec<Pending>) -> Vec<Calling> {
        let mut calls = Vec::new();
        for pending in pending {
            self.forget(&pending);
            if let Pending::Call(calling) = pending {
                calls.push(*calling);
            }
        }
        calls.sort_unstable_by_key(|calling: &Calling| calling.number);
        calls
    }

    pub(super) fn calls(&self) -> usize {
        self.calls
    }
}

impl Queue {
    fn all(&self) -> impl Iterator<Item = &Pending> {
        iter::once(&self.oldest).chain(&self.others)
    }

    fn into_all(self) -> Vec<Pending> {
        iter::once(self.oldest).chain(self.others).collect()
    }
}
