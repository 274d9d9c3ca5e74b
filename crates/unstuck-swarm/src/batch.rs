//! What is sent to a store in one step.

use std::io;

use serde::{Deserialize, Serialize};
use unstuck::swarm::Worker;

use crate::keys::{CallKey, SwarmKey};

/// A sender of batches. A store remembers the number of the last entry of each writer, so that an entry that is sent twice is
/// counted once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Writer(u64);

/// One addition to a tally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Number of the entry. Numbers of one writer grow, and start at 1; gaps are allowed.
    pub number: u64,
    /// The call that is counted.
    pub call: CallKey,
    /// The worker that made it.
    pub worker: Worker,
    /// How often it was made.
    pub calls: u32,
}

/// Entries of one writer for one swarm, applied in one step.
///
/// Batches of one writer for one swarm reach the store in the order of their numbers; a batch that was not acknowledged is
/// repeated, alone or with further entries behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch<'a> {
    /// The swarm.
    pub swarm: SwarmKey,
    /// The sender.
    pub writer: Writer,
    /// In the order of their numbers. At most [`Batch::MOST`].
    pub entries: &'a [Entry],
}

impl Batch<'_> {
    /// Most entries of one batch. A store handles nothing else while it applies one.
    pub const MOST: usize = 128;
}

impl Writer {
    /// A writer that no other process has.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(u64::from_be_bytes(bytes)))
    }

    /// The writer with these bits.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits of the writer.
    pub fn to_bits(self) -> u64 {
        self.0
    }
}
