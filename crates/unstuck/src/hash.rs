//! Hashes that are not cryptographic, and the key of lookups.
//!
//! A [`Tag`] distinguishes items within the memory of one agent, at a few instructions per byte. It is not
//! collision-resistant: calls and results are compared by a [`Mark`](crate::fingerprint::Mark).
//! Tags are compared in decisions and stored in snapshots, so they have no key. Tables have one: see [`Key`].

use std::hash::Hasher as _;

use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;

const PRIME: u64 = 0x0100_0000_01b3;
const SHORT_PRIME: u32 = 0x0100_0193;

/// 2^64 and 2^32 divided by the golden ratio: multiplying by it spreads small differences over the upper bits.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
pub(crate) const SHORT_GOLDEN: u32 = 0x9e37_79b1;

/// A hash by FNV-1a, taken one byte or character after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tag(pub(crate) u64);

impl Tag {
    /// The tag of the empty input.
    pub(crate) const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    pub(crate) fn of(bytes: impl IntoIterator<Item = u8>) -> Self {
        Self::EMPTY.and(bytes)
    }

    /// The tag of a name that is known in advance.
    pub(crate) const fn of_name(name: &str) -> Self {
        let (bytes, mut at, mut hash) = (name.as_bytes(), 0, Self::EMPTY.0);
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(PRIME);
            at += 1;
        }
        Self(hash)
    }

    /// The tag of what came before and these bytes or characters.
    pub(crate) fn and<T: Into<u32>>(self, units: impl IntoIterator<Item = T>) -> Self {
        Self(units.into_iter().fold(self.0, |hash, unit| {
            (hash ^ u64::from(unit.into())).wrapping_mul(PRIME)
        }))
    }

    /// Both halves in 32 bits.
    pub(crate) fn folded(self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }

    /// The upper half after a last stir, for words: their letters have hardly reached it before.
    pub(crate) fn stirred(self) -> u32 {
        ((self.0 ^ (self.0 >> 29)).wrapping_mul(GOLDEN) >> 32) as u32
    }
}

/// FNV-1a of the empty input in 32 bits.
pub(crate) const SHORT_EMPTY: u32 = 0x811c_9dc5;

/// FNV-1a in 32 bits of a text that streams in: what came before, and the next character.
pub(crate) const fn add_short(hash: u32, character: char) -> u32 {
    (hash ^ character as u32).wrapping_mul(SHORT_PRIME)
}

/// The base of a hash that rolls along a text.
pub(crate) const ROLLING_BASE: u32 = SHORT_PRIME;

/// One step of a hash of 64 bits that is good in all of them, for a whole turn of text.
pub(crate) fn turn(hash: u64, unit: u64) -> u64 {
    (hash ^ unit).wrapping_mul(GOLDEN).rotate_left(29)
}

/// Multiplies and folds the product: every bit of both reaches every bit of the result.
pub(crate) fn fold(one: u64, other: u64) -> u64 {
    let (low, high) = if cfg!(target_arch = "wasm32") {
        product_by_halves(one, other)
    } else {
        let product = u128::from(one) * u128::from(other);
        (product as u64, (product >> 64) as u64)
    };
    low ^ high
}

/// Both halves of a product. WebAssembly has no instruction for it, and what the compiler calls there takes longer.
fn product_by_halves(one: u64, other: u64) -> (u64, u64) {
    const LOW: u64 = u32::MAX as u64;
    let (a, b) = (one & LOW, one >> 32);
    let (c, d) = (other & LOW, other >> 32);
    let (ac, ad, bc) = (a * c, a * d, b * c);
    let middle = (ac >> 32) + (ad & LOW) + (bc & LOW);
    (
        (ac & LOW) | (middle << 32),
        b * d + (ad >> 32) + (bc >> 32) + (middle >> 32),
    )
}

/// Keyed hash of a text, at a few instructions for every 16 bytes. Good in all bits, but a peer that knows the key can
/// make two texts with one hash.
pub(crate) fn keyed(key: &[u8; 32], text: &[u8]) -> u64 {
    let words = |block: &[u8; 16]| {
        let (words, _) = block.as_chunks();
        (u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]))
    };
    let (halves, _) = key.as_chunks();
    let ((start, low), (high, end)) = (words(&halves[0]), words(&halves[1]));
    let (blocks, rest) = text.as_chunks();
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    // The length distinguishes texts that end in zeros.
    let mut hash = start ^ text.len() as u64;
    let mut add = |block| {
        let (one, other) = words(block);
        hash = fold(one ^ low, other ^ hash);
    };
    blocks.iter().for_each(&mut add);
    add(&last);
    fold(hash ^ high, end)
}

/// The key of tables in memory, given by the caller.
///
/// It decides where in a table an item is looked for, and nothing else: no decision, no order and no snapshot depends
/// on it. A peer that does not know the key cannot choose arguments or names that share a place in a table.
#[derive(Clone, Copy, Default)]
pub(crate) struct Key {
    low: u64,
    high: u64,
}

impl Key {
    pub(crate) fn new(bytes: [u8; 16]) -> Self {
        let [low, high] = [0, 8].map(|at| {
            let mut half = [0; 8];
            half.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(half)
        });
        Self { low, high }
    }

    /// Hash of a mark for a table. Marks are looked up many times per event, so this is two multiplications; that is
    /// enough because callers do not see where a mark is placed.
    pub(crate) fn place(&self, mark: u64) -> u64 {
        let once = fold(mark ^ self.low ^ GOLDEN, (self.high ^ GOLDEN) | 1);
        fold(once ^ self.high, GOLDEN)
    }

    /// Hash of a pair of names for a table.
    pub(crate) fn place_of_names(&self, session: &str, agent: &str) -> u64 {
        let mut hasher = SipHasher13::new_with_keys(self.low, self.high);
        hasher.write(session.as_bytes());
        // Not a byte of UTF-8: ("a", "bc") and ("ab", "c") are two inputs.
        hasher.write_u8(0xff);
        hasher.write(agent.as_bytes());
        hasher.finish()
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A peer that knows the key can choose colliding names: never print it.
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "hash_tests.rs"]
mod tests;
