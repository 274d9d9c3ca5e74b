//! Calls that wait for their result.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::{
    facts::{CallFacts, Extractor},
    fingerprint::{Fingerprint, Mark},
    memory::{Memory, Unsound},
    options::Room,
    rules::{RuleFacts, RuleName},
    state::{MadeCall, Overlap},
};

/// Bytes of the longest id that is kept as it is.
const LONGEST_ID: usize = 64;

/// A call under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PendingCall {
    id: Box<str>,
    pub(super) call: MadeCall,
    /// The private facts of rules about it.
    pub(super) facts: RuleFacts,
    /// The rule and the pattern it was denied for. Its result would mean that it ran after all.
    pub(super) denied: Option<(RuleName, Mark)>,
}

/// The calls under way, oldest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PendingCalls {
    calls: VecDeque<PendingCall>,
    /// For each of the calls the lowest bits of its exact and its near mark. A call is compared with these first, because
    /// they lie side by side. Made anew when state is restored.
    #[serde(skip)]
    starts: VecDeque<[u16; 2]>,
    #[serde(skip)]
    bound: usize,
}

impl PendingCall {
    pub(super) fn new(id: Box<str>, call: MadeCall, facts: RuleFacts) -> Self {
        Self {
            id: bounded(id),
            call,
            facts,
            denied: None,
        }
    }
}

impl PendingCalls {
    pub(super) fn new(room: &Room) -> Self {
        Self {
            calls: VecDeque::new(),
            starts: VecDeque::new(),
            bound: room.pending.get() as usize,
        }
    }

    pub(super) fn push(&mut self, call: PendingCall) {
        while self.calls.len() >= self.bound {
            self.calls.pop_front();
            self.starts.pop_front();
        }
        let len = self.calls.len();
        if len == self.calls.capacity() {
            // Doubling would leave room for more than the bound.
            self.calls.reserve_exact(len.clamp(1, self.bound - len));
        }
        self.starts.push_back(starts(&call.call.facts));
        self.calls.push_back(call);
    }

    /// Whether an equal and whether a similar call of this round are still under way.
    pub(super) fn overlaps(&self, call: &CallFacts, round: u32) -> (Overlap, Overlap) {
        let is_equal = |pending: &PendingCall| pending.call.facts.exact == call.exact;
        let is_similar = |pending: &PendingCall| pending.call.facts.near == call.near;
        // Most are neither. A loop without branches over each part of the ring compiles to vector instructions.
        let [exact, near] = starts(call);
        let (older, newer) = self.starts.as_slices();
        let starts = [older, newer].into_iter().flatten();
        let hits = starts.fold(0, |hits, known| {
            hits | u8::from(known[0] == exact) | u8::from(known[1] == near)
        });
        if hits == 0 {
            return (Overlap::Alone, Overlap::Alone);
        }
        let calls = self.calls.iter().rev();
        let of_round = calls.take_while(|pending| pending.call.round == round);
        let mut under_way = of_round.filter(|pending| pending.denied.is_none());
        let overlap = |any| {
            if any {
                Overlap::Parallel
            } else {
                Overlap::Alone
            }
        };
        (
            overlap(under_way.clone().any(is_equal)),
            overlap(under_way.any(is_similar)),
        )
    }

    /// Removes the newest call with this id.
    pub(super) fn take(&mut self, id: &str) -> Option<PendingCall> {
        let long = (id.len() > LONGEST_ID).then(|| bounded(id.into()));
        let id = long.as_deref().unwrap_or(id);
        let at = self.calls.iter().rposition(|pending| *pending.id == *id)?;
        self.starts.remove(at);
        self.calls.remove(at)
    }

    /// Marks the calls of a round that have no result as lost, and returns those that were not marked before.
    pub(super) fn end_round(&mut self, round: u32) -> impl Iterator<Item = &MadeCall> {
        self.calls
            .iter_mut()
            .rev()
            .take_while(move |pending| pending.call.round == round)
            .filter(|pending| !pending.call.lost && pending.denied.is_none())
            .map(|pending| {
                pending.call.lost = true;
                &pending.call
            })
    }

    /// Forgets the calls of a round that never happened.
    pub(super) fn forget_round(&mut self, round: u32) {
        self.calls.retain(|pending| pending.call.round != round);
        self.find_starts();
    }

    /// What a swarm compares each of the calls by.
    pub(super) fn swarm_prints(&self, extractor: &Extractor) -> Vec<Option<Fingerprint>> {
        let calls = self.calls.iter();
        calls
            .map(|pending| extractor.swarm_print(&pending.call.facts.swarm_key))
            .collect()
    }

    /// The same, from stored state.
    pub(super) fn restore_swarm_prints(&mut self, prints: Vec<Option<Fingerprint>>) {
        for (pending, print) in self.calls.iter_mut().zip(prints) {
            pending.call.facts.swarm_key = print.into();
        }
    }

    fn find_starts(&mut self) {
        self.starts.clear();
        let calls = self.calls.iter();
        self.starts
            .extend(calls.map(|pending| starts(&pending.call.facts)));
    }
}

/// A retry takes back the calls of its round: see [`PendingCalls::forget_round`].
impl Memory for PendingCalls {
    fn commit(&mut self) {}

    fn rollback(&mut self) {}

    fn fit(&mut self, fresh: &Self) -> Result<(), Unsound> {
        self.bound = fresh.bound;
        self.calls
            .drain(..self.calls.len().saturating_sub(self.bound));
        self.find_starts();
        Ok(())
    }
}

/// The lowest bits of the exact and the near mark.
fn starts(call: &CallFacts) -> [u16; 2] {
    [call.exact.0 as u16, call.near.0 as u16]
}

/// An id as it is kept: a long one by its hash, so that memory is bounded in bytes too.
fn bounded(id: Box<str>) -> Box<str> {
    if id.len() <= LONGEST_ID {
        id
    } else {
        blake3::hash(id.as_bytes()).to_hex().as_str().into()
    }
}
