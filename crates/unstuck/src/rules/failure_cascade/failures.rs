//! Failures in a row: private state of `failure-cascade`.

use serde::{Deserialize, Serialize};

use crate::{
    event::Line,
    facts::{Command, Ending, Refused, ResultFacts, name_mark},
    fingerprint::Mark,
    memory::Last,
    state::{MadeCall, Novelty},
};

/// Number of different errors, calls and kinds of calls that are remembered of a row of failures.
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
    /// The calls of the row: the same call over again is a repeat, not a cascade.
    calls: Last<Mark, REMEMBERED>,
    /// The kinds of calls in the row: a tool, a shell's command word.
    shapes: Last<Mark, REMEMBERED>,
    pub(crate) from: Line,
    /// Which of the last calls failed, one bit each, the last one lowest.
    lately: u32,
    /// Which of the last calls failed or returned nothing new.
    fruitless: u32,
    /// Failures of the shell since its last success.
    pub(crate) shell: u32,
    pub(crate) shell_from: Line,
    /// Effect of the last result on the row.
    last: Failed,
    /// Failures of single tools that complain of the same, the latest last.
    tools: Last<ToolRow, REMEMBERED>,
}

/// Failures of one tool in a row, equal or varied, with one complaint. Calls of other tools in between do not end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ToolRow {
    pub(crate) tool: Mark,
    pub(crate) complaint: Mark,
    pub(crate) count: u32,
    pub(crate) from: Line,
    /// The last call, and its kind.
    call: Mark,
    pub(crate) shape: Mark,
    /// Calls that differ from the one before, the first included.
    pub(crate) varied: u32,
    /// The last complaint with its names and paths, and the changes made before it.
    particular: Mark,
    changes: u32,
}

/// Effect of a result on the row of failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Failed {
    #[default]
    No,
    /// It failed, and neither the call nor the error continues the row.
    Otherwise,
    /// Another call failed with an error of the row.
    Again,
}

impl Failures {
    /// Number of last calls that are examined for new results.
    pub(crate) const FRUITLESS: u32 = 15;
    /// Number of last calls that are examined for failures.
    pub(crate) const LATELY: u32 = 20;

    /// Records how a call ended.
    pub(super) fn record(&mut self, call: &MadeCall, result: &ResultFacts) {
        self.last = self.ended(call, result);
    }

    /// Records how a call ended in the row of its tool.
    pub(super) fn record_tool(&mut self, call: &MadeCall, result: &ResultFacts, changes: u32) {
        if self.tools.is_empty() && result.ending != Ending::Failure {
            return;
        }
        let complaint = match (result.ending, result.refused) {
            (Ending::Neither, _) => return,
            (Ending::Success, _) => None,
            (Ending::Failure, Refused::Form(error) | Refused::Value(error)) => Some(error),
            (Ending::Failure, _) => result.complaint,
        };
        let tool = name_mark(&call.facts.tool);
        let known = self.tools.take(|row| row.tool == tool);
        let Some(complaint) = complaint else {
            return;
        };
        let exact = call.facts.exact;
        // An equal call that fails with other names or paths after a change: the change had an effect.
        let known = known.filter(|row| {
            let differs = row.changes != changes && row.particular != result.particular;
            row.complaint == complaint && !(differs && row.call == exact)
        });
        let mut row = known.unwrap_or(ToolRow {
            tool,
            complaint,
            count: 0,
            from: call.line,
            call: Mark::default(),
            shape: call.facts.shape,
            varied: 0,
            particular: Mark::default(),
            changes,
        });
        row.count = row.count.saturating_add(1);
        row.varied = row.varied.saturating_add(u32::from(row.call != exact));
        row.call = exact;
        row.shape = call.facts.shape;
        row.particular = result.particular;
        row.changes = changes;
        self.tools.push(row);
    }

    /// The failures of a tool in a row with one complaint.
    pub(crate) fn of_tool(&self, tool: &str) -> Option<&ToolRow> {
        if self.tools.is_empty() {
            return None;
        }
        let tool = name_mark(tool);
        self.tools.iter().find(|row| row.tool == tool)
    }

    fn ended(&mut self, call: &MadeCall, result: &ResultFacts) -> Failed {
        // Calls that never ran are judged by `unknown-tool` and `invalid-call`.
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
        // `grep` reports that nothing was found by exit code 1 without output.
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

    /// Records a denial: calls after it are judged anew.
    pub(super) fn start_afresh(&mut self) {
        self.fruitless = 0;
    }

    /// Effect of the last result on the row.
    pub(super) fn last(&self) -> Failed {
        self.last
    }

    /// Calls among the last fifteen that failed or returned nothing new.
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

    /// Whether a call of this kind is among the failed ones, but not this very call.
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
