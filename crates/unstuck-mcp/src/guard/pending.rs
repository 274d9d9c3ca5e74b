//! Requests that wait for an answer of the server.

use std::{borrow::Cow, collections::BTreeMap, mem, ops::Bound};

use unstuck::{Decision, Engine, Event, EventKind, Json, fingerprint::Fingerprint};

use super::{Micros, engines::Ring, hints::Era, record::Judged};
use crate::codec::Id;

/// A call that was passed on, or is about to be.
#[derive(Clone, Debug)]
pub(super) struct Calling {
    /// What all lines of the audit say of it.
    pub(super) about: Box<str>,
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
    /// Memory that it takes, in bytes.
    pub(super) fn cost(&self) -> usize {
        let texts = [
            &self.about,
            &self.event_id,
            &self.tool,
            &self.session,
            &self.agent,
        ];
        let judged = self.judged.reason.as_deref();
        let rest = [self.nudge.as_deref(), judged, self.ring.owner()];
        let rest = rest.into_iter().flatten().map(str::len);
        size_of::<Self>() + texts.iter().map(|text| text.len()).sum::<usize>() + rest.sum::<usize>()
    }

    /// Distinguishes its rounds from those of other calls and agents.
    pub(super) fn round_key(&self) -> Box<str> {
        format!("{}\0{}\0{}", self.session, self.agent, self.fingerprint).into()
    }

    /// The session as policies see it. The names that distinguish the clients of one owner are chosen by them.
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

/// What the answer to a request is about.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    Call(Box<Calling>),
    /// A list of tools.
    List,
    /// Anything else.
    Other,
    /// A request that the client called off. Its answer may be on the way, and the client no longer waits for it.
    Cancelled,
}

/// Requests that wait, by id. An id waits once.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    by_id: BTreeMap<Box<str>, Entry>,
    calls: usize,
    /// Requests other than calls.
    others: usize,
    /// Memory that the calls take, in bytes. Ids are short, so that requests other than calls are bounded by their number.
    bytes: usize,
    /// Stands before ids, so that those of several clients are distinguished.
    scope: Box<str>,
    /// Requests so far.
    count: u64,
}

/// A request that waits.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) pending: Pending,
    /// The id as the client spells it, unless that is its normal form.
    spelled: Option<Box<str>>,
    /// Which of several came first.
    number: u64,
    /// Memory that it takes, in bytes; 0 unless it is a call.
    cost: usize,
}

/// Calls, and requests other than calls, that may wait at once. With more, the oldest are given up.
const MOST: usize = 16_384;

/// How many are given up at once, so that a full list is not searched for every request.
const GIVEN_UP: usize = MOST / 8;

/// Memory that calls which wait may take, in bytes, unless it is a single call. With more, the oldest are given up.
const MOST_BYTES: usize = 64 << 20;

/// How many bytes are given up at once.
const BYTES_GIVEN_UP: usize = MOST_BYTES / 8;

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

    /// Whether an answer with this id may come: a request waits for it, or one was called off. The late answer to a request
    /// that was called off would be taken for that of a new request with its id.
    pub(super) fn has(&self, id: &Id<'_>) -> bool {
        self.by_id.contains_key(&*self.scoped(id.key.as_str()))
    }

    pub(super) fn add_call(&mut self, id: &Id<'_>, calling: Calling) {
        self.add(id, Pending::Call(Box::new(calling)));
    }

    pub(super) fn add(&mut self, id: &Id<'_>, pending: Pending) {
        let cost = match &pending {
            Pending::Call(calling) => {
                self.calls += 1;
                calling.cost()
            }
            Pending::List | Pending::Other | Pending::Cancelled => {
                self.others += 1;
                0
            }
        };
        self.bytes += cost;
        self.count += 1;
        let key = id.key.as_str();
        let entry = Entry {
            pending,
            spelled: (id.raw != key).then(|| id.raw.into()),
            number: self.count,
            cost,
        };
        if let Some(before) = self.by_id.insert(self.scoped(key).into(), entry) {
            self.forget(&before.pending, before.cost);
        }
    }

    /// Takes the request that waits for an answer with this id.
    pub(super) fn take(&mut self, id: &Json) -> Option<Entry> {
        let taken = self.by_id.remove(&*self.scoped(id.as_str()))?;
        self.forget(&taken.pending, taken.cost);
        Some(taken)
    }

    /// Takes a request that the client has called off, and remembers that an answer to it may come.
    pub(super) fn cancel(&mut self, id: &Json) -> Option<Pending> {
        let key = self.scoped(id.as_str());
        let entry = self.by_id.get_mut(&*key)?;
        let cancelled = mem::replace(&mut entry.pending, Pending::Cancelled);
        let cost = mem::take(&mut entry.cost);
        self.forget(&cancelled, cost);
        self.others += 1;
        Some(cancelled)
    }

    /// It waits no longer.
    fn forget(&mut self, taken: &Pending, cost: usize) {
        self.bytes -= cost;
        match taken {
            Pending::Call(_) => self.calls -= 1,
            Pending::List | Pending::Other | Pending::Cancelled => self.others -= 1,
        }
    }

    /// Takes the only request that waits in this scope, with the client's spelling of its id. `None` if there are more.
    pub(super) fn take_only(&mut self) -> Option<(Box<str>, Pending)> {
        let mut waiting = self
            .entries_in(&self.scope)
            .filter(|(_, entry)| !matches!(entry.pending, Pending::Cancelled));
        let (key, _) = waiting.next()?;
        if waiting.next().is_some() {
            return None;
        }
        let key = key.clone();
        drop(waiting);
        let entry = self.by_id.remove(&key)?;
        self.forget(&entry.pending, entry.cost);
        Some((self.spelling(&key, entry.spelled), entry.pending))
    }

    fn entries_in(&self, scope: &str) -> impl Iterator<Item = (&Box<str>, &Entry)> {
        let from = (Bound::Included(scope), Bound::Unbounded);
        let entries = self.by_id.range::<str, _>(from);
        entries.take_while(move |(key, _)| key.starts_with(scope))
    }

    /// The client's spelling of an id.
    fn spelling(&self, key: &str, spelled: Option<Box<str>>) -> Box<str> {
        spelled.unwrap_or_else(|| key.strip_prefix(&*self.scope).unwrap_or(key).into())
    }

    /// Takes back a call by its number. Rare, so it is searched for.
    pub(super) fn revoke(&mut self, number: u64) -> Option<(Box<str>, Box<Calling>)> {
        let is =
            |entry: &Entry| matches!(&entry.pending, Pending::Call(call) if call.number == number);
        let found = self.by_id.iter().find(|(_, entry)| is(entry));
        let key = found?.0.clone();
        let entry = self.by_id.remove(&key)?;
        self.forget(&entry.pending, entry.cost);
        match entry.pending {
            Pending::Call(calling) => Some((self.spelling(&key, entry.spelled), calling)),
            Pending::List | Pending::Other | Pending::Cancelled => None,
        }
    }

    /// Makes room for another call that takes so many bytes: the oldest calls, if they are too many or take too much.
    pub(super) fn old_calls(&mut self, cost: usize) -> Vec<Calling> {
        let over = self.bytes.saturating_add(cost).saturating_sub(MOST_BYTES);
        let number = if self.calls < MOST { 0 } else { GIVEN_UP };
        let bytes = if over == 0 { 0 } else { over + BYTES_GIVEN_UP };
        if number == 0 && bytes == 0 {
            return Vec::new();
        }
        let is_call = |pending: &Pending| matches!(pending, Pending::Call(_));
        let old = self.take_oldest(is_call, number, bytes);
        self.end(old)
    }

    /// Makes room for another request that is not a call. Returns how many were given up.
    pub(super) fn old_others(&mut self) -> usize {
        if self.others < MOST {
            return 0;
        }
        let is_other = |pending: &Pending| !matches!(pending, Pending::Call(_));
        let old = self.take_oldest(is_other, GIVEN_UP, 0);
        let count = old.len();
        self.end(old);
        count
    }

    /// Takes the oldest until they are so many and have taken so many bytes.
    fn take_oldest(
        &mut self,
        which: impl Fn(&Pending) -> bool,
        number: usize,
        bytes: usize,
    ) -> Vec<Entry> {
        let entries = self.by_id.iter().filter(|(_, entry)| which(&entry.pending));
        let mut oldest: Vec<_> = entries
            .map(|(key, entry)| (entry.number, entry.cost, key))
            .collect();
        oldest.sort_unstable();
        let mut taken = 0;
        let enough = oldest.iter().enumerate().position(|(place, (_, cost, _))| {
            let is_enough = place >= number && taken >= bytes;
            taken += cost;
            is_enough
        });
        oldest.truncate(enough.unwrap_or(oldest.len()));
        let keys: Vec<_> = oldest.into_iter().map(|(_, _, key)| key.clone()).collect();
        self.remove_all(&keys)
    }

    fn remove_all(&mut self, keys: &[Box<str>]) -> Vec<Entry> {
        let entries = keys.iter().filter_map(|key| self.by_id.remove(key));
        entries.collect()
    }

    /// The calls that wait within a scope, the oldest first.
    pub(super) fn drain_scope(&mut self, scope: &str) -> Vec<Calling> {
        let keys: Vec<_> = self.entries_in(scope).map(|(key, _)| key.clone()).collect();
        let entries = self.remove_all(&keys);
        self.end(entries)
    }

    /// All calls that wait, the oldest first.
    pub(super) fn drain(&mut self) -> Vec<Calling> {
        let entries = mem::take(&mut self.by_id).into_values().collect();
        self.end(entries)
    }

    fn end(&mut self, entries: Vec<Entry>) -> Vec<Calling> {
        let mut calls = Vec::new();
        for entry in entries {
            self.forget(&entry.pending, entry.cost);
            if let Pending::Call(calling) = entry.pending {
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

impl Entry {
    /// The client's spelling of its id, given the normal form.
    pub(super) fn spelling(&self, key: &Json) -> Box<str> {
        self.spelled.clone().unwrap_or_else(|| key.as_str().into())
    }
}

#[cfg(test)]
#[path = "pending_tests.rs"]
mod tests;
