//! Calls that come in several rounds: a server asks for more, and the client makes the same call again with the answer.
//!
//! Such a call is not a repetition. But only a server can begin a round: a client that marks its calls so by itself would
//! not be judged at all.

use std::collections::VecDeque;

/// Rounds that are waited for at once.
const MOST: usize = 256;

/// After so many rounds it is a loop like any other.
const LONGEST: u32 = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    open: VecDeque<Round>,
}

/// A call that a server asked more for.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// The call, with whose it is.
    pub(super) call: Box<str>,
    /// What the server wants back, as JSON.
    pub(super) state: Option<Box<str>>,
    /// The call as the rules know it.
    pub(super) event_id: Box<str>,
    pub(super) count: u32,
}

impl Rounds {
    pub(super) fn open(&mut self, round: Round) {
        if round.count > LONGEST {
            return;
        }
        if self.open.len() >= MOST {
            self.open.pop_front();
        }
        self.open.push_back(round);
    }

    /// The round that a call goes on with.
    pub(super) fn take(&mut self, call: &str, state: Option<&str>) -> Option<Round> {
        let found = self
            .open
            .iter()
            .position(|round| *round.call == *call && round.state.as_deref() == state)?;
        self.open.remove(found)
    }
}
