//! `near-repeat`: a similar call, the same outcome.

use std::num::NonZeroU32;

use super::{
    Context, Detection, Happened, Results, Rule, RuleText, TextContext, Traits, Trigger, documented,
};
use crate::{
    facts::{CallFacts, Needs},
    memory::PerTurn,
    options::{Ladder, RuleWarnings, choice, nonzero, options},
    state::{Overlap, RecentCalls, State},
};

documented! {
    /// ## What it does
    ///
    /// Counts how often calls that differ in nothing that matters returned the same outcome without progress in
    /// between. What matters are a call's primary arguments (path, command, pattern, query, url,
    /// offset, limit, …); a time-out or an encoding does not, and neither does a value that is fresh with every call
    /// (`nonce`, `request_id`, `timestamp`, …). A shell command is what it does: the order of options,
    /// quotes, `timeout 60`, `FOO=1`, `bash -c`, `2>&1 | tail -5` and the like do not matter, its directory does, and
    /// commands that read the same lines of one file are one read.
    ///
    /// Rephrased calls count as well: a search query with its words in another order, a status report that is
    /// rephrased. Arguments are data (paths, ids, numbers, commands) or wording (sentences of eight words or more,
    /// queries). Two calls are rephrasings if their data is equal and they share at least half of
    /// their words. Rephrasings are not reported below the first threshold.
    ///
    /// ## Why
    ///
    /// A model that repeats itself often varies what is easy to vary: a flag, a time-out, the command that
    /// prints the file. The answer stays the same.
    ///
    /// ## Example
    ///
    /// ```text
    /// read_file {"path":"a.ts"}                      -> same content
    /// read_file {"path":"a.ts","encoding":"utf-8"}   -> same content
    /// read_file {"path":"a.ts","timeout":5}          -> same content
    /// read_file {"path":"a.ts","timeout":9}          -> same content    nudge
    ///
    /// search {"query":"foo bar error"}               -> no results
    /// search {"query":"error foo bar"}               -> no results
    /// search {"query":"foo bar errors python"}       -> no results
    /// search {"query":"fix foo bar error"}           -> no results      nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the outcome differs;
    /// - the call carries what it writes (content, a patch, a message): then all its arguments matter;
    /// - an offset, a limit or the lines of a read differ: paging through a file is progress;
    /// - the same sentence is about something else: another name, number or path in it, or up to three words in the
    ///   place of others. Bulk work over distinct targets looks like that, and so does a list that is worked off;
    /// - a reworded call writes: a text that is written is a change;
    /// - the similar calls were made in parallel, in one round: they count once;
    /// - something was achieved in between.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in occurrences, including the first.
    /// - `count`: `outcomes` as above; `calls-in-a-row` counts similar calls that follow each other, whatever their results.
    /// - `window`: calls looked at where only calls count.
}

choice! {
    /// What makes a similar call count.
    CountSimilar {
        /// Its result.
        Outcomes,
        /// That it follows another one.
        CallsInARow,
    }
}

options! {
    /// Options of `near-repeat`.
    NearRepeat {
        /// What makes a similar call count.
        count: CountSimilar,
        /// Number of calls in the window, where only calls count.
        window: NonZeroU32,
    }
}

impl Rule for NearRepeat {
    const NAME: &'static str = "near-repeat";
    const SUMMARY: &'static str =
        "A call that differs in nothing that matters came back with the same outcome.";
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
        Self::with(Ladder::new(4, 6, 10), CountSimilar::Outcomes, nonzero!(20))
    }

    fn cut(&self, state: &mut Self::State) {
        state.adjust(|calls| calls.cut(self.window));
    }

    fn needs(&self) -> Needs {
        let outcomes = self.count == CountSimilar::Outcomes;
        Needs {
            coarse: true,
            outcomes,
            near: outcomes,
            rewordings: outcomes,
            ..Needs::NOTHING
        }
    }

    fn warn(&self, warnings: &mut RuleWarnings<'_>) {
        match self.count {
            CountSimilar::CallsInARow => warnings.window(&self.ladder(), self.window),
            CountSimilar::Outcomes => {}
        }
        warnings.ladder(&self.ladder(), self.judges_calls());
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Call(call) = happened
            && self.count != CountSimilar::Outcomes
        {
            state.push(call.facts.coarse, call, self.window);
        }
    }

    fn knows(&self, state: &Self::State, call: &CallFacts) -> bool {
        state.contains(call.coarse)
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        if !matches!(trigger, Trigger::Call(_) | Trigger::Result(_)) {
            return None;
        }
        // A healthy search is reworded two or three times: nothing is reported below the first threshold.
        let ladder = self.ladder();
        let first = ladder.first()?;
        match (self.count, trigger) {
            (CountSimilar::Outcomes, Trigger::Call(call)) => {
                let facts = &call.facts;
                let streak = context.shared.near.get(facts.near)?;
                let exact = context.shared.exact.get(facts.exact);
                let epoch = context.shared.epoch_for(facts);
                // Where every one of them was exactly equal, `exact-repeat` reports it.
                let only_exact = exact
                    .is_some_and(|exact| exact.continues(epoch) && exact.count() >= streak.count());
                let weight = streak.count() + 1;
                if call.near_overlap == Overlap::Parallel
                    || context.claims.poll(facts.polling, streak)
                    || only_exact
                    || !streak.continues(epoch)
                    || !ladder.forces(weight)
                {
                    return None;
                }
                let key = facts.near.join(streak.outcome);
                let detection = Detection::new(streak.calls() + 1, streak.from, key, &*facts.label)
                    .weighing(weight)
                    .with_results(streak)
                    .with_attempts();
                Some(detection.of_tool(&facts.tool).force_only())
            }
            (CountSimilar::Outcomes, Trigger::Result(done)) => {
                let facts = &done.call.facts;
                let streak = done.near.filter(|streak| {
                    streak.count() > 1 && !context.claims.poll(facts.polling, streak)
                })?;
                let only_exact = done
                    .exact
                    .is_some_and(|exact| exact.count() >= streak.count());
                if only_exact || streak.count() < first {
                    return None;
                }
                let key = facts.near.join(streak.outcome);
                let detection = Detection::new(streak.calls(), streak.from, key, &*facts.label)
                    .weighing(streak.count())
                    .with_results(&streak);
                Some(detection.of_tool(&facts.tool).reported_with_verdict())
            }
            (CountSimilar::CallsInARow, Trigger::Call(call)) => {
                let coarse = call.facts.coarse;
                let (similar, from) = state.streak(coarse, self.window)?;
                let detection = Detection::new(similar + 1, from, coarse, &*call.facts.label);
                Some(detection.of_tool(&call.facts.tool))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        let missing = context.facts.results_missing;
        let seen = match (context.ahead(), context.results) {
            (true, Results::Shown) if missing => {
                "{count} calls like {what} were made, this one included, and every result that arrived was the same: {outcome}."
            }
            (true, Results::Shown) => {
                "{count} calls like {what} were made, this one included, and every result was the same: {outcome}."
            }
            (true, Results::Empty) if missing => {
                "{count} calls like {what} were made, this one included, and no output arrived."
            }
            (true, Results::Empty) => {
                "{count} calls like {what} were made, this one included, and none returned any output."
            }
            (false, Results::Shown) if missing => {
                "{count} calls like {what} were made, and every result that arrived was the same: {outcome}."
            }
            (false, Results::Shown) => {
                "{count} calls like {what} returned the same result: {outcome}."
            }
            (false, Results::Empty) if missing => {
                "{count} calls like {what} were made, and no output arrived."
            }
            (false, Results::Empty) => "{count} calls like {what} returned no output.",
            (true, Results::Different | Results::Unknown) => {
                "{count} calls like {what} were made, this one included."
            }
            (false, Results::Different | Results::Unknown) => {
                "{count} calls like {what} were made."
            }
        };
        RuleText {
            seen,
            returned: "",
            advice: if context.results == Results::Shown {
                " They differ in details only. Use the result you have, or try something of another kind."
            } else {
                " They differ in details only. Try something of another kind."
            },
        }
    }
}
