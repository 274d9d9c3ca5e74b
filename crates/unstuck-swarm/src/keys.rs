//! Keyed hashes in the place of names and fingerprints.

use std::fmt;

use serde::{Deserialize, Serialize};
use unstuck::{fingerprint::Fingerprint, swarm::Worker};

/// A swarm, as stores know it: a keyed hash of its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SwarmKey([u8; 16]);

/// A call, as stores know it: a keyed hash of its fingerprint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CallKey([u8; 16]);

/// Makes the keys of swarms, calls and workers under one secret.
///
/// All processes that share tallies need the same secret. Without it, short arguments cannot be guessed back from what a
/// store holds.
#[derive(Clone)]
pub struct Keys {
    swarm: [u8; 32],
    call: [u8; 32],
    worker: [u8; 32],
}

impl Keys {
    /// Makes keys under this secret. An empty secret is allowed: then the keys can be computed by anyone.
    pub fn new(secret: &[u8]) -> Self {
        let derive = |context| blake3::derive_key(context, secret);
        Self {
            swarm: derive("unstuck 2026 shared tallies, swarm"),
            call: derive("unstuck 2026 shared tallies, call"),
            worker: derive("unstuck 2026 shared tallies, worker"),
        }
    }

    /// The key of a swarm with this name.
    pub fn swarm(&self, name: &str) -> SwarmKey {
        SwarmKey(first(&blake3::keyed_hash(&self.swarm, name.as_bytes())))
    }

    /// The key of a call with this fingerprint.
    pub fn call(&self, fingerprint: &Fingerprint) -> CallKey {
        let hash = blake3::keyed_hash(&self.call, fingerprint.as_bytes());
        CallKey(first(&hash))
    }

    /// The worker under which a store counts calls of this worker.
    pub fn worker(&self, worker: Worker) -> Worker {
        let hash = blake3::keyed_hash(&self.worker, &worker.to_bits().to_be_bytes());
        Worker::from_bits(u64::from_be_bytes(first(&hash)))
    }
}

/// The first bytes of a hash.
fn first<const N: usize>(hash: &blake3::Hash) -> [u8; N] {
    let mut bytes = [0; N];
    for (to, from) in bytes.iter_mut().zip(hash.as_bytes()) {
        *to = *from;
    }
    bytes
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").finish_non_exhaustive()
    }
}

/// What both kinds of keys have.
macro_rules! key {
    ($($name:ident)*) => {$(
        impl $name {
            /// The key with these bytes, as a store returned it.
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }

            /// The bytes of the key.
            pub fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }
        }

        /// 32 hexadecimal digits.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    )*};
}

key! { SwarmKey CallKey }

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
