//! The bytes of a state file: a header that tells what they are, a checksum, and the state.

use serde::{Deserialize, Serialize};

use crate::about::About;

const MAGIC: &[u8; 13] = b"unstuck-state";

/// Raised whenever the form of the file changes.
const VERSION: u8 = 2;

const CHECKSUM: usize = 16;
const HEADER: usize = MAGIC.len() + 1 + CHECKSUM;

/// Everything that is kept of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stored {
    /// For people.
    pub about: About,
    /// What its hooks must know of each other.
    pub watch: Vec<u8>,
    /// The engine's snapshot.
    pub engine: Vec<u8>,
}

pub(crate) fn write(stored: &Stored) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + stored.engine.len() + stored.watch.len() + 512);
    bytes.extend_from_slice(MAGIC);
    bytes.push(VERSION);
    bytes.extend_from_slice(&[0; CHECKSUM]);
    // Writing plain data into a vector has no way to fail.
    let mut bytes = postcard::to_extend(stored, bytes).unwrap_or_default();
    if bytes.len() >= HEADER {
        let sum = checksum(&bytes[HEADER..]);
        bytes[HEADER - CHECKSUM..HEADER].copy_from_slice(&sum);
    }
    bytes
}

/// The state, or what is wrong with it.
pub(crate) fn read(bytes: &[u8]) -> Result<Stored, &'static str> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it is no state file")?;
    let (version, rest) = rest.split_first().ok_or("it is cut off")?;
    if *version != VERSION {
        return Err("it was written by another version");
    }
    let (sum, body) = rest
        .split_first_chunk::<CHECKSUM>()
        .ok_or("it is cut off")?;
    if checksum(body) != *sum {
        return Err("it is damaged");
    }
    postcard::from_bytes(body).map_err(|_| "it is damaged")
}

fn checksum(body: &[u8]) -> [u8; CHECKSUM] {
    let mut sum = [0; CHECKSUM];
    sum.copy_from_slice(&blake3::hash(body).as_bytes()[..CHECKSUM]);
    sum
}
