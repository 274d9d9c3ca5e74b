//! Random key of an engine's session index.

/// Returns 16 random bytes for [`unstuck::Engine::with_index_key`], so that session names cannot be chosen to collide in
/// the index. Where the system has no random bytes the key is all zeros: decisions are the same with every key.
pub fn random() -> [u8; 16] {
    let mut key = [0; 16];
    match getrandom::fill(&mut key) {
        Ok(()) => key,
        Err(_) => [0; 16],
    }
}
