//! `unknown-tool`: calls of tools that are not there.

use serde::{Deserialize, Serialize};

use super::{
    Claims, Context, Detection, Happened, Rule, RuleText, TextContext, Traits, Trigger, documented,
    restarts,
};
use crate::{
    event::Line,
    facts::{Ending, Needs, Refused, name_mark},
    fingerprint::Mark,
    label::Label,
    memory::{Last, PerTurn},
    options::{Ladder, options},
    state::{CompletedCall, State},
};

documented! {
    /// ## What it does
    ///
    /// Counts calls that the host answered with "there is no such tool": those under one name, and those in a row under
    /// any name. A name that is known not to exist is denied once there were enough of them.
    ///
    /// ## Why
    ///
    /// A model that assumes a tool exists repeats the call with other arguments or guesses other names. None of these
    /// calls can run.
    ///
    /// ## Example
    ///
    /// ```text
    /// hex {"q":"encode ff"}     -> error: hex is not a valid tool, try one of [shell, read_file]
    /// hex {"q":"decode ff00"}   -> error: hex is not a valid tool, try one of [shell, read_file]     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - it was one wrong name, and the next call is of a tool that exists;
    /// - something was achieved in between;
    /// - the tool is there after all: another call worked since, and this one is let through to see;
    /// - a program that a shell ran reports an unknown command.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in calls.
}

options! {
    /// Options of `unknown-tool`.
    UnknownTool {}
}

/// Names that are remembered.
const NAMES: usize = 8;

/// Calls of tools that do not exist.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct UnknownTools {
    names: Last<UnknownName, NAMES>,
    /// Calls in a row, whatever the name.
    row: u32,
    row_from: Line,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct UnknownName {
    tool: Mark,
    calls: u32,
    from: Line,
    epoch: u32,
}

restarts!(UnknownTools, version 1);

impl UnknownTools {
    fn record(&mut self, done: &CompletedCall) {
        let tool = name_mark(&done.call.facts.tool);
        let known = self.names.take(|name| name.tool == tool);
        if done.result.refused != Refused::UnknownTool {
            // A known name exists now, and stays forgotten.
            if done.result.ending == Ending::Success {
                self.row = 0;
            }
            return;
        }
        if self.row == 0 {
            self.row_from = done.call.line;
        }
        self.row = self.row.saturating_add(1);
        let mut name = known
            .filter(|name| name.epoch == done.epoch)
            .unwrap_or(UnknownName {
                tool,
                calls: 0,
                from: done.call.line,
                epoch: done.epoch,
            });
        name.calls = name.calls.saturating_add(1);
        self.names.push(name);
    }

    /// The calls under the name that was called last.
    fn last(&self, label: &Label) -> Option<Detection> {
        self.names.last().map(|name| self.detection(name, 0, label))
    }

    /// The calls under this name with one more. `None` if the tool may exist: something worked since.
    fn with(&self, tool: &str, label: &Label) -> Option<Detection> {
        if self.row == 0 {
            return None;
        }
        let tool = name_mark(tool);
        let name = self.names.iter().find(|name| name.tool == tool)?;
        Some(self.detection(name, 1, label))
    }

    /// The calls under a name, or the calls in a row under any name where those are more.
    fn detection(&self, name: &UnknownName, more: u32, label: &Label) -> Detection {
        if self.row > name.calls {
            let key = Mark(u64::from(self.row_from));
            Detection::new(self.row.saturating_add(more), self.row_from, key, &**label)
        } else {
            Detection::new(
                name.calls.saturating_add(more),
                name.from,
                name.tool,
                &**label,
            )
        }
    }
}

impl Rule for UnknownTool {
    const NAME: &'static str = "unknown-tool";
    const SUMMARY: &'static str = "Calls of tools that are not there.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits::CALLS;
    const NEEDS: Needs = Needs {
        refusals: true,
        ..Needs::NOTHING
    };

    type State = PerTurn<UnknownTools>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(3, 5, 7))
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Result(done, _) = happened
            && done.settled()
            && !(state.names.is_empty() && state.row == 0 && done.result.refused == Refused::No)
        {
            state.record(done);
        }
    }

    fn claim(&self, _: &Self::State, claims: &mut Claims) {
        claims.unknown_tools = true;
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        _: &Context<'_>,
    ) -> Option<Detection> {
        match trigger {
            Trigger::Call(call) => {
                let facts = &call.facts;
                let detection = state.with(&facts.tool, &facts.label)?;
                Some(detection.of_tool(&facts.tool).with_attempts().force_only())
            }
            Trigger::Result(done) if done.result.refused == Refused::UnknownTool => {
                let facts = &done.call.facts;
                let detection = state.last(&facts.label)?;
                (detection.repeats > 1)
                    .then(|| detection.of_tool(&facts.tool).reported_with_verdict())
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        let (seen, returned) = if context.ahead() {
            (
                "{count} calls named a tool that does not exist, this one included: {what}.",
                " One of the errors: {outcome}.",
            )
        } else {
            (
                "{count} calls named a tool that does not exist, the last one {what}.",
                " The error: {outcome}.",
            )
        };
        RuleText {
            seen,
            returned: context.if_shown(returned),
            advice: " Other arguments or another spelling will not make it exist. Look at the tools you were given, and use one of those or do without.",
        }
    }
}
