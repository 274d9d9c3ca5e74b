//! One call across the workers of a swarm, as attocode counts it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unstuck::{
    Json, JsonError, Level, Preset, RuleName, Settings, Verdict, coarse_fingerprint,
    fingerprint::{Domain, Fingerprinter},
    message::MessageFacts,
    swarm::{Tally, Worker},
};

use crate::recent::Recent;

/// Counts calls across all workers of a swarm, and reports a global doom loop if several workers made one call too often.
///
/// Counts never decrease, and the calls need not be consecutive. Workers that run concurrently share it behind a lock.
///
/// ```
/// use unstuck::Json;
/// use unstuck_classic::SharedEconomicsState;
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
/// It keeps one [`Tally`] per call. The texts are those of the rule `swarm-loop` of the preset `attocode`.
///
/// It differs from the original in these ways. A global loop needs two workers, as the document says; with
/// [`GlobalThresholds::workers`] of 1, a single worker is enough, as in the original. The 16,384 calls that were counted
/// last are remembered; the original remembers all. Up to 64 workers of one call are distinguished, and a fingerprint of more
/// than 1,024 bytes is stored as its beginning with a hash.
#[derive(Clone, Debug)]
pub struct SharedEconomicsState {
    thresholds: GlobalThresholds,
    prints: Fingerprinter,
    calls: Recent<SharedCall>,
}

/// Thresholds of a global doom loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalThresholds {
    /// Number of calls of all workers together. 10 by default.
    pub calls: u64,
    /// Number of workers that must have made the call. 2 by default.
    pub workers: usize,
}

/// How often a call was made, and by how many workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GlobalLoop {
    /// Number of calls of all workers together.
    pub count: u64,
    /// Number of workers that made the call.
    pub worker_count: usize,
}

/// Numbers of known calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharedStats {
    /// Number of different calls.
    pub fingerprints: usize,
    /// Number of those that are global doom loops.
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

/// Calls that are remembered.
const CAPACITY: usize = 16_384;

#[derive(Clone, Debug, Default)]
struct SharedCall {
    tally: Tally,
    /// Names of the workers in the tally, in the order of their first calls.
    workers: Vec<Box<str>>,
}

/// The content of a checkpoint.
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
    /// Creates a state without calls, for which ten calls of two workers are a loop.
    pub fn new() -> Self {
        Self::with_thresholds(GlobalThresholds::default())
    }

    /// Creates a state without calls, with these thresholds.
    pub fn with_thresholds(thresholds: GlobalThresholds) -> Self {
        Self {
            thresholds,
            prints: Fingerprinter::default(),
            calls: Recent::new(CAPACITY),
        }
    }

    /// Counts a call of a worker. Returns the fingerprint of the call, as
    /// [`LoopDetector::fingerprint`](crate::LoopDetector::fingerprint) does.
    pub fn record(&mut self, worker: &str, tool: &str, args: &Json) -> String {
        let fingerprint = coarse_fingerprint(tool, args);
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

    /// Restores counts from a checkpoint. Listed calls get the counts of the checkpoint, other calls keep theirs.
    ///
    /// Thresholds are not part of a checkpoint. The count of a call without workers is ignored. After an error nothing has
    /// changed.
    pub fn restore_from(&mut self, checkpoint: &Json) -> Result<(), CheckpointError> {
        let checkpoint: Checkpoint =
            serde_json::from_str(checkpoint.as_str()).map_err(|error| CheckpointError {
                message: error.to_string(),
            })?;
        for entry in checkpoint.fingerprints {
            let call = self.entry(&entry.fingerprint);
            call.tally = Tally::default();
            call.workers.clear();
            // A checkpoint has no counts per worker: the first worker gets all calls.
            let mut count = entry.count;
            for worker in &entry.workers {
                call.add(worker, std::mem::take(&mut count));
            }
        }
        Ok(())
    }

    /// Whether this call is a global doom loop.
    pub fn is_global_doom_loop(&self, fingerprint: &str) -> bool {
        self.find(fingerprint)
            .is_some_and(|call| self.is_loop(call))
    }

    /// How often a call was made and by how many workers. `None` if it is not known.
    pub fn global_loop_info(&self, fingerprint: &str) -> Option<GlobalLoop> {
        let tally = &self.find(fingerprint)?.tally;
        Some(GlobalLoop {
            count: tally.calls(),
            worker_count: tally.workers(),
        })
    }

    /// Fingerprints of all global doom loops, the one that was counted last first.
    pub fn global_loops(&self) -> impl Iterator<Item = &str> {
        self.calls
            .iter()
            .filter(|(_, call)| self.is_loop(call))
            .map(|(fingerprint, _)| fingerprint)
    }

    /// Numbers of known calls and loops.
    pub fn stats(&self) -> SharedStats {
        SharedStats {
            fingerprints: self.calls.len(),
            global_loops: self.global_loops().count(),
        }
    }

    /// Message for a worker that has just made this call. `None` if the call is not a global doom loop.
    pub fn prompt(&self, fingerprint: &str) -> Option<String> {
        let call = self.find(fingerprint).filter(|call| self.is_loop(call))?;
        let tool = fingerprint.split(':').next().unwrap_or_default();
        let count = u32::try_from(call.tally.calls()).unwrap_or(u32::MAX);
        let mut facts = MessageFacts::of_count(count);
        facts.tool = Some(tool);
        facts.workers = u32::try_from(call.tally.workers()).unwrap_or(u32::MAX);
        let settings = Settings::of(Preset::Attocode);
        let level = Some(Level::Notice);
        let message = settings.message(RuleName::SwarmLoop, Verdict::Nudge, level, facts);
        Some(message.into())
    }

    /// Returns a checkpoint: `{"fingerprints":[{"count":…,"fingerprint":…,"workers":[…]},…]}`. The call that was counted
    /// last comes last.
    pub fn to_json(&self) -> Json {
        let calls = self.calls.iter().rev();
        let fingerprints = calls.map(|(fingerprint, call)| Entry {
            fingerprint: fingerprint.into(),
            count: call.tally.calls(),
            workers: call.workers.clone(),
        });
        let checkpoint = Checkpoint {
            fingerprints: fingerprints.collect(),
        };
        // Texts and counts always have a JSON form.
        let written: Result<Json, JsonError> = Json::from_serialize(&checkpoint);
        written.unwrap_or_default()
    }

    fn entry(&mut self, fingerprint: &str) -> &mut SharedCall {
        let key = self.key(fingerprint);
        self.calls.entry(&key)
    }

    fn find(&self, fingerprint: &str) -> Option<&SharedCall> {
        self.calls.get(&self.key(fingerprint))
    }

    fn is_loop(&self, call: &SharedCall) -> bool {
        call.tally.calls() >= self.thresholds.calls
            && call.tally.workers() >= self.thresholds.workers
    }

    /// The fingerprint as it is stored.
    fn key<'f>(&self, fingerprint: &'f str) -> Cow<'f, str> {
        const LONGEST: usize = 1_024;
        const BEGINNING: usize = 900;
        if fingerprint.len() <= LONGEST {
            return fingerprint.into();
        }
        let beginning = &fingerprint[..unstuck_text::floor_char_boundary(fingerprint, BEGINNING)];
        let hash = self
            .prints
            .canonical(Domain::Action, fingerprint.as_bytes());
        format!("{beginning}…{hash}").into()
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

#[cfg(test)]
#[path = "shared_economics_state_tests.rs"]
mod tests;
