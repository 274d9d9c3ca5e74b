//! The agents that an engine watches, bounded.

use std::{borrow::Cow, collections::BTreeSet, num::NonZeroU32};

use super::session::Session;
use crate::{hash::Key, memory::Index};

/// The agents. The one that was silent longest makes room for a new one, a halted one only when all are halted.
#[derive(Clone)]
pub(super) struct Agents {
    slots: Vec<Slot>,
    /// Slots by the names of their agents.
    index: Index,
    key: Key,
    /// Slots in the order in which they make room. A search through all slots would cost too much where every event
    /// has a new name; this takes about a dozen comparisons, and none while events come from one agent.
    order: BTreeSet<Turn>,
    /// The slot that was entered last, and how many were entered.
    last: u32,
    entered: u64,
    capacity: u32,
}

#[derive(Clone)]
struct Slot {
    session: Box<str>,
    agent: Box<str>,
    /// Where the index looks for it.
    hash: u64,
    turn: Turn,
    state: Session,
}

/// When a slot makes room: halted agents last, and those that were silent longest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    halted: bool,
    last_seen: u64,
    slot: u32,
}

impl Agents {
    pub(super) fn new(capacity: NonZeroU32, key: Key) -> Self {
        Self {
            slots: Vec::new(),
            index: Index::new(key),
            key,
            order: BTreeSet::new(),
            last: 0,
            entered: 0,
            capacity: capacity.get(),
        }
    }

    /// The state of an agent, made if there is none, for `change`. The agent becomes the most recent one.
    pub(super) fn enter<T>(
        &mut self,
        session: &str,
        agent: &str,
        make: impl FnOnce() -> Session,
        change: impl FnOnce(&mut Session) -> T,
    ) -> T {
        let (session, agent) = (&*bounded(session), &*bounded(agent));
        // Most events are of the same agent as the event before.
        if !self.is_of(self.last, session, agent) {
            let hash = self.key.place_of_names(session, agent);
            let known = self.find(hash, session, agent);
            self.last = known.unwrap_or_else(|| self.insert(hash, session, agent, make()));
            self.entered += 1;
            self.reorder(|turn, entered| turn.last_seen = entered);
        }
        let state = &mut self.slots[self.last as usize].state;
        let changed = change(state);
        let halted = state.is_halted();
        if self.slots[self.last as usize].turn.halted != halted {
            self.reorder(|turn, _| turn.halted = halted);
        }
        changed
    }

    pub(super) fn get(&self, session: &str, agent: &str) -> Option<&Session> {
        let (session, agent) = (&*bounded(session), &*bounded(agent));
        let at = self.find(self.key.place_of_names(session, agent), session, agent)?;
        self.slots.get(at as usize).map(|slot| &slot.state)
    }

    /// The names of all agents.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.slots.iter().map(|slot| (&*slot.session, &*slot.agent))
    }

    /// Puts an agent in a slot that is free, or is made free.
    fn insert(&mut self, hash: u64, session: &str, agent: &str, state: Session) -> u32 {
        let free = self.slots.len() as u32;
        let leaves = if free < self.capacity {
            None
        } else {
            self.order.pop_first()
        };
        let at = leaves.map_or(free, |turn| turn.slot);
        let slot = Slot {
            session: session.into(),
            agent: agent.into(),
            hash,
            turn: Turn {
                halted: false,
                last_seen: 0,
                slot: at,
            },
            state,
        };
        let hash_of = |slots: &[Slot], at: u32| slots[at as usize].hash;
        if leaves.is_some() {
            let slots = &self.slots;
            self.index
                .remove(hash_of(slots, at), at, |other| hash_of(slots, other));
            self.slots[at as usize] = slot;
        } else {
            self.slots.push(slot);
        }
        let slots = &self.slots;
        self.index.insert(hash, at, |other| hash_of(slots, other));
        at
    }

    /// Changes when the slot that was entered last makes room.
    fn reorder(&mut self, change: impl FnOnce(&mut Turn, u64)) {
        let turn = &mut self.slots[self.last as usize].turn;
        self.order.remove(turn);
        change(turn, self.entered);
        self.order.insert(*turn);
    }

    /// Full names are compared: a hash may be shared.
    fn find(&self, hash: u64, session: &str, agent: &str) -> Option<u32> {
        self.index.find(hash, |at| self.is_of(at, session, agent))
    }

    fn is_of(&self, at: u32, session: &str, agent: &str) -> bool {
        let slot = self.slots.get(at as usize);
        slot.is_some_and(|slot| *slot.session == *session && *slot.agent == *agent)
    }
}

/// A name as it is kept: a long one by its hash, so that memory is bounded in bytes too.
fn bounded(name: &str) -> Cow<'_, str> {
    const LONGEST: usize = 256;
    if name.len() <= LONGEST {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(blake3::hash(name.as_bytes()).to_hex().to_string())
    }
}
