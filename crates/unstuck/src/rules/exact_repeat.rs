//! `exact-repeat`: the same call, the same outcome.

use std::num::NonZeroU32;

use super::{
    Compared, Context, Detection, Happened, Results, Rule, RuleText, TextContext, Traits, Trigger,
    documented, restarts,
};
use crate::{
    facts::{CallFacts, Needs, Refused, ResultFacts},
    memory::PerTurn,
    options::{Ladder, RuleWarnings, choice, nonzero, options},
    state::{Adjacency, CallStreak, Overlap, RecentCalls, State},
};

documented! {
    /// ## What it does
    ///
    /// Counts how often the same call (same tool, same arguments, whatever the order of their keys) returned the same
    /// outcome without progress in between. Other calls in between do not reset the count, but a repeat after a new result
    /// of another call counts half, and one that works after a new call that may have changed something (a program, a click) does
    /// not count. To decide on a denial, every repeat that does not directly follow the equal call counts half. A change that is repeated directly counts even if the line numbers in its result differ.
    ///
    /// A call of which nothing is known, because its result has no output, is reported two occurrences later.
    ///
    /// ## Why
    ///
    /// An agent that makes the same call and gets the same result learns nothing from making it again. This is the most
    /// common loop.
    ///
    /// ## Example
    ///
    /// ```text
    /// read_file {"path":"src/auth.py"}   -> same content
    /// read_file {"path":"src/auth.py"}   -> same content
    /// read_file {"path":"src/auth.py"}   -> same content    nudge
    /// read_file {"path":"src/auth.py"}   -> same content    nudge, level 2
    /// read_file {"path":"src/auth.py"}   -> same content    nudge, level 3
    /// read_file {"path":"src/auth.py"}                      deny
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the outcome differs: polling something that moves, reading a log that grows;
    /// - the call waits for something: that is for `poll`;
    /// - something was achieved in between: the file that is read was changed, anything was changed before a test is run
    ///   again, fewer tests fail than before, the repository shows other changes;
    /// - the equal calls were made in parallel, in one round: they count once;
    /// - a call that does more than read worked in between, for the first time: tests that pass after each program that edits
    ///   files, a picture of the screen after each click. Calls that only read count half, and calls that fail count;
    /// - a person refused the call, it was cancelled, or it is still running.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in occurrences, including the first.
    /// - `count`: `outcomes` as above; `calls-in-a-row` counts equal calls that follow each other, whatever their results;
    ///   `calls-in-window` counts equal calls among the last ones and judges when the turn ends.
    /// - `window`: calls looked at where only calls count.
}

choice! {
    /// What makes an equal call count.
    CountCalls {
        /// It returned the same outcome, without progress in between.
        Outcomes,
        /// It is equal to the call before, whatever the results; `window` calls are looked at.
        CallsInARow,
        /// It is among the last `window` calls, whatever the results; judged when the turn ends.
        CallsInWindow,
    }
}

options! {
    /// Options of `exact-repeat`.
    ExactRepeat {
        /// What makes an equal call count.
        count: CountCalls,
        /// Number of calls in the window, where only calls count.
        window: NonZeroU32,
    }
}

restarts!(RecentCalls, version 1);

impl Rule for ExactRepeat {
    const NAME: &'static str = "exact-repeat";
    const SUMMARY: &'static str =
        "The same call came back with the same outcome, and nothing was achieved in between.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        tool_ladder: true,
        one_result: true,
        ..Traits::CALLS
    };

    /// The last calls, where only calls count.
    type State = PerTurn<RecentCalls>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(3, 6, 9), CountCalls::Outcomes, nonzero!(20))
    }

    fn cut(&self, state: &mut Self::State) {
        state.adjust(|calls| calls.cut(self.window));
    }

    fn needs(&self) -> Needs {
        Needs {
            outcomes: self.count == CountCalls::Outcomes,
            ..Needs::NOTHING
        }
    }

    fn judges_calls(&self) -> bool {
        self.count != CountCalls::CallsInWindow
    }

    fn warn(&self, warnings: &mut RuleWarnings<'_>) {
        if self.count != CountCalls::Outcomes {
            warnings.window(&self.ladder(), self.window);
        }
        warnings.ladder(&self.ladder(), self.judges_calls());
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Call(call) = happened
            && self.count != CountCalls::Outcomes
        {
            state.push(call.facts.exact, call, self.window);
        }
    }

    fn knows(&self, state: &Self::State, call: &CallFacts) -> bool {
        state.contains(call.exact)
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        match (self.count, trigger) {
            (CountCalls::Outcomes, Trigger::Call(call)) => {
                let facts = &call.facts;
                let streak = context.shared.exact.get(facts.exact)?;
                if call.overlap == Overlap::Parallel
                    || context.claims.poll(facts.polling, streak)
                    || !streak.continues(context.shared.epoch_for(facts))
                {
                    return None;
                }
                let adjacency = context.shared.adjacency(facts.exact);
                let weight =
                    streak.weight_with_next(facts, adjacency, context.shared.counters.acts);
                // A change whose result differs each time has an effect: it is nudged, and the run is halted, but single calls
                // are not denied.
                if streak.results_differ() && self.halt.count().is_some_and(|halt| weight < halt) {
                    return None;
                }
                let key = facts.exact.join(streak.outcome);
                let detection = Detection::new(streak.calls() + 1, streak.from, key, &*facts.label)
                    .weighing(weight)
                    .with_results(streak)
                    .with_attempts()
                    .of_tool(&facts.tool);
                Some(placed(detection, adjacency, streak).force_only())
            }
            (CountCalls::Outcomes, Trigger::Result(done)) => {
                let facts = &done.call.facts;
                let streak = done.exact.filter(|streak| {
                    streak.count() > 1 && !context.claims.poll(facts.polling, streak)
                })?;
                let key = facts.exact.join(streak.outcome);
                let detection = Detection::new(streak.calls(), streak.from, key, &*facts.label)
                    .weighing(streak.weight().saturating_sub(leniency(&done.result)))
                    .with_results(&streak)
                    .of_tool(&facts.tool);
                let detection = placed(detection, done.adjacency, &streak);
                // Within a cycle every member repeats: `cycle` reports the whole. A refused call is reported with its
                // reason by `unknown-tool` or `invalid-call`.
                let refused = match done.result.refused {
                    Refused::No => false,
                    Refused::UnknownTool => context.claims.unknown_tools,
                    Refused::Form(_) | Refused::Value(_) => context.claims.invalid_calls,
                };
                Some(if refused || context.claims.cycling {
                    detection.force_only()
                } else {
                    detection
                })
            }
            (CountCalls::CallsInARow, Trigger::Call(call)) => {
                let facts = &call.facts;
                let (equal, from) = state.streak(facts.exact, self.window)?;
                let detection = Detection::new(equal + 1, from, facts.exact, &*facts.label);
                Some(detection.of_tool(&facts.tool))
            }
            (CountCalls::CallsInWindow, Trigger::Turn) => {
                let equals = state.most_frequent(self.window)?;
                (equals.count > 1)
                    .then(|| Detection::new(equals.count, equals.from, equals.mark, equals.label))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: equal_calls(context),
            returned: "",
            advice: if context.results == Results::Shown {
                " Another equal call will not bring more. Use the result you have; then use other arguments or another tool, or state what is missing."
            } else {
                " Another equal call will not bring more. Use other arguments or another tool, or state what is missing."
            },
        }
    }
}

/// Occurrences that are not counted: a call of which nothing is known may be repeated more often than one that returned
/// something.
fn leniency(result: &ResultFacts) -> u32 {
    if result.unknown { 2 } else { 0 }
}

/// A call that is repeated later, after others, is reported only beside another verdict.
fn placed(mut detection: Detection, adjacency: Adjacency, streak: &CallStreak) -> Detection {
    let in_a_row = adjacency == Adjacency::InARow && streak.is_in_a_row();
    if in_a_row && detection.facts.compared == Compared::Differ {
        detection.facts.compared = Compared::DifferInARow;
    }
    match adjacency {
        Adjacency::InARow => detection.reported_insistently(),
        Adjacency::Apart => detection.reported_with_verdict(),
    }
}

/// Text about equal calls and how their results compare.
pub(super) fn equal_calls(context: &TextContext<'_>) -> &'static str {
    let missing = context.facts.results_missing;
    let in_a_row = context.facts.compared == Compared::DifferInARow;
    match (context.ahead(), context.results) {
        (true, Results::Shown) if missing => {
            "{count} equal calls of {what} were made, this one included, and every result that arrived was the same: {outcome}."
        }
        (true, Results::Shown) => {
            "{count} equal calls of {what} were made, this one included, and every result was the same: {outcome}."
        }
        (true, Results::Empty) if missing => {
            "{count} equal calls of {what} were made, this one included, and no output arrived."
        }
        (true, Results::Empty) => {
            "{count} equal calls of {what} were made, this one included, and none returned any output."
        }
        (true, Results::Different) if in_a_row => {
            "{count} equal calls of {what} were made one after another, this one included."
        }
        (true, Results::Different | Results::Unknown) => {
            "{count} equal calls of {what} were made, this one included."
        }
        (false, Results::Shown) if missing => {
            "{count} equal calls of {what} were made, and every result that arrived was the same: {outcome}."
        }
        (false, Results::Shown) => "{what} returned the same result {count} times: {outcome}.",
        (false, Results::Empty) if missing => {
            "{count} equal calls of {what} were made, and no output arrived."
        }
        (false, Results::Empty) => {
            "{count} equal calls of {what} were made, and none returned any output."
        }
        (false, Results::Different) if in_a_row => {
            "{count} equal calls of {what} were made one after another."
        }
        (false, Results::Different | Results::Unknown) => {
            "{count} equal calls of {what} were made."
        }
    }
}
