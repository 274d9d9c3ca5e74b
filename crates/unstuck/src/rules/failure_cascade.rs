//! `failure-cascade`: failures in a row.

mod failures;

use super::{
    Advice, Context, Detection, Happened, IncomingCall, Rule, RuleText, TextContext, Traits,
    Trigger, documented, restarts,
};
use crate::{
    facts::{Command, Ending, Needs},
    fingerprint::Mark,
    memory::PerTurn,
    options::{Ladder, choice, options},
    state::{CompletedCall, State},
};
use failures::{Failed, Failures, ToolRow};

documented! {
    /// ## What it does
    ///
    /// Counts calls that fail in a row with errors that were seen before in that row, whatever their arguments and
    /// whichever their tool. A call of a kind that failed is denied once the row is long enough.
    ///
    /// Also counts the failures of one tool that complain of the same, equal or varied, as long as no call of that tool
    /// works. Two of them are not counted, so a count of three is five such failures.
    ///
    /// Also counts how many of the last twenty calls failed, whatever the errors: four of them weigh as much as one in
    /// a row, so a count of three is twelve of twenty. These are only nudged. If all of the last fifteen calls
    /// failed or returned nothing new, one call that was made before is denied as well; then the count starts again.
    ///
    /// ## Why
    ///
    /// Varying the arguments of a call that cannot work, or alternating between two tools that cannot work, keeps every
    /// counter of equal calls at one.
    ///
    /// ## Example
    ///
    /// ```text
    /// read_file a.bin      -> error: file exceeds the limit
    /// read_file b.bin      -> error: file exceeds the limit
    /// read_file c.bin      -> error: file exceeds the limit     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - a call succeeded in between;
    /// - the result asks to wait or to retry later: that is for `poll`;
    /// - the errors differ from each other, or each change brings another error of the same kind: the agent is working through
    ///   them;
    /// - a search found nothing or a comparison found a difference: exit code 1 and no output is an answer;
    /// - a person refused the calls, or they were cancelled;
    /// - a call was denied, and this one is a new attempt: it is denied only once another call has failed;
    /// - the host refused them, because there is no such tool or it does not take such arguments: that is for
    ///   `unknown-tool` and `invalid-call`.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in failures.
    /// - `count`: `same-error` as above; `shell` counts failures in a row of the tool `bash`, whatever the error.
}

choice! {
    /// Which failures count.
    CountFailures {
        /// Failures in a row that came with errors seen before in that row, whichever the tool.
        SameError,
        /// Failures in a row of the shell, whatever the error.
        Shell,
    }
}

options! {
    /// Options of `failure-cascade`.
    FailureCascade {
        /// Which failures count.
        count: CountFailures,
    }
}

restarts!(Failures, version 4);

/// Failures of one tool that are not counted: most agents find their way after two.
const ALLOWED: u32 = 2;

/// Calls of one tool that must have failed in different forms before another one is expected to fail: failures of one
/// call alone say nothing about another.
const DIFFERENT: u32 = 3;

/// Failures among the last twenty calls that weigh as much as one in a row.
const LATELY_FOR_ONE: u32 = 4;

impl Rule for FailureCascade {
    const NAME: &'static str = "failure-cascade";
    const SUMMARY: &'static str = "Calls fail in a row with the same errors.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        advice: Advice::Summarise,
        ..Traits::CALLS
    };

    type State = PerTurn<Failures>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(3, 6, 10), CountFailures::SameError)
    }

    fn needs(&self) -> Needs {
        Needs {
            outcomes: self.count == CountFailures::SameError,
            ..Needs::NOTHING
        }
    }

    fn judges_calls(&self) -> bool {
        self.count == CountFailures::SameError
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, shared: &State) {
        match happened {
            Happened::Denied(..) => state.start_afresh(),
            Happened::Result(done, _) => {
                if done.settled() && done.is_comparable() {
                    state.record_fruit(done.novelty, done.result.ending);
                    state.record_tool(&done.call, &done.result, shared.counters.acts);
                }
                state.record(&done.call, &done.result);
            }
            Happened::Call(_) | Happened::Text(..) | Happened::Turn(_) => {}
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        match (self.count, trigger) {
            (CountFailures::SameError, Trigger::Call(call)) => {
                let facts = &call.facts;
                if context.shared.is_new_attempt(facts) {
                    return None;
                }
                let row = state.row();
                if row < 2 || !state.would_go_on(facts.exact, facts.shape) {
                    return self
                        .tool_fails_on(state, call)
                        .or_else(|| self.fruitless(state, call, context));
                }
                let detection = in_a_row(state, &facts.label).weighing(row + 1);
                Some(detection.of_tool(&facts.tool).force_only())
            }
            (CountFailures::SameError, Trigger::Result(done)) => {
                let first = self.ladder().first()?;
                let facts = &done.call.facts;
                let goes_on = state.last() == Failed::Again;
                let row = || {
                    let detection = in_a_row(state, &facts.label).weighing(state.row());
                    detection.of_tool(&facts.tool)
                };
                let of_tool = || {
                    let failing = state.of_tool(&facts.tool)?;
                    let weight = failing.count.saturating_sub(ALLOWED);
                    let failed = done.result.ending == Ending::Failure;
                    (failed && weight >= first).then(|| {
                        let detection = of_one_tool(failing, weight, &facts.label);
                        detection.of_tool(&facts.tool).reported_with_verdict()
                    })
                };
                if goes_on && state.row() >= first {
                    Some(row())
                } else if let Some(of_tool) = of_tool() {
                    Some(of_tool)
                } else {
                    most_fail(state, done, context, first).or_else(|| goes_on.then(row))
                }
            }
            (CountFailures::Shell, Trigger::Result(done))
                if state.last() != Failed::No && done.call.facts.command != Command::None =>
            {
                if state.shell < 2 {
                    return None;
                }
                let key = Mark(u64::from(state.shell_from));
                let facts = &done.call.facts;
                let mut detection =
                    Detection::new(state.shell, state.shell_from, key, &*facts.label);
                detection.facts.file_operation = facts.command == Command::FileOperation;
                Some(detection.of_tool(&facts.tool).worded(text_of_shell))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: if context.ahead() {
                "{count} calls in a row failed with the same error, and {what} is another of their kind."
            } else {
                "{count} calls in a row failed with the same error, the last one {what}."
            },
            returned: context.if_shown(" The error: {outcome}."),
            advice: " Read the error: its cause does not depend on what you vary. Check the precondition it names, use another tool, or ask.",
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] = &[
        text_of_shell,
        text_of_tool,
        text_of_fruitless,
        text_of_several_errors,
        text_of_most_fail,
    ];
}

impl FailureCascade {
    /// Denies a call of a tool whose calls fail on with one complaint, if it is of the kind of the last one.
    fn tool_fails_on(&self, state: &Failures, call: &IncomingCall) -> Option<Detection> {
        let facts = &call.facts;
        let failing = state.of_tool(&facts.tool)?;
        let weight = (failing.count + 1).saturating_sub(ALLOWED);
        if call.own_ladder
            || failing.shape != facts.shape
            || failing.varied < DIFFERENT
            || self.deny.count().is_none_or(|deny| weight < deny)
        {
            return None;
        }
        let detection = of_one_tool(failing, weight, &facts.label).of_tool(&facts.tool);
        // Another attempt may work: denials without progress halt the run, failures alone do not.
        Some(detection.deny_only())
    }

    /// Denies one call if none of the last calls returned anything new, unless the call itself is new.
    fn fruitless(
        &self,
        state: &Failures,
        call: &IncomingCall,
        context: &Context<'_>,
    ) -> Option<Detection> {
        let deny = self.deny.count()?;
        if call.own_ladder || state.fruitless() < Failures::FRUITLESS {
            return None;
        }
        // A call that was made before some progress counts as a new one.
        let facts = &call.facts;
        let streak = context.shared.exact.get(facts.exact)?;
        if !streak.continues(context.shared.epoch_for(facts)) {
            return None;
        }
        let fruitless = context
            .shared
            .counters
            .endings
            .fruitless(Failures::FRUITLESS);
        let label = &*facts.label;
        let mut detection = Detection::new(fruitless.count, state.from, Mark::default(), label)
            .weighing(deny)
            .worded(text_of_fruitless);
        detection.facts.window = fruitless.of;
        Some(detection.of_tool(&facts.tool).deny_only())
    }
}

/// Failures of one tool with one complaint.
fn of_one_tool(failing: &ToolRow, weight: u32, label: &str) -> Detection {
    let key = failing.tool.join(failing.complaint);
    let detection = Detection::new(failing.count, failing.from, key, label);
    detection.weighing(weight).worded(text_of_tool)
}

/// Failures in a row with errors of that row.
fn in_a_row(state: &Failures, label: &str) -> Detection {
    let detection = Detection::new(state.in_a_row(), state.from, state.key(), label);
    if state.have_one_error() {
        detection
    } else {
        detection.worded(text_of_several_errors)
    }
}

/// Most of the last calls failed, whatever the errors.
fn most_fail(
    state: &Failures,
    done: &CompletedCall,
    context: &Context<'_>,
    first: u32,
) -> Option<Detection> {
    let weight = state.lately() / LATELY_FOR_ONE;
    if state.last() == Failed::No || weight < first {
        return None;
    }
    let failed = context.shared.counters.endings.failed(Failures::LATELY);
    let label = &*done.call.facts.label;
    let mut detection = Detection::new(failed.count, state.from, Mark::default(), label)
        .weighing(weight)
        .worded(text_of_most_fail);
    detection.facts.window = failed.of;
    let detection = detection.of_tool(&done.call.facts.tool).nudge_only();
    Some(detection.reported_with_verdict())
}

const READ_THE_ERRORS: &str = " Read the errors: check that the programs, paths and permissions are what you think, use another tool, or ask.";

fn text_of_several_errors(context: &TextContext<'_>) -> RuleText {
    let (seen, returned) = if context.ahead() {
        (
            "{count} calls in a row failed with errors that recur, and {what} is another of their kind.",
            " One of the errors: {outcome}.",
        )
    } else {
        (
            "{count} calls in a row failed with errors that recur, the last one {what}.",
            " The last error: {outcome}.",
        )
    };
    RuleText {
        seen,
        returned: context.if_shown(returned),
        advice: READ_THE_ERRORS,
    }
}

fn text_of_tool(context: &TextContext<'_>) -> RuleText {
    let (seen, returned) = if context.ahead() {
        (
            "{count} calls of {tool} failed in the same way and none worked in between, and {what} is another of their kind.",
            " One of the errors: {outcome}.",
        )
    } else {
        (
            "{count} calls of {tool} failed in the same way and none worked in between, the last one {what}.",
            " The last error: {outcome}.",
        )
    };
    RuleText {
        seen,
        returned: context.if_shown(returned),
        advice: READ_THE_ERRORS,
    }
}

fn text_of_shell(context: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} shell commands in a row failed, the last one {what}.",
        returned: context.if_shown(" The last error: {outcome}."),
        advice: READ_THE_ERRORS,
    }
}

fn text_of_fruitless(_: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} of the last {window} calls failed or returned nothing new, and {what} is one that you made before.",
        returned: "",
        advice: " Stop and take stock: what do you know for certain, what did you try, and what is left? The next call is judged afresh.",
    }
}

fn text_of_most_fail(_: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} of the last {window} calls failed, the last one {what}.",
        returned: "",
        advice: " Stop and take stock: what do you know for certain, and which of the failures do you understand? Settle the first one before you go on.",
    }
}
