//! What is counted from event to event, small enough to be copied at every turn.

use serde::{Deserialize, Serialize};

use super::{
    Failures, Idle, InvalidCalls, Line, Matrix, Runs, Said, Tail, Tests, Told, UnknownTools,
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
    pub(crate) tests: Tests,
    pub(crate) unknown: UnknownTools,
    pub(crate) invalid: InvalidCalls,
    pub(crate) idle: Idle,
    pub(crate) turns: Turns,
    pub(crate) reads: Reads,
    pub(crate) said: Said,
    pub(crate) told: Told,
    /// The last call got a critical nudge.
    pub(crate) critical: bool,
}

/// Turns without work.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Turns {
    /// Turns in a row without a call.
    pub(crate) idle: u32,
    /// Where they began.
    pub(crate) from: Line,
    /// Calls in the turn that is running, denied ones included.
    pub(crate) calls: u32,
    /// Has the agent ever called a tool?
    pub(crate) worked: bool,
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
