//! What equal calls came back with.

use serde::{Deserialize, Serialize};

use super::{Line, PendingCall};
use crate::fingerprint::Mark;

/// The streak of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// What the call came back with last.
    pub(crate) outcome: Mark,
    /// Times in a row that it came back with that, the first included.
    repeats: u32,
    /// Times since then that nobody knows what it came back with.
    unknown: u32,
    /// Where the streak began.
    pub(crate) from: Line,
    epoch: u32,
    round: u32,
}

impl Tally {
    /// Takes note of an outcome. Returns the tally where it counted; a duplicate within one parallel round does not.
    pub(super) fn record(&mut self, call: &PendingCall, outcome: Mark, epoch: u32) -> Option<Self> {
        let same = self.repeats > 0 && self.outcome == outcome && self.epoch == epoch;
        if same && (self.round == call.round && call.parallel) {
            return None;
        }
        if same {
            self.repeats = self.repeats.saturating_add(1);
        } else {
            *self = Self {
                outcome,
                repeats: 1,
                unknown: 0,
                from: call.line,
                epoch,
                round: call.round,
            };
        }
        self.epoch = epoch;
        self.round = call.round;
        Some(*self)
    }

    /// The call was made, and nobody knows what came of it.
    pub(super) fn record_unknown(&mut self) {
        self.unknown = self.unknown.saturating_add(1);
    }

    /// The outcome of a call that counted as unknown has come after all.
    pub(super) fn take_back_unknown(&mut self) {
        self.unknown = self.unknown.saturating_sub(1);
    }

    /// Occurrences. Calls with unknown outcomes go on with a streak that was proven, but prove none.
    pub(crate) fn count(&self) -> u32 {
        if self.repeats > 1 {
            self.repeats.saturating_add(self.unknown)
        } else {
            self.repeats
        }
    }

    /// Would an equal call go on with this streak?
    pub(crate) fn continues(&self, epoch: u32) -> bool {
        self.repeats > 0 && self.epoch == epoch
    }
}
