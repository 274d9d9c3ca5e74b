//! Swarms: workers that share a tally of what they call.
//!
//! The engine returns what one call adds ([`Delta`]); a [`SwarmStore`] adds it and returns the sum ([`Tally`]).
//! Adding is commutative and associative, so it does not matter in which order the deltas of many machines arrive.

use std::num::NonZeroU32;

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

/// The addition of one call to a swarm's tally.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Delta {
    /// The swarm.
    pub swarm: Box<str>,
    /// The fingerprint of the call.
    pub fingerprint: Fingerprint,
    /// The worker that made the call.
    pub worker: Worker,
    /// Number of calls.
    pub calls: u64,
}

/// How often a swarm has made one call, worker by worker.
///
/// ```
/// use unstuck::swarm::{Tally, Worker};
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
#[serde(from = "BTreeMap<Worker, u64>", into = "BTreeMap<Worker, u64>")]
pub struct Tally(Counts);

/// Calls by worker. Most tallies have one worker, and a store holds thousands of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Counts {
    #[default]
    Empty,
    One(Worker, u64),
    /// At least two, in the order of the workers.
    Many(Vec<(Worker, u64)>),
}

/// Storage of swarm tallies.
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

    /// The worker with these bits, as a store returned it.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits that identify the worker in a store.
    pub fn to_bits(self) -> u64 {
        self.0
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
    /// Number of workers that are counted separately; further ones are counted together, so that a tally stays small.
    pub const MAX_WORKERS: usize = 64;

    /// Adds calls of a worker.
    pub fn add(&mut self, worker: Worker, calls: u64) {
        let one = match &mut self.0 {
            Counts::Empty => {
                self.0 = Counts::One(worker, calls);
                return;
            }
            Counts::One(known, count) if *known == worker => {
                *count = count.saturating_add(calls);
                return;
            }
            Counts::One(known, count) => (*known, *count),
            Counts::Many(counts) => {
                let at = match counts.binary_search_by_key(&worker, |(known, _)| *known) {
                    Ok(at) => at,
                    Err(at) if counts.len() < Self::MAX_WORKERS => {
                        counts.insert(at, (worker, calls));
                        return;
                    }
                    Err(_) => counts.len() - 1,
                };
                let count = &mut counts[at].1;
                *count = count.saturating_add(calls);
                return;
            }
        };
        let mut two = vec![one, (worker, calls)];
        two.sort_unstable_by_key(|(worker, _)| *worker);
        self.0 = Counts::Many(two);
    }

    /// Adds another tally to this one.
    pub fn merge(&mut self, other: &Self) {
        for (worker, calls) in other.by_worker() {
            self.add(worker, calls);
        }
    }

    /// All calls.
    pub fn calls(&self) -> u64 {
        self.by_worker()
            .fold(0, |sum, (_, calls)| sum.saturating_add(calls))
    }

    /// Workers that took part.
    pub fn workers(&self) -> usize {
        self.by_worker().count()
    }

    /// The calls of each worker, in the order of the workers.
    pub fn by_worker(&self) -> impl Iterator<Item = (Worker, u64)> {
        let (one, many) = match &self.0 {
            Counts::Empty => (None, [].as_slice()),
            Counts::One(worker, calls) => (Some((*worker, *calls)), [].as_slice()),
            Counts::Many(counts) => (None, counts.as_slice()),
        };
        one.into_iter().chain(many.iter().copied())
    }
}

/// More workers than a tally distinguishes are counted together, as [`Tally::add`] does.
impl From<BTreeMap<Worker, u64>> for Tally {
    fn from(counts: BTreeMap<Worker, u64>) -> Self {
        let mut tally = Self::default();
        for (worker, calls) in counts {
            tally.add(worker, calls);
        }
        tally
    }
}

impl From<Tally> for BTreeMap<Worker, u64> {
    fn from(tally: Tally) -> Self {
        tally.by_worker().collect()
    }
}

impl SwarmBook {
    /// Creates a store for `capacity` different calls.
    pub fn new(capacity: NonZeroU32) -> Self {
        Self::keyed(capacity, Key::default())
    }

    pub(crate) fn keyed(capacity: NonZeroU32, key: Key) -> Self {
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

#[cfg(test)]
#[path = "swarm_tests.rs"]
mod tests;
