//! Failures in a row: private state of `failure-cascade`.

use serde::{Deserialize, Serialize};

use crate::{
    event::Line,
    facts::{Command, Ending, Refused, ResultFacts},
    fingerprint::Mark,
    memory::Last,
    state::{MadeCall, Novelty},
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
    errors: Last<Mark, REMEMBERED>,
    /// The calls of the row: the same call over again is a repeat, no cascade.
    calls: Last<Mark, REMEMBERED>,
    /// The kinds of calls in the row: a tool, a shell's command word.
    shapes: Last<Mark, REMEMBERED>,
    pub(crate) from: Line,
    /// Which of the last calls failed, one bit each, the last one lowest.
    lately: u32,
    /// Which of the last calls failed or told nothing new.
    fruitless: u32,
    /// Failures of the shell since its last success.
    pub(crate) shell: u32,
    pub(crate) shell_from: Line,
    /// What the last result means for the row.
    last: Failed,
}

/// What a result means for the row of failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Failed {
    #[default]
    No,
    /// It failed, but the call or the error has nothing to do with the row.
    Otherwise,
    /// Another call failed with an error of the row.
    Again,
}

impl Failures {
    /// Calls that are looked at for whether they brought anything.
    pub(crate) const FRUITLESS: u32 = 15;
    /// Calls that are looked at for whether most of them failed.
    pub(crate) const LATELY: u32 = 20;

    /// Records how a call ended.
    pub(super) fn record(&mut self, call: &MadeCall, result: &ResultFacts) {
        self.last = self.ended(call, result);
    }

    fn ended(&mut self, call: &MadeCall, result: &ResultFacts) -> Failed {
        // What never ran is for `unknown-tool` and `invalid-call`.
        if matches!(result.refused, Refused::UnknownTool | Refused::Form(_)) {
            return Failed::No;
        }
        match result.ending {
            Ending::Neither => return Failed::No,
            Ending::Success => {
                self.row = 0;
                self.in_a_row = 0;
                self.errors.clear();
                self.calls.clear();
                self.shapes.clear();
                if call.facts.command != Command::None {
                    self.shell = 0;
                }
                return Failed::No;
            }
            Ending::Failure => {}
        }
        if call.facts.command != Command::None {
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
        let known_error = self.errors.contains(&result.outcome);
        let known_call = self.calls.contains(&call.facts.exact);
        remember(&mut self.errors, result.outcome);
        remember(&mut self.calls, call.facts.exact);
        remember(&mut self.shapes, call.facts.shape);
        // An exit without a word is how `grep` says that there is nothing.
        if known_error && !known_call && result.complaint.is_some() {
            self.row = self.row.saturating_add(1);
            Failed::Again
        } else {
            Failed::Otherwise
        }
    }

    /// Records whether a call returned anything new.
    pub(super) fn record_fruit(&mut self, novelty: Novelty, ending: Ending) {
        let failed = ending == Ending::Failure;
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

    /// What the last result means for the row.
    pub(super) fn last(&self) -> Failed {
        self.last
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

fn remember(marks: &mut Last<Mark, REMEMBERED>, mark: Mark) {
    if !marks.contains(&mark) {
        marks.push(mark);
    }
}
