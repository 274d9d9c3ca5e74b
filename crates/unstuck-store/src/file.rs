//! The bytes of a state file: a header that tells what they are, then four parts.
//!
//! ```text
//! "unstuck-state" version standing hooks seal | length, time | length, about | length, watch | the engine's snapshot
//! ```
//!
//! The seal is keyed and covers the name of the file, the standing, the number of hooks and all parts. A file that was changed, copied from
//! another session or written by a program without the key is not believed. An older file of the same session is.

use crate::{about::About, secret::Secret, timekeeping::Timekeeping};

const MAGIC: &[u8; 13] = b"unstuck-state";

/// Raised whenever the form of the file changes.
const VERSION: u8 = 5;

const SEAL: usize = 32;

/// Bytes before the seal.
const HEAD: usize = MAGIC.len() + 2 + size_of::<u32>();

/// Everything that is kept of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stored {
    /// Whether the agent is held back. A store that needs room keeps those that are.
    pub standing: Standing,
    /// The time that the rules were given last.
    pub time: Timekeeping,
    /// For people.
    pub about: About,
    /// What its hooks must know of each other.
    pub watch: Vec<u8>,
    /// The engine's snapshot.
    pub engine: Vec<u8>,
}

/// Whether an agent is held back, from the mildest to the strictest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It is not.
    #[default]
    Free,
    /// A pattern that it repeats is denied.
    Denied,
    /// The run is halted.
    Halted,
}

impl Standing {
    fn of_byte(byte: u8) -> Option<Self> {
        [Self::Free, Self::Denied, Self::Halted]
            .into_iter()
            .find(|standing| *standing as u8 == byte)
    }
}

/// What the first bytes of a state file claim, which is all that is looked at to make room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Beginning {
    pub(crate) standing: Standing,
    /// Hooks that were answered.
    pub(crate) hooks: u32,
}

impl Beginning {
    /// Bytes that [`Self::of`] needs.
    pub(crate) const LENGTH: usize = HEAD;

    /// An agent that is free and without history for anything else than a state file.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match bytes.strip_prefix(MAGIC) {
            Some([VERSION, standing, hooks @ ..]) => Self {
                standing: Standing::of_byte(*standing).unwrap_or_default(),
                hooks: hooks
                    .first_chunk()
                    .map_or(0, |bytes| u32::from_le_bytes(*bytes)),
            },
            _ => Self::default(),
        }
    }
}

pub(crate) fn write(stored: &Stored, secret: &Secret, name: &str) -> Vec<u8> {
    // Writing plain data into a vector has no way to fail.
    let time = postcard::to_allocvec(&stored.time).unwrap_or_default();
    let about = postcard::to_allocvec(&stored.about).unwrap_or_default();
    let parts = [&time, &about, &stored.watch];
    let length: usize = parts.iter().map(|part| part.len() + 4).sum();
    let mut bytes = Vec::with_capacity(HEAD + SEAL + length + stored.engine.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[VERSION, stored.standing as u8]);
    let hooks = u32::try_from(stored.about.hooks).unwrap_or(u32::MAX);
    bytes.extend_from_slice(&hooks.to_le_bytes());
    bytes.extend_from_slice(&[0; SEAL]);
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    bytes.extend_from_slice(&stored.engine);
    let seal = secret.seal(name, [&bytes[..HEAD], &bytes[HEAD + SEAL..]]);
    bytes[HEAD..HEAD + SEAL].copy_from_slice(seal.as_bytes());
    bytes
}

/// The state, or what is wrong with it.
pub(crate) fn read(bytes: &[u8], secret: &Secret, name: &str) -> Result<Stored, &'static str> {
    const CUT: &str = "it is cut off";
    const DAMAGED: &str = "it is damaged, or the state of another session";
    let rest = bytes.strip_prefix(MAGIC).ok_or("it is not a state file")?;
    let version = rest.first().ok_or(CUT)?;
    if *version != VERSION {
        return Err("it was written by another version");
    }
    let (head, rest) = bytes.split_at_checked(HEAD).ok_or(CUT)?;
    let (seal, body) = rest.split_first_chunk::<SEAL>().ok_or(CUT)?;
    // Compared in constant time.
    if secret.seal(name, [head, body]) != blake3::Hash::from_bytes(*seal) {
        return Err(DAMAGED);
    }
    let (time, rest) = part(body).ok_or(CUT)?;
    let (about, rest) = part(rest).ok_or(CUT)?;
    let (watch, engine) = part(rest).ok_or(CUT)?;
    Ok(Stored {
        standing: Beginning::of(head).standing,
        time: postcard::from_bytes(time).map_err(|_| DAMAGED)?,
        about: postcard::from_bytes(about).map_err(|_| DAMAGED)?,
        watch: watch.to_vec(),
        engine: engine.to_vec(),
    })
}

/// A part with its length before it, and what comes behind.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}
