//! The scripts that a server runs, each in one step.

use unstuck::swarm::{Tally, Worker};
use unstuck_swarm::{Batch, Entry};

/// Applies a batch.
pub(crate) const APPLY: &str = include_str!("apply.lua");

/// The name of [`APPLY`] in a server that knows it: its SHA-1.
pub(crate) const APPLY_SHA1: &str = "38800173144dadb332f5039dc92699e526fa2c90";

/// Lists the tallies of a swarm.
pub(crate) const LIST: &str = include_str!("list.lua");

/// Forgets the calls of a swarm.
pub(crate) const CLEAR: &str = include_str!("clear.lua");

/// Takes in news about a call.
pub(crate) const DEAD: &str = include_str!("dead.lua");

/// The name of [`DEAD`] in a server that knows it: its SHA-1.
pub(crate) const DEAD_SHA1: &str = "4ec46fc94df5d1396e308ea9d01ab87502f26073";

/// Bytes of one worker in the counts of a call.
const COUNT: usize = 12;

/// The entries of a batch as `apply.lua` reads them.
pub(crate) fn entries(batch: &Batch<'_>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(batch.entries.len() * 36);
    for entry in batch.entries {
        let Entry {
            number,
            call,
            worker,
            calls,
            ..
        } = entry;
        bytes.extend_from_slice(&number.to_be_bytes());
        bytes.extend_from_slice(call.as_bytes());
        bytes.extend_from_slice(&worker.to_bits().to_be_bytes());
        bytes.extend_from_slice(&calls.to_be_bytes());
    }
    bytes
}

/// Adds the counts of a call to a tally. `None` if they are not of the form that `apply.lua` writes.
pub(crate) fn add_counts(tally: &mut Tally, counts: &[u8]) -> Option<()> {
    if !counts.len().is_multiple_of(COUNT) {
        return None;
    }
    for count in counts.chunks_exact(COUNT) {
        let (worker, calls) = count.split_first_chunk::<8>()?;
        let (calls, _) = calls.split_first_chunk::<4>()?;
        let worker = Worker::from_bits(u64::from_be_bytes(*worker));
        tally.add(worker, u64::from(u32::from_be_bytes(*calls)));
    }
    Some(())
}
