//! Snapshots: the state of one agent in a form that another process can restore.
//!
//! A header with a magic word, the number of the schema and a checksum, then the state itself. A snapshot of another
//! schema is refused by its number, a damaged one by its checksum: state is never misread.

use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};

use super::{
    compiled::Compiled,
    session::{Rest, Session},
};
use crate::{
    fingerprint::Fingerprint,
    memory::{Memory as _, Unsound},
    rules::{Record, RuleStates},
    state::State,
};

const MAGIC: &[u8; 7] = b"unstuck";

/// Raised whenever the meaning of stored state changes, except that of one rule: rules have versions of their own.
const SCHEMA: u16 = 14;

const CHECKSUM: usize = 16;
const HEADER: usize = MAGIC.len() + 2 + CHECKSUM;

/// Maximum size of a snapshot in bytes. No state is larger.
const MAX_BYTES: usize = 16 << 20;

/// Reason why a snapshot was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Not a snapshot.
    #[error("not a snapshot")]
    NotASnapshot,
    /// Written by another version.
    #[error("a snapshot of schema {found}, this version reads schema {SCHEMA}")]
    OtherSchema {
        /// Its schema.
        found: u16,
    },
    /// Changed or cut off since it was written.
    #[error("the snapshot is damaged")]
    Damaged,
}

#[derive(Serialize, Deserialize)]
struct StoredEngine<S, R> {
    lines: u64,
    state: S,
    rest: R,
    /// What a swarm compares the calls under way by.
    swarm_prints: Vec<Option<Fingerprint>>,
    /// Private state of rules. A rule with another version starts afresh.
    rules: Vec<Record>,
}

/// Bytes of the snapshot of a session at work, for the first allocation.
const USUAL_BYTES: usize = 1 << 15;

/// Takes what postcard writes. Its own flavour for collections appends byte by byte, which takes a third of the time that
/// a snapshot takes.
struct Bytes(Vec<u8>);

impl Flavor for Bytes {
    type Output = Vec<u8>;

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}

pub(super) fn write(session: &Session, lines: u64, compiled: &Compiled) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&SCHEMA.to_le_bytes());
    bytes.extend_from_slice(&[0; CHECKSUM]);
    let stored = StoredEngine {
        lines,
        state: &session.state,
        rest: &session.rest,
        swarm_prints: session.rest.swarm_prints(&compiled.extractor),
        rules: session.rules.records(&compiled.settings.rules),
    };
    // Writing plain data into a vector cannot fail.
    let mut bytes = postcard::serialize_with_flavor(&stored, Bytes(bytes)).unwrap_or_default();
    if bytes.len() >= HEADER {
        let sum = checksum(&bytes[HEADER..]);
        bytes[HEADER - CHECKSUM..HEADER].copy_from_slice(&sum);
    }
    bytes
}

pub(super) fn read(bytes: &[u8], compiled: &Compiled) -> Result<(Session, u64), SnapshotError> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or(SnapshotError::NotASnapshot)?;
    let (schema, rest) = rest
        .split_first_chunk::<2>()
        .ok_or(SnapshotError::Damaged)?;
    let found = u16::from_le_bytes(*schema);
    if found != SCHEMA {
        return Err(SnapshotError::OtherSchema { found });
    }
    let (sum, body) = rest
        .split_first_chunk::<CHECKSUM>()
        .ok_or(SnapshotError::Damaged)?;
    if body.len() > MAX_BYTES || checksum(body) != *sum {
        return Err(SnapshotError::Damaged);
    }
    let (stored, left) = postcard::take_from_bytes::<StoredEngine<State, Rest>>(body)
        .map_err(|_| SnapshotError::Damaged)?;
    let settings = &compiled.settings;
    let rules = RuleStates::restore(&stored.rules, &settings.rules, &compiled.room);
    let (Some(rules), true) = (rules, left.is_empty()) else {
        return Err(SnapshotError::Damaged);
    };
    let mut rest = stored.rest;
    rest.restore_swarm_prints(stored.swarm_prints);
    let mut session = Session {
        state: stored.state,
        rules,
        rest,
    };
    session
        .fit(&Session::new(compiled))
        .map_err(|Unsound| SnapshotError::Damaged)?;
    session.rules.cut(&settings.rules);
    Ok((session, stored.lines))
}

/// The checksum of a body and of its schema: a snapshot with the number of another schema is damaged, even if both have
/// the same layout.
fn checksum(body: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(body).update(&SCHEMA.to_le_bytes());
    let mut sum = [0; CHECKSUM];
    sum.copy_from_slice(&hasher.finalize().as_bytes()[..CHECKSUM]);
    sum
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod layout_tests;

#[cfg(test)]
#[path = "shape_tests.rs"]
mod shape;

#[cfg(test)]
#[path = "snapshot_tests.rs"]
mod tests;
