//! Swarms: workers that share a tally of what they call.
//!
//! The engine says what one call adds ([`Delta`]); a [`SwarmStore`] adds it and says how things stand ([`Tally`]).
//! Adding is commutative and associative, so it does not matter in which order the deltas of many machines arrive.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    fingerprint::{Fingerprint, Mark},
    hash::Key,
    memory::Recent,
};

/// A worker of a swarm: one agent of one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Worker(u64);

/// What one call adds to a swarm's tally.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Delta {
    /// The swarm.
    pub swarm: Box<str>,
    /// What was called.
    pub fingerprint: Fingerprint,
    /// Who called it.
    pub worker: Worker,
    /// How often.
    pub calls: u64,
}

/// How often a swarm has made one call, worker by worker.
///
/// ```
/// use unstuck::{Tally, Worker};
///
/// let (ann, bob) = (Worker::new("s1", "ann"), Worker::new("s1", "bob"));
/// let mut here = Tally::default();
/// here.add(ann, 2);
/// let mut there = Tally::default();
/// there.add(bob, 1);
/// here.merge(&there);
/// assert_eq!((here.calls(), here.workers()), (3, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tally {
    calls: BTreeMap<Worker, u64>,
}

/// Where swarm tallies are kept.
pub trait SwarmStore {
    /// Adds the delta and returns the tally it went into, all in one step.
    fn apply(&mut self, delta: &Delta) -> Tally;
}

/// A store in memory that forgets the calls that were counted longest ago.
#[derive(Clone, Debug)]
pub struct SwarmBook {
    tallies: Recent<Tally>,
}

impl Worker {
    /// The worker with these names.
    pub fn new(session: &str, agent: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        // The length keeps ("a", "bc") apart from ("ab", "c").
        hasher.update(&(session.len() as u64).to_le_bytes());
        hasher.update(session.as_bytes());
        hasher.update(agent.as_bytes());
        Self(Fingerprint::from_hash(&hasher.finalize()).mark().0)
    }
}

impl Delta {
    /// One call.
    pub fn new(swarm: impl Into<Box<str>>, fingerprint: Fingerprint, worker: Worker) -> Self {
        Self {
            swarm: swarm.into(),
            fingerprint,
            worker,
            calls: 1,
        }
    }
}

impl Tally {
    /// Workers that are told apart; more are counted together, so that a tally stays small.
    pub const MAX_WORKERS: usize = 64;

    /// Adds calls of a worker.
    pub fn add(&mut self, worker: Worker, calls: u64) {
        let known = self.calls.len() < Self::MAX_WORKERS || self.calls.contains_key(&worker);
        let slot = if known {
            Some(worker)
        } else {
            self.calls.keys().next_back().copied()
        };
        if let Some(slot) = slot {
            let count = self.calls.entry(slot).or_default();
            *count = count.saturating_add(calls);
        }
    }

    /// Adds another tally to this one.
    pub fn merge(&mut self, other: &Self) {
        for (worker, calls) in &other.calls {
            self.add(*worker, *calls);
        }
    }

    /// All calls.
    pub fn calls(&self) -> u64 {
        self.calls
            .values()
            .fold(0, |sum, calls| sum.saturating_add(*calls))
    }

    /// Workers that took part.
    pub fn workers(&self) -> usize {
        self.calls.len()
    }

    /// The calls of each worker.
    pub fn by_worker(&self) -> impl Iterator<Item = (Worker, u64)> {
        self.calls.iter().map(|(worker, calls)| (*worker, *calls))
    }
}

impl SwarmBook {
    /// A book for so many different calls.
    pub fn new(capacity: u32) -> Self {
        Self::keyed(capacity, Key::default())
    }

    pub(crate) fn keyed(capacity: u32, key: Key) -> Self {
        Self {
            tallies: Recent::new(capacity, key),
        }
    }
}

impl SwarmStore for SwarmBook {
    fn apply(&mut self, delta: &Delta) -> Tally {
        let swarm = Fingerprint::from_hash(&blake3::hash(delta.swarm.as_bytes())).mark();
        let key: Mark = swarm.join(delta.fingerprint.mark());
        let tally = self.tallies.entry(key, Tally::default);
        tally.add(delta.worker, delta.calls);
        tally.clone()
    }
}
