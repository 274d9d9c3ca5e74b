//! `no-op`: changes that change nothing.

use serde::{Deserialize, Serialize};

use super::{
    Context, Detection, Happened, Rule, RuleText, TextContext, Traits, Trigger, documented,
    restarts,
};
use crate::{
    event::Line,
    facts::{Needs, name_mark},
    fingerprint::Mark,
    memory::{Last, PerTurn},
    options::{Ladder, options},
    state::{CompletedCall, FileStep, State},
};

documented! {
    /// ## What it does
    ///
    /// Counts calls that were to change something and did not: an edit whose old and new text are the same, a file written
    /// with the content it has, an answer such as "no changes" or "nothing to commit". Arguments may differ from call to
    /// call. The count ends with a real change. Such calls are not progress for any other rule.
    ///
    /// ## Why
    ///
    /// Many tools report such a call as a success, and the agent believes it. It runs the tests, sees the same failure, and
    /// "fixes" it again.
    ///
    /// ## Example
    ///
    /// ```text
    /// edit a.py "x" -> "x"     -> ok
    /// pytest                   -> 1 failed
    /// edit a.py "y" -> "y"     -> ok
    /// pytest                   -> 1 failed
    /// edit a.py "x" -> "x"     -> ok                     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - something was changed in between;
    /// - the call failed: a text that was not found is not the same as a text that was replaced by itself;
    /// - the call only reads, like `git status`.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in calls. Only calls that are bound to
    ///   change nothing again are denied.
}

options! {
    /// Options of `no-op`.
    NoOp {}
}

/// Different calls that are remembered.
const CALLS: usize = 8;

/// Calls that changed nothing, since the last progress.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct NoOps {
    row: u32,
    from: Line,
    calls: Last<Mark, CALLS>,
    epoch: u32,
}

restarts!(NoOps, version 1);

impl NoOps {
    fn record(&mut self, done: &CompletedCall) {
        if self.epoch != done.epoch {
            *self = Self {
                epoch: done.epoch,
                ..Self::default()
            };
        }
        if self.row == 0 {
            self.from = done.call.line;
        }
        self.row = self.row.saturating_add(1);
        let call = done.call.facts.exact;
        if !self.calls.contains(&call) {
            self.calls.push(call);
        }
    }

    /// Calls that changed nothing in this epoch.
    fn row(&self, epoch: u32) -> u32 {
        if self.epoch == epoch { self.row } else { 0 }
    }
}

impl Rule for NoOp {
    const NAME: &'static str = "no-op";
    const SUMMARY: &'static str = "Changes that change nothing.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits::CALLS;
    const NEEDS: Needs = Needs {
        changes: true,
        ..Needs::NOTHING
    };

    type State = PerTurn<NoOps>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(3, 6, 0))
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Result(done, _) = happened
            && done.step == FileStep::NoOp
        {
            state.record(done);
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        let row = state.row(context.shared.counters.ledger.epoch());
        match trigger {
            Trigger::Call(call) if row > 0 => {
                let facts = &call.facts;
                // The call did nothing before, or it is bound to do nothing.
                let bound = facts.change.is_some_and(|change| {
                    let files = &context.shared.files;
                    change.is_no_op() || files.would(change, context.line) == FileStep::NoOp
                });
                if !bound && !state.calls.contains(&facts.exact) {
                    return None;
                }
                let key = name_mark(&facts.tool);
                let detection =
                    Detection::new(row.saturating_add(1), state.from, key, &*facts.label);
                Some(detection.of_tool(&facts.tool).force_only())
            }
            Trigger::Result(done) if done.step == FileStep::NoOp && row > 1 => {
                let facts = &done.call.facts;
                let key = name_mark(&facts.tool);
                let detection = Detection::new(row, state.from, key, &*facts.label);
                Some(detection.of_tool(&facts.tool))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        let (seen, returned) = if context.ahead() {
            (
                "{count} calls that change nothing were made, this one included: {what}.",
                // What is quoted with a denial is from the last warning, and other calls may have followed.
                " One of the results: {outcome}.",
            )
        } else {
            (
                "{count} calls were meant to change something and changed nothing, the last one {what}.",
                " The last result: {outcome}.",
            )
        };
        RuleText {
            seen,
            returned: context.if_shown(returned),
            advice: " A test after them tests the old state. Read the file as it is now, state what should be different, and make that edit.",
        }
    }
}
