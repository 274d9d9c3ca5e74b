//! One call across the workers of a swarm, as attocode counts it.

use serde::{Deserialize, Serialize};

use crate::{
    decision::{Level, Verdict},
    fingerprint::{Domain, Fingerprinter, Mark},
    identity,
    json::{Json, JsonError},
    memory::Recent,
    nudge,
    rules::{RuleName, Spotted},
    settings::{MemorySettings, Preset, Settings},
    swarm::{Tally, Worker},
};

/// Counts calls across all workers of a swarm, and declares a global doom loop when one was made too often by more
/// than one of them.
///
/// Counts never fall, and calls need not follow each other. Workers that run at the same time share it behind a lock.
///
/// ```
/// use unstuck::{Json, classic::SharedEconomicsState};
///
/// let mut swarm = SharedEconomicsState::new();
/// let args = Json::parse(r#"{"url":"https://api.example/dead"}"#)?;
/// let mut fingerprint = String::new();
/// for worker in ["ann", "bob", "ann", "bob", "ann", "bob", "ann", "bob", "ann", "bob"] {
///     fingerprint = swarm.record(worker, "web_fetch", &args);
/// }
/// assert!(swarm.is_global_doom_loop(&fingerprint));
///
/// let checkpoint = swarm.to_json();
/// let mut restored = SharedEconomicsState::new();
/// restored.restore_from(&checkpoint)?;
/// assert_eq!(restored.global_loop_info(&fingerprint).map(|info| (info.count, info.worker_count)), Some((10, 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Differs from the original in these ways. A global loop takes two workers, as the document says; where
/// [`GlobalThresholds::workers`] is 1, a single worker is enough, as in the original. The 16,384 calls counted last are
/// remembered; the original remembers all. Of one call up to 64 workers are told apart, and a fingerprint of more
/// than 1,024 bytes is kept as its beginning with a hash.
#[derive(Clone, Debug)]
pub struct SharedEconomicsState {
    thresholds: GlobalThresholds,
    prints: Fingerprinter,
    calls: Recent<SharedCall>,
}

/// What makes a global doom loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalThresholds {
    /// Calls of all workers together. 10 by default.
    pub calls: u64,
    /// Workers that must have taken part. 2 by default.
    pub workers: usize,
}

/// How often a call was made, and by how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GlobalLoop {
    /// Calls of all workers together.
    pub count: u64,
    /// Workers that took part.
    pub worker_count: usize,
}

/// How much is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharedStats {
    /// Different calls.
    pub fingerprints: usize,
    /// Those among them that are global doom loops.
    pub global_loops: usize,
}

/// A checkpoint that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("not a checkpoint of shared economics: {message}")]
#[non_exhaustive]
pub struct CheckpointError {
    /// What is wrong with it.
    pub message: String,
}

#[derive(Clone, Debug)]
struct SharedCall {
    fingerprint: Box<str>,
    tally: Tally,
    /// The names behind the tally's workers, in the order they came.
    workers: Vec<Box<str>>,
}

/// What is written to a checkpoint.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    #[serde(default)]
    fingerprints: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    fingerprint: Box<str>,
    count: u64,
    workers: Vec<Box<str>>,
}

impl SharedEconomicsState {
    /// Counts of nothing: ten calls of two workers are a loop.
    pub fn new() -> Self {
        Self::with_thresholds(GlobalThresholds::default())
    }

    /// Counts of nothing, with thresholds of one's own.
    pub fn with_thresholds(thresholds: GlobalThresholds) -> Self {
        Self {
            thresholds,
            prints: Fingerprinter::default(),
            calls: Recent::new(MemorySettings::default().swarm),
        }
    }

    /// Counts a call of a worker. The answer is the call's fingerprint, as
    /// [`LoopDetector::fingerprint`](super::LoopDetector::fingerprint) writes it.
    pub fn record(&mut self, worker: &str, tool: &str, args: &Json) -> String {
        let fingerprint = identity::readable_fingerprint(tool, args);
        self.record_fingerprint(worker, &fingerprint);
        fingerprint
    }

    /// Counts a call of a worker by its fingerprint.
    pub fn record_fingerprint(&mut self, worker: &str, fingerprint: &str) {
        self.entry(fingerprint).add(worker, 1);
    }

    /// Forgets all calls.
    pub fn clear(&mut self) {
        self.calls.clear();
    }

    /// Takes counts over from a checkpoint. Calls that it lists are set to what it says, others stay.
    ///
    /// Thresholds are not part of a checkpoint. Counts without a worker count for nothing. Nothing changes where there
    /// is an error.
    pub fn restore_from(&mut self, checkpoint: &Json) -> Result<(), CheckpointError> {
        let checkpoint: Checkpoint =
            serde_json::from_str(checkpoint.as_str()).map_err(|error| CheckpointError {
                message: error.to_string(),
            })?;
        for entry in checkpoint.fingerprints {
            let call = self.entry(&entry.fingerprint);
            call.tally = Tally::default();
            call.workers.clear();
            // Who made how many is not in a checkpoint: the first stands for all.
            let mut count = entry.count;
            for worker in &entry.workers {
                call.add(worker, std::mem::take(&mut count));
            }
        }
        Ok(())
    }

    /// Has this call become a global doom loop?
    pub fn is_global_doom_loop(&self, fingerprint: &str) -> bool {
        self.find(fingerprint)
            .is_some_and(|call| self.is_loop(call))
    }

    /// How often a call was made, loop or not.
    pub fn global_loop_info(&self, fingerprint: &str) -> Option<GlobalLoop> {
        let tally = &self.find(fingerprint)?.tally;
        Some(GlobalLoop {
            count: tally.calls(),
            worker_count: tally.workers(),
        })
    }

    /// The fingerprints of all global doom loops, the one counted last first.
    pub fn global_loops(&self) -> impl Iterator<Item = &str> {
        self.calls
            .iter()
            .filter(|(_, call)| self.is_loop(call))
            .map(|(_, call)| &*call.fingerprint)
    }

    /// How much is known.
    pub fn stats(&self) -> SharedStats {
        SharedStats {
            fingerprints: self.calls.iter().count(),
            global_loops: self.global_loops().count(),
        }
    }

    /// What to tell a worker that has just made this call, where it is a global doom loop.
    pub fn prompt(&self, fingerprint: &str) -> Option<String> {
        let call = self.find(fingerprint).filter(|call| self.is_loop(call))?;
        let tool = fingerprint.split(':').next().unwrap_or_default();
        let count = u32::try_from(call.tally.calls()).unwrap_or(u32::MAX);
        let mut spotted =
            Spotted::single(RuleName::SwarmLoop, count, (0, 0), Mark::default(), None)
                .of_tool(tool);
        spotted.facts.workers = u32::try_from(call.tally.workers()).unwrap_or(u32::MAX);
        let settings = Settings::of(Preset::Attocode);
        Some(nudge::write(&settings, &spotted, Verdict::Nudge, Some(Level::Notice)).into())
    }

    /// A checkpoint: `{"fingerprints":[{"count":…,"fingerprint":…,"workers":[…]},…]}`, the call counted last at the
    /// end.
    pub fn to_json(&self) -> Json {
        let mut fingerprints: Vec<Entry> = self.calls.iter().map(|(_, call)| call.into()).collect();
        fingerprints.reverse();
        // Texts and counts always have a JSON form.
        let written: Result<Json, JsonError> = Json::from_serialize(&Checkpoint { fingerprints });
        written.unwrap_or_default()
    }

    fn entry(&mut self, fingerprint: &str) -> &mut SharedCall {
        let (mark, short) = self.key(fingerprint);
        self.calls.entry(mark, || SharedCall {
            fingerprint: short,
            tally: Tally::default(),
            workers: Vec::new(),
        })
    }

    fn find(&self, fingerprint: &str) -> Option<&SharedCall> {
        self.calls.get(self.key(fingerprint).0)
    }

    fn is_loop(&self, call: &SharedCall) -> bool {
        call.tally.calls() >= self.thresholds.calls
            && call.tally.workers() >= self.thresholds.workers
    }

    /// What a call is found by, and what is kept of its fingerprint.
    fn key(&self, fingerprint: &str) -> (Mark, Box<str>) {
        const LONGEST: usize = 1_024;
        const BEGINNING: usize = 900;
        let print = |text: &str| self.prints.canonical(Domain::Action, text.as_bytes());
        if fingerprint.len() <= LONGEST {
            return (print(fingerprint).mark(), fingerprint.into());
        }
        let beginning = fingerprint.floor_char_boundary(BEGINNING);
        let short = format!("{}…{}", &fingerprint[..beginning], print(fingerprint));
        (print(&short).mark(), short.into())
    }
}

impl Default for SharedEconomicsState {
    fn default() -> Self {
        Self::new()
    }
}

impl Default for GlobalThresholds {
    fn default() -> Self {
        Self {
            calls: 10,
            workers: 2,
        }
    }
}

impl SharedCall {
    fn add(&mut self, worker: &str, calls: u64) {
        let known = self.tally.workers();
        self.tally.add(Worker::new("", worker), calls);
        if self.tally.workers() > known {
            self.workers.push(worker.into());
        }
    }
}

impl From<&SharedCall> for Entry {
    fn from(call: &SharedCall) -> Self {
        Self {
            fingerprint: call.fingerprint.clone(),
            count: call.tally.calls(),
            workers: call.workers.clone(),
        }
    }
}

#[cfg(test)]
#[path = "shared_economics_state_tests.rs"]
mod tests;
