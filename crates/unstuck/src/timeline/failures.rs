//! Failures in a row.

use serde::{Deserialize, Serialize};

use super::{Line, PendingCall};
use crate::{
    fingerprint::Mark,
    identity::{Command, Ending, Sight, TestOutcome},
};

/// Different errors, and different kinds of calls, that one row of failures is remembered by.
const REMEMBERED: usize = 6;

/// Failing calls in a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Failures {
    /// Failures since the last success, of any tool.
    row: u32,
    /// The errors they came with.
    errors: Vec<Mark>,
    /// The kinds of calls that failed: a tool, a shell's command word.
    shapes: Vec<Mark>,
    pub(crate) from: Line,
    /// Failures of the shell since its last success.
    pub(crate) shell: u32,
    pub(crate) shell_from: Line,
}

/// Failing test runs in a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tests {
    /// Failing runs since the last pass.
    pub(crate) failures: u32,
    /// Failing runs in a row that failed in the same way.
    pub(crate) same: u32,
    signature: Mark,
    pub(crate) from: Line,
    pub(crate) same_from: Line,
}

impl Failures {
    /// Takes note of how a call ended. Returns whether a failure was counted.
    pub(super) fn record(&mut self, call: &PendingCall, sight: &Sight, _line: Line) -> bool {
        match sight.verdict {
            Ending::Neither => return false,
            Ending::Success => {
                self.row = 0;
                self.errors.clear();
                self.shapes.clear();
                if call.command != Command::None {
                    self.shell = 0;
                }
                return false;
            }
            Ending::Failure => {}
        }
        if self.row == 0 {
            self.from = call.line;
        }
        self.row = self.row.saturating_add(1);
        remember(&mut self.errors, sight.outcome);
        remember(&mut self.shapes, call.shape);
        if call.command != Command::None {
            if self.shell == 0 {
                self.shell_from = call.line;
            }
            self.shell = self.shell.saturating_add(1);
        }
        true
    }

    /// Failures in a row, each different error counted once only as if it were the same.
    pub(crate) fn repeated(&self) -> u32 {
        if self.row == 0 || self.errors.len() >= REMEMBERED {
            return self.row.min(1);
        }
        self.row.saturating_sub(self.errors.len() as u32 - 1)
    }

    /// Is a call of this kind among the ones that failed?
    pub(crate) fn includes(&self, shape: Mark) -> bool {
        self.shapes.contains(&shape)
    }

    /// One mark for the errors of this row, in the order they first came.
    pub(crate) fn key(&self) -> Mark {
        self.errors
            .iter()
            .fold(Mark(0), |folded, error| folded.join(*error))
    }
}

fn remember(marks: &mut Vec<Mark>, mark: Mark) {
    if marks.len() < REMEMBERED && !marks.contains(&mark) {
        marks.push(mark);
    }
}

impl Tests {
    pub(super) fn record(&mut self, outcome: TestOutcome, signature: Mark, line: Line) {
        match outcome {
            TestOutcome::Passed => *self = Self::default(),
            TestOutcome::Failed => {
                if self.failures == 0 {
                    self.from = line;
                }
                self.failures = self.failures.saturating_add(1);
                if self.same == 0 || self.signature != signature {
                    self.same = 0;
                    self.signature = signature;
                    self.same_from = line;
                }
                self.same = self.same.saturating_add(1);
            }
        }
    }

    pub(crate) fn signature(&self) -> Mark {
        self.signature
    }
}
