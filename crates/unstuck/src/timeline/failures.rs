//! Failures in a row.

use serde::{Deserialize, Serialize};

use super::{Line, PendingCall};
use crate::{
    fingerprint::Mark,
    identity::{Command, Ending, FailingTests, Refused, Sight, TestOutcome},
    ledger::Novelty,
};

/// Different errors, calls and kinds of calls that a row of failures is remembered by.
const REMEMBERED: usize = 8;

/// Failing calls in a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Failures {
    /// Failures since the last success that went on with the row: another call, an error that was seen in it.
    row: u32,
    /// Failures since the last success, whatever they were.
    in_a_row: u32,
    /// The errors of the row.
    errors: Vec<Mark>,
    /// The calls of the row: the same call over again is a repeat, no cascade.
    calls: Vec<Mark>,
    /// The kinds of calls in the row: a tool, a shell's command word.
    shapes: Vec<Mark>,
    pub(crate) from: Line,
    /// Which of the last calls failed, one bit each, the last one lowest.
    lately: u32,
    /// Which of the last calls failed or told nothing new.
    fruitless: u32,
    /// Failures of the shell since its last success.
    pub(crate) shell: u32,
    pub(crate) shell_from: Line,
}

/// What a result means for the row of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    No,
    /// It failed, but the call or the error has nothing to do with the row.
    Otherwise,
    /// Another call failed with an error of the row.
    Again,
}

/// Failing test runs in a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tests {
    /// Failing runs since the last pass.
    pub(crate) failures: u32,
    /// Failing runs in a row that failed in the same way.
    pub(crate) same: u32,
    signature: Mark,
    /// The command that was run last, and the tests that failed in it.
    command: Mark,
    failing: FailingTests,
    pub(crate) from: Line,
    pub(crate) same_from: Line,
}

/// What a test run says of the work since the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tested {
    /// Fewer tests fail, or none any more.
    Better,
    /// Nothing is better.
    NoBetter,
}

impl Failures {
    /// Calls that are looked at for whether they brought anything.
    pub(crate) const FRUITLESS: u32 = 15;
    /// Calls that are looked at for whether most of them failed.
    pub(crate) const LATELY: u32 = 20;

    /// Takes note of how a call ended.
    pub(super) fn record(&mut self, call: &PendingCall, sight: &Sight) -> Failed {
        // What never ran is for `unknown-tool` and `invalid-call`.
        if matches!(sight.refused, Refused::UnknownTool | Refused::Form(_)) {
            return Failed::No;
        }
        match sight.verdict {
            Ending::Neither => return Failed::No,
            Ending::Success => {
                self.row = 0;
                self.in_a_row = 0;
                self.errors.clear();
                self.calls.clear();
                self.shapes.clear();
                if call.command != Command::None {
                    self.shell = 0;
                }
                return Failed::No;
            }
            Ending::Failure => {}
        }
        if call.command != Command::None {
            if self.shell == 0 {
                self.shell_from = call.line;
            }
            self.shell = self.shell.saturating_add(1);
        }
        if self.row == 0 {
            self.from = call.line;
            self.row = 1;
        }
        self.in_a_row = self.in_a_row.saturating_add(1);
        let known_error = self.errors.contains(&sight.outcome);
        let known_call = self.calls.contains(&call.exact);
        remember(&mut self.errors, sight.outcome);
        remember(&mut self.calls, call.exact);
        remember(&mut self.shapes, call.shape);
        // An exit without a word is how `grep` says that there is nothing.
        if known_error && !known_call && sight.complaint.is_some() {
            self.row = self.row.saturating_add(1);
            Failed::Again
        } else {
            Failed::Otherwise
        }
    }

    /// Takes note of whether a call brought anything.
    pub(super) fn record_fruit(&mut self, novelty: Novelty, verdict: Ending) {
        let failed = verdict == Ending::Failure;
        let mask = (1 << Self::LATELY) - 1;
        self.lately = ((self.lately << 1) | u32::from(failed)) & mask;
        let none = failed || novelty == Novelty::Known;
        let mask = (1 << Self::FRUITLESS) - 1;
        self.fruitless = ((self.fruitless << 1) | u32::from(none)) & mask;
    }

    /// A call was denied, which makes any agent stop and think: what comes next is judged afresh.
    pub(super) fn start_afresh(&mut self) {
        self.fruitless = 0;
    }

    /// Calls among the last fifteen that failed or told nothing new.
    pub(crate) fn fruitless(&self) -> u32 {
        self.fruitless.count_ones()
    }

    /// Failures among the last twenty calls, whatever they complained of.
    pub(crate) fn lately(&self) -> u32 {
        self.lately.count_ones()
    }

    /// Failures that went on with the row, the first included.
    pub(crate) fn row(&self) -> u32 {
        self.row
    }

    /// Failures since the last success, whatever they were.
    pub(crate) fn in_a_row(&self) -> u32 {
        self.in_a_row
    }

    /// Whether all failures of the row had one error.
    pub(crate) fn have_one_error(&self) -> bool {
        self.errors.len() == 1
    }

    /// Is a call of this kind among the ones that failed, and not one of those very calls?
    pub(crate) fn would_go_on(&self, call: Mark, shape: Mark) -> bool {
        self.shapes.contains(&shape) && !self.calls.contains(&call)
    }

    /// One mark for the row, by the error it began with.
    pub(crate) fn key(&self) -> Mark {
        self.errors.first().copied().unwrap_or_default()
    }
}

fn remember(marks: &mut Vec<Mark>, mark: Mark) {
    if marks.contains(&mark) {
        return;
    }
    if marks.len() >= REMEMBERED {
        marks.remove(0);
    }
    marks.push(mark);
}

impl Tests {
    pub(super) fn record(
        &mut self,
        outcome: TestOutcome,
        call: &PendingCall,
        sight: &Sight,
    ) -> Tested {
        // Another command runs other tests: that fewer of them fail means nothing.
        let same_tests = self.failures > 0 && self.command == call.near;
        match outcome {
            TestOutcome::Passed => {
                *self = Self::default();
                if same_tests {
                    return Tested::Better;
                }
            }
            TestOutcome::Failed => {
                if self.failures == 0 {
                    self.from = call.line;
                }
                self.failures = self.failures.saturating_add(1);
                if self.same == 0 || self.signature != sight.outcome {
                    self.same = 0;
                    self.signature = sight.outcome;
                    self.same_from = call.line;
                }
                self.same = self.same.saturating_add(1);
                let failing = std::mem::replace(&mut self.failing, sight.failing.clone());
                self.command = call.near;
                if same_tests && !self.failing.is_empty() && self.failing.shrank_from(&failing) {
                    return Tested::Better;
                }
            }
        }
        Tested::NoBetter
    }

    pub(crate) fn signature(&self) -> Mark {
        self.signature
    }
}
