//! `stuck-outcome`: new approaches, old outcomes.

mod complaints;

use std::num::NonZeroU32;

use super::{
    Advice, Context, Detection, Happened, IncomingCall, JudgeSteps, Rule, RuleText, TextContext,
    Traits, Trigger, documented, restarts,
};
use crate::{
    facts::{MatrixNeeds, Needs},
    fingerprint::Mark,
    memory::PerTurn,
    options::{Ladder, nonzero, options},
    state::{Progress, State},
};
use complaints::{Complaints, RepeatedComplaint};

documented! {
    /// ## What it does
    ///
    /// Counts steps in a row in which the approach was new but the outcome was one already seen.
    ///
    /// For calls with their results it also counts how many of the last ten failed with the same complaint: the error
    /// message without the names, paths and numbers in it. Four of the last five weigh one more. A call that has itself
    /// failed like that is denied once they are enough, and weighs two; so is one of the same kind that comes right
    /// after such a failure, where three different calls failed like that. The first call after a nudge is never denied
    /// for this.
    ///
    /// A pattern that lasts is reported again when it has lasted twice as long. After three ignored nudges further calls of the kind
    /// are denied, and then the run is halted.
    ///
    /// ## Why
    ///
    /// Forty rewordings of a command that all end in the same message are forty different calls to a guard that
    /// compares calls, but one failure to the agent.
    ///
    /// ## Example
    ///
    /// ```text
    /// step "import foo"                -> No module named foo
    /// step "pip show foo"              -> nothing found
    /// step "python -c 'import foo'"    -> No module named foo     stuck 1
    /// step "python3 -c 'import foo'"   -> No module named foo     stuck 2
    /// ...
    ///                                                             stuck 5: nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the result says nothing, and so did another call of the kind: no output, a bare acknowledgement ("ok", "sent"), the
    ///   answer that there is nothing. Silent commands for many files are bulk work, and a name may be in none of many places.
    ///   The same holds for a few words of a call that does more than read ("active", "1 row affected"), unless they deny something;
    /// - a call that failed before works now;
    /// - the same call is repeated: that is for `exact-repeat`, `near-repeat` and `cycle`;
    /// - the errors differ in what they complain of or in their exit code, or the result asks to retry later;
    /// - tests fail, or the host refuses a call: that is for `test-fix-cycle` and `invalid-call`;
    /// - something was changed in between, and an equal call fails with another name or path in its error: the change had an
    ///   effect (for calls);
    /// - a call was denied, and this one is a new attempt: it is denied only once another call has failed.
    ///
    /// ## Options
    ///
    /// - `nudge`, `deny`, `halt`: the thresholds, in steps without a new outcome (the first occurrence is not one of
    ///   them) or in failures. Only `step`s are halted, calls are nudged and denied.
    /// - `judge`: `steps`, or `steps-and-calls` to judge calls with their results too, where no other rule reports.
    /// - `memory`: approaches and outcomes that are remembered.
}

options! {
    /// Options of `stuck-outcome`. Its counts are steps without a new outcome: the first occurrence is not one.
    StuckOutcome {
        /// What is judged.
        judge: JudgeSteps,
        /// Approaches and outcomes that are remembered, each.
        memory: NonZeroU32,
    }
}

restarts!(Complaints, version 3);

impl StuckOutcome {
    /// Another call of a kind that failed, or returned what was known, again and again. It is denied only where nudges were
    /// ignored.
    fn goes_on(
        &self,
        state: &Complaints,
        call: &IncomingCall,
        context: &Context<'_>,
    ) -> Option<Detection> {
        let facts = &call.facts;
        let first = self.ladder().first()?;
        if call.own_ladder {
            return None;
        }
        let failing_kind = state.of_kind(facts.shape);
        let detection = if let Some(alike) = failing_kind.filter(|alike| alike.weight() >= first) {
            failing(alike, alike.weight(), &facts.label)
        } else if state.stuck == facts.shape {
            let (stuck, from) = in_a_row(context, first)?;
            let key = Mark(u64::from(from));
            Detection::new(stuck, from, key, &*facts.label).worded(text_of_next_known)
        } else {
            return None;
        };
        Some(detection.of_tool(&facts.tool).when_ignored())
    }

    fn judges_results(&self) -> bool {
        self.judge == JudgeSteps::StepsAndCalls
    }
}

impl Rule for StuckOutcome {
    const NAME: &'static str = "stuck-outcome";
    const SUMMARY: &'static str = "Different actions, same result.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        advice: Advice::Summarise,
        ..Traits::CALLS
    };

    type State = PerTurn<Complaints>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(
            Ladder::new(5, 7, 8),
            JudgeSteps::StepsAndCalls,
            nonzero!(1_024),
        )
    }

    fn needs(&self) -> Needs {
        let calls = self.judges_results();
        let memory = self.memory;
        MatrixNeeds { memory, calls }.needs()
    }

    fn judges_calls(&self) -> bool {
        self.judges_results()
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, shared: &State) {
        if let Happened::Result(done, _) = happened
            && done.settled()
            && done.is_comparable()
        {
            state.record(&done.call, &done.result, shared.counters.acts);
            if done.progress == Some(Progress::Stuck) {
                state.stuck = done.call.facts.shape;
            }
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        match trigger {
            Trigger::Call(call) if self.judges_results() => {
                let facts = &call.facts;
                // Failures of other calls are not evidence about a new attempt.
                if context.shared.is_new_attempt(facts) {
                    return None;
                }
                // Whether this call will fail too is a guess until the threshold is reached.
                let deny = self.deny.count()?;
                let ahead = state.ahead_of(facts.exact, facts.shape);
                if let Some((alike, weight)) = ahead.filter(|(_, weight)| *weight >= deny) {
                    let detection = failing(alike, weight, &facts.label);
                    return Some(detection.of_tool(&facts.tool).deny_only());
                }
                self.goes_on(state, call, context)
            }
            Trigger::Result(done) if self.judges_results() => {
                let facts = &done.call.facts;
                let first = self.ladder().first()?;
                let alike = done
                    .result
                    .complaint
                    .and_then(|complaint| state.with(complaint));
                let detection = match alike {
                    Some(alike) if alike.weight() >= first => {
                        // What lasts is reported again when it has lasted twice as long.
                        failing(alike, alike.weight().max(alike.lasted), &facts.label)
                    }
                    _ if done.progress == Some(Progress::Stuck) => {
                        let (stuck, from) = in_a_row(context, first)?;
                        let key = Mark(u64::from(from));
                        Detection::new(stuck, from, key, &*facts.label)
                            .worded(text_of_known_results)
                    }
                    _ => return None,
                };
                let detection = detection.of_tool(&facts.tool).nudge_only();
                Some(detection.reported_with_verdict())
            }
            Trigger::Step(Progress::Stuck) => {
                let (stuck, from) = in_a_row(context, self.ladder().first()?)?;
                let key = Mark(u64::from(from));
                let detection = Detection::new(stuck.saturating_add(1), from, key, None);
                let detection = detection.weighing(stuck).stating(stuck);
                Some(detection.worded(text_of_steps))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        let (seen, returned) = if context.ahead() {
            (
                "{count} recent calls failed in the same way, and {what} is another of their kind.",
                // What is quoted with a denial is from the last warning, and other calls may have followed.
                " One of the errors: {outcome}.",
            )
        } else {
            (
                "{count} recent calls failed in the same way, the last one {what}.",
                " The last error: {outcome}.",
            )
        };
        RuleText {
            seen,
            returned: context.if_shown(returned),
            advice: " They may share an assumption that does not hold. Look for it before you try another variation: read what the error is about, not how the call was written.",
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] =
        &[text_of_known_results, text_of_next_known, text_of_steps];
}

const ADVICE: &str = " They may share an assumption that does not hold. Look for it before you try another variation.";

fn text_of_known_results(context: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} different calls returned results that were known already, the last one {what}.",
        returned: context.if_shown(" The last result: {outcome}."),
        advice: ADVICE,
    }
}

fn text_of_next_known(context: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} different calls returned results that were known already, and {what} is another of their kind.",
        returned: context.if_shown(" One of the results: {outcome}."),
        advice: ADVICE,
    }
}

fn text_of_steps(context: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "The last {count} steps took a new approach each and ended with a result seen before.",
        returned: context.if_shown(" The last error: {outcome}."),
        advice: ADVICE,
    }
}

/// Calls that fail with one complaint.
fn failing(alike: RepeatedComplaint, weight: u32, label: &str) -> Detection {
    Detection::new(alike.count, alike.from, alike.about, label).weighing(weight)
}

/// Number of new approaches in a row with a known outcome, from the first threshold on, and the line of the first.
fn in_a_row(context: &Context<'_>, first: u32) -> Option<(u32, u32)> {
    let matrix = &context.shared.counters.matrix;
    (matrix.stuck >= first).then_some((matrix.stuck, matrix.from))
}
