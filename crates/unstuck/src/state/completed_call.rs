//! A call on its way: made, and completed by its result.

use serde::{Deserialize, Serialize};

use super::{Adjacency, CallStreak, FileStep, Progress};
use crate::{
    event::{Line, Timestamp},
    facts::{CallFacts, Ending, ResultFacts},
};

/// Whether an equal call of the same round was under way when a call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Overlap {
    Alone,
    Parallel,
}

/// Whether this call with this outcome was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Novelty {
    New,
    Known,
}

/// A call that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MadeCall {
    pub(crate) facts: CallFacts,
    pub(crate) at: Timestamp,
    pub(crate) line: Line,
    pub(crate) round: u32,
    /// Whether an equal call was under way.
    pub(crate) overlap: Overlap,
    /// Whether a similar call was under way.
    pub(crate) near_overlap: Overlap,
    /// Whether its turn ended without its result.
    pub(crate) lost: bool,
}

impl MadeCall {
    /// Whether it was made side by side with the call before it, which was made in that round and line. Without turns in the
    /// stream, calls are side by side where no event is between them.
    pub(crate) fn is_beside(&self, round: u32, line: Line) -> bool {
        self.round == round && (round > 0 || self.line == line.saturating_add(1))
    }
}

/// A call with its result, recorded.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct CompletedCall {
    pub(crate) call: MadeCall,
    pub(crate) result: ResultFacts,
    /// The streak of equal calls with this one, where it counted.
    pub(crate) exact: Option<CallStreak>,
    /// The streak of similar calls with this one, where it counted.
    pub(crate) near: Option<CallStreak>,
    pub(crate) novelty: Novelty,
    pub(crate) adjacency: Adjacency,
    /// Effect on a file.
    pub(crate) step: FileStep,
    /// Its cell in the matrix of approaches and outcomes, if it was entered there.
    pub(crate) progress: Option<Progress>,
    /// Whether a failing test run was counted.
    pub(crate) test_failed: bool,
    /// The epoch with the progress that this call made.
    pub(crate) epoch: u32,
    /// Whether it waits for something, by itself or by its result, and the rule about polls is on.
    pub(crate) waits: bool,
    /// Whether it waits or its result asks to wait, and the rule about polls is on.
    pub(crate) may_wait: bool,
    /// Whether its tool has a first threshold of its own.
    pub(crate) own_ladder: bool,
}

impl CompletedCall {
    /// Whether it ran to an end: it was not denied or cancelled, and is not still running.
    pub(crate) fn settled(&self) -> bool {
        self.result.ending != Ending::Neither
    }

    /// Whether it returned nothing to this agent: it failed, or returned what it had returned before.
    pub(crate) fn is_fruitless(&self) -> bool {
        self.settled() && (self.result.ending == Ending::Failure || self.novelty == Novelty::Known)
    }

    /// Whether it counts for rules that compare different calls: it has no twin in parallel, does not wait, and its tool
    /// has no thresholds of its own.
    pub(crate) fn is_comparable(&self) -> bool {
        self.call.overlap == Overlap::Alone && !self.may_wait && !self.own_ladder
    }
}
