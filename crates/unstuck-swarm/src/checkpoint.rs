//! Tallies of a swarm as a text that can be stored and restored.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use unstuck::swarm::Worker;

use crate::{
    batch::{Batch, Entry, Writer},
    error::TallyError,
    keys::{CallKey, SwarmKey},
    store::{CallTally, TallyStore},
};

/// The tallies of one swarm, to be stored as JSON with a run and restored with it:
/// `{"version":1,"calls":{CALL:{WORKER:NUMBER,…},…}}`, where calls and workers are keyed hashes in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    version: Version,
    calls: BTreeMap<Hex<16>, BTreeMap<Hex<8>, Count>>,
}

/// The one version that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
struct Version;

/// Number of calls. `3.0` is the integer 3 in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u32", try_from = "f64")]
struct Count(u32);

/// Bytes as hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
struct Hex<const N: usize>([u8; N]);

impl Checkpoint {
    /// The tallies of a swarm as they are now.
    pub fn take(
        store: &dyn TallyStore,
        swarm: SwarmKey,
        within: Duration,
    ) -> Result<Self, TallyError> {
        let calls = store.tallies(swarm, within)?.into_iter();
        let workers = |counted: &CallTally| {
            let workers = counted.tally.by_worker();
            workers
                .map(|(worker, calls)| {
                    let calls = u32::try_from(calls).unwrap_or(u32::MAX);
                    (Hex(worker.to_bits().to_be_bytes()), Count(calls))
                })
                .collect()
        };
        Ok(Self {
            version: Version,
            calls: calls
                .map(|counted| (Hex(*counted.call.as_bytes()), workers(&counted)))
                .collect(),
        })
    }

    /// Replaces the tallies of a swarm by these. After an error a part of them may be there.
    pub fn restore(
        &self,
        store: &dyn TallyStore,
        swarm: SwarmKey,
        within: Duration,
    ) -> Result<(), TallyError> {
        let until = Instant::now() + within;
        let left = || until.saturating_duration_since(Instant::now());
        let writer = Writer::random().map_err(|error| TallyError::Away(error.to_string()))?;
        store.clear(swarm, left())?;
        let counts = self.calls.iter().flat_map(|(call, workers)| {
            workers
                .iter()
                .map(move |(worker, calls)| (call, worker, calls))
        });
        let entries: Vec<_> = (1..)
            .zip(counts)
            .map(|(number, (call, worker, calls))| Entry {
                number,
                call: CallKey::from_bytes(call.0),
                worker: Worker::from_bits(u64::from_be_bytes(worker.0)),
                calls: calls.0,
            })
            .collect();
        for entries in entries.chunks(Batch::MOST) {
            let batch = Batch {
                swarm,
                writer,
                entries,
            };
            store.apply(&batch, left())?;
        }
        Ok(())
    }

    /// Number of different calls.
    pub fn calls(&self) -> usize {
        self.calls.len()
    }
}

impl From<Version> for u8 {
    fn from(_: Version) -> Self {
        1
    }
}

impl TryFrom<u8> for Version {
    type Error = String;

    fn try_from(version: u8) -> Result<Self, String> {
        match version {
            1 => Ok(Self),
            other => Err(format!("version {other} of checkpoints is not known")),
        }
    }
}

impl From<Count> for u32 {
    fn from(count: Count) -> Self {
        count.0
    }
}

impl TryFrom<f64> for Count {
    type Error = &'static str;

    fn try_from(number: f64) -> Result<Self, &'static str> {
        if number.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&number) {
            return Err("a number of calls is an integer from 0 to 4294967295");
        }
        #[expect(clippy::cast_sign_loss, reason = "it is a whole number of 32 bits")]
        let count = number as u32;
        Ok(Self(count))
    }
}

impl<const N: usize> From<Hex<N>> for String {
    fn from(hex: Hex<N>) -> Self {
        let digits = hex.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits
            .filter_map(|digit| char::from_digit(digit.into(), 16))
            .collect()
    }
}

impl<const N: usize> TryFrom<String> for Hex<N> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || format!("a key has {} hexadecimal digits", N * 2);
        if text.len() != N * 2 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut bytes = [0; N];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
#[path = "checkpoint_tests.rs"]
mod tests;
