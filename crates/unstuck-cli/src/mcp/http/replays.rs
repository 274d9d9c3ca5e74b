//! Answers that may come a second time.
//!
//! Where the connection to a client breaks, the client resumes the stream behind the last event that it has
//! (`Last-Event-ID`), and the server sends again what followed. The answer among it was judged and recorded the first time.
//! On a resumed stream of the same session it may pass once more, if it is the same byte for byte; everywhere else a second
//! answer is refused.

use std::{collections::VecDeque, sync::Mutex};

use unstuck_session::sync::lock;

/// Number of answers that are remembered.
const MOST: usize = 1_024;

/// Answers that were passed on by streams that can be resumed.
#[derive(Debug, Default)]
pub(super) struct Replays(Mutex<VecDeque<blake3::Hash>>);

impl Replays {
    pub(super) fn remember(&self, scope: &str, answer: &[u8]) {
        let mut passed = lock(&self.0);
        if passed.len() >= MOST {
            passed.pop_front();
        }
        passed.push_back(hash(scope, answer));
    }

    pub(super) fn has(&self, scope: &str, answer: &[u8]) -> bool {
        lock(&self.0).contains(&hash(scope, answer))
    }
}

fn hash(scope: &str, answer: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    // A scope ends with a line feed, and has none before.
    hasher.update(scope.as_bytes());
    hasher.update(answer);
    hasher.finalize()
}
