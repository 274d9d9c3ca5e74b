//! The bytes of a state file: a header that tells what they are, then three parts with their lengths.
//!
//! ```text
//! "unstuck-state" version checksum | length, about | length, watch | the engine's snapshot
//! ```
//!
//! The checksum is for the first two parts; the snapshot, by far the largest, has one of its own.

use crate::about::About;

const MAGIC: &[u8; 13] = b"unstuck-state";

/// Raised whenever the form of the file changes.
const VERSION: u8 = 3;

const CHECKSUM: usize = 16;
const HEADER: usize = MAGIC.len() + 1 + CHECKSUM;

/// Everything that is kept of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stored {
    /// For people.
    pub about: About,
    /// What its hooks must know of each other.
    pub watch: Vec<u8>,
    /// The engine's snapshot, which can tell whether it is whole.
    pub engine: Vec<u8>,
}

pub(crate) fn write(stored: &Stored) -> Vec<u8> {
    // Writing plain data into a vector has no way to fail.
    let about = postcard::to_allocvec(&stored.about).unwrap_or_default();
    let length = HEADER + 8 + about.len() + stored.watch.len();
    let mut bytes = Vec::with_capacity(length + stored.engine.len());
    bytes.extend_from_slice(MAGIC);
    bytes.push(VERSION);
    bytes.extend_from_slice(&[0; CHECKSUM]);
    for part in [&about, &stored.watch] {
        bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    let sum = checksum(&bytes[HEADER..]);
    bytes[HEADER - CHECKSUM..HEADER].copy_from_slice(&sum);
    bytes.extend_from_slice(&stored.engine);
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
    let (about, rest) = part(body).ok_or("it is cut off")?;
    let (watch, engine) = part(rest).ok_or("it is cut off")?;
    if checksum(&body[..body.len() - engine.len()]) != *sum {
        return Err("it is damaged");
    }
    Ok(Stored {
        about: postcard::from_bytes(about).map_err(|_| "it is damaged")?,
        watch: watch.to_vec(),
        engine: engine.to_vec(),
    })
}

/// A part with its length before it, and what comes behind.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

fn checksum(parts: &[u8]) -> [u8; CHECKSUM] {
    let mut sum = [0; CHECKSUM];
    sum.copy_from_slice(&blake3::hash(parts).as_bytes()[..CHECKSUM]);
    sum
}
