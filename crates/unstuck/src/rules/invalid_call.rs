//! `invalid-call`: arguments that the host refuses.

use serde::{Deserialize, Serialize};

use super::{
    Claims, Context, Detection, Happened, Rule, RuleText, TextContext, Traits, Trigger, documented,
    restarts,
};
use crate::{
    event::Line,
    facts::{CallView, Ending, Needs, Refused, form, name_mark},
    fingerprint::Mark,
    label::Label,
    memory::{Last, PerTurn},
    options::{Ladder, options},
    state::{CompletedCall, State},
};

documented! {
    /// ## What it does
    ///
    /// Counts calls of one tool whose arguments were refused with the same complaint: one is missing, unknown, of the wrong
    /// type, or not JSON. Their values may vary. A call that lacks the same things again is denied once there were
    /// enough of them; a call with other arguments is let through.
    ///
    /// ## Why
    ///
    /// Such a call never runs, so no change elsewhere will make it work. Models that leave a parameter out leave it out
    /// again, with another text in the parameters that were fine.
    ///
    /// ## Example
    ///
    /// ```text
    /// str_replace {"path":"a.py","new_str":"x"}   -> error: parameter `old_str` is required
    /// str_replace {"path":"a.py","new_str":"y"}   -> error: parameter `old_str` is required
    /// str_replace {"path":"b.py","new_str":"y"}   -> error: parameter `old_str` is required     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the complaint changed: the agent is working through it;
    /// - the tool worked in between;
    /// - the call ran and failed: a file that is not there, a text that is not found, a command that exits with an error.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in calls.
}

options! {
    /// Options of `invalid-call`.
    InvalidCall {}
}

/// Tools, and forms of calls of each, that are remembered.
const REMEMBERED: usize = 8;

/// Calls whose arguments were refused, tool by tool, the last one last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct InvalidCalls {
    tools: Last<InvalidTool, REMEMBERED>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct InvalidTool {
    tool: Mark,
    error: Mark,
    calls: u32,
    from: Line,
    /// What the refused calls looked like: their forms, or themselves where a value was wrong.
    looks: Last<Mark, REMEMBERED>,
}

restarts!(InvalidCalls, version 1);

impl InvalidCalls {
    fn record(&mut self, done: &CompletedCall, form: Mark) {
        let facts = &done.call.facts;
        let tool = name_mark(&facts.tool);
        let (error, look) = match done.result.refused {
            Refused::Form(error) => (error, form),
            Refused::Value(error) => (error, facts.exact),
            Refused::No | Refused::UnknownTool => {
                if done.result.ending == Ending::Success {
                    self.tools.take(|known| known.tool == tool);
                }
                return;
            }
        };
        let known = self.tools.take(|known| known.tool == tool);
        let mut row = known
            .filter(|row| row.error == error)
            .unwrap_or(InvalidTool {
                tool,
                error,
                calls: 0,
                from: done.call.line,
                looks: Last::default(),
            });
        row.calls = row.calls.saturating_add(1);
        if !row.looks.contains(&look) {
            row.looks.push(look);
        }
        self.tools.push(row);
    }

    /// The calls of a tool whose last call was refused, if this call looks like one that was refused.
    fn with(&self, tool: &str, form: Mark, exact: Mark) -> Option<&InvalidTool> {
        if self.tools.is_empty() {
            return None;
        }
        let tool = name_mark(tool);
        let row = self.tools.iter().find(|row| row.tool == tool)?;
        (row.looks.contains(&form) || row.looks.contains(&exact)).then_some(row)
    }
}

impl InvalidTool {
    fn detection(&self, more: u32, label: &Label) -> Detection {
        let key = self.tool.join(self.error);
        Detection::new(self.calls.saturating_add(more), self.from, key, &**label)
    }
}

impl Rule for InvalidCall {
    const NAME: &'static str = "invalid-call";
    const SUMMARY: &'static str = "Calls whose arguments are refused with the same complaint.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        one_result: true,
        ..Traits::CALLS
    };
    const NEEDS: Needs = Needs {
        refusals: true,
        ..Needs::NOTHING
    };

    type State = PerTurn<InvalidCalls>;

    /// The form of the call: equal for calls whose arguments differ in their values alone.
    type CallFact = Mark;

    fn standard() -> Self {
        Self::with(Ladder::new(4, 7, 10))
    }

    fn extract(&self, call: &CallView<'_>) -> Mark {
        form(call.tool, &call.args)
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Result(done, facts) = happened
            && done.settled()
            && !(state.tools.is_empty() && done.result.refused == Refused::No)
        {
            state.record(done, facts.invalid_call);
        }
    }

    fn claim(&self, _: &Self::State, claims: &mut Claims) {
        claims.invalid_calls = true;
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        match trigger {
            Trigger::Call(call) => {
                let facts = &call.facts;
                let row = state.with(&facts.tool, context.facts.invalid_call, facts.exact)?;
                let detection = row.detection(1, &facts.label).of_tool(&facts.tool);
                // The tool did not refuse the calls that were denied, nor this one.
                Some(detection.with_attempts().stating(row.calls).force_only())
            }
            Trigger::Result(done)
                if matches!(done.result.refused, Refused::Form(_) | Refused::Value(_)) =>
            {
                let facts = &done.call.facts;
                let row = state.tools.last().filter(|row| row.calls > 1)?;
                Some(row.detection(0, &facts.label).of_tool(&facts.tool))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: if context.ahead() {
                "{count} calls of {tool} were refused with the same error, and attempt {laps}, {what}, has the form of one of them."
            } else {
                "{count} calls of {tool} were refused with the same error about their arguments, the last one {what}. None of them ran."
            },
            returned: context.if_shown(" The error: {outcome}."),
            advice: " Read the error: it names what is missing or wrong. Look at the tool's parameters, give every required one, or use another tool.",
        }
    }
}
