//! Short stand-ins for calls and hooks.

use crate::hook::CallMade;

/// Equal for equal calls.
pub(super) fn key(call: &CallMade) -> u64 {
    hash(&[call.tool.as_bytes(), call.args.as_str().as_bytes()])
}

/// The same on every machine and in every version: it is stored.
pub(super) fn hash(parts: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut word = [0; 8];
    word.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(word)
}
