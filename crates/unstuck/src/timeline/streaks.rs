//! What is counted from event to event, small enough to be copied at every turn.

use serde::{Deserialize, Serialize};

use super::{
    Complaints, Failures, Familiar, Idle, InvalidCalls, Lately, Line, Matrix, Place, Runs, Said,
    Tail, Tests, Told, UnknownTools,
};
use crate::{fingerprint::Mark, ledger::Ledger};

/// Everything small that a retry takes back.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Streaks {
    pub(crate) ledger: Ledger,
    pub(crate) tail: Tail,
    pub(crate) runs: Runs,
    pub(crate) matrix: Matrix,
    pub(crate) failures: Failures,
    pub(crate) lately: Lately,
    pub(crate) complaints: Complaints,
    pub(crate) familiar: Familiar,
    pub(crate) tests: Tests,
    pub(crate) unknown: UnknownTools,
    pub(crate) invalid: InvalidCalls,
    pub(crate) idle: Idle,
    pub(crate) turns: Turns,
    pub(crate) reads: Reads,
    pub(crate) said: Said,
    /// The call that came back last.
    pub(crate) last_call: Mark,
    /// Results so far that were new to the agent.
    pub(crate) news: u32,
    pub(crate) told: Told,
    /// The last call got a critical nudge.
    pub(crate) critical: bool,
}

/// Turns without work.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Turns {
    /// Turns in a row without a call.
    pub(crate) idle: u32,
    /// Those of them that reported nothing done.
    pub(crate) unreported: u32,
    /// The turn that is running reports something done.
    pub(super) reported: bool,
    /// Where they began.
    pub(crate) from: Line,
    /// Calls in the turn that is running, denied ones included.
    pub(crate) calls: u32,
    /// Has the agent ever called a tool?
    pub(crate) worked: bool,
}

impl Streaks {
    /// Where a call stands to the last equal one.
    pub(crate) fn place(&self, call: Mark) -> Place {
        if self.last_call == call {
            Place::InARow
        } else {
            Place::Apart
        }
    }
}

impl Turns {
    /// The turn ended. Had it any call?
    pub(super) fn end(&mut self, line: Line) -> bool {
        let worked = self.calls > 0;
        if worked {
            self.idle = 0;
            self.unreported = 0;
        } else {
            self.idle += 1;
            self.unreported += u32::from(!self.reported);
            if self.idle == 1 {
                self.from = line;
            }
        }
        self.calls = 0;
        self.reported = false;
        worked
    }
}

/// Calls in a row that only read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Reads {
    pub(crate) row: u32,
    pub(crate) from: Line,
    pub(super) last: Mark,
}

/// What has been used up.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) steps: u64,
    pub(crate) tokens: u64,
    pub(crate) cost_micros: u64,
    pub(crate) milliseconds: u64,
}
