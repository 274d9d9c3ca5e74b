//! `cycle`: sequences of calls that repeat.

mod runs;

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{
    Claims, Context, Detection, Happened, Results, Rule, RuleState, RuleText, TextContext, Traits,
    Trigger, documented,
};
use crate::{
    facts::{CallFacts, Needs},
    hash::Key,
    memory::{PerTurn, Recent, memories},
    options::{Ladder, OnUser, RuleWarnings, choice, options},
    state::{Overlap, State},
};
use runs::{CyclePeriod, Pattern, Runs};

documented! {
    /// ## What it does
    ///
    /// Finds sequences of 2 to 16 calls that repeat, outcomes included, and counts their laps exactly. A denial covers
    /// every member of the cycle, so that entering it at another place is denied as well.
    ///
    /// ## Why
    ///
    /// Search, open, search, open: no single call is repeated in a row, so a guard that only compares with the last
    /// call never sees it.
    ///
    /// ## Example
    ///
    /// ```text
    /// search "token"   -> 3 hits
    /// open hit 1       -> page
    /// search "token"   -> 3 hits
    /// open hit 1       -> page
    /// search "token"   -> 3 hits
    /// open hit 1       -> page     nudge: three laps of two calls
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - an outcome in the lap differs: working off a queue, editing and testing with other failures;
    /// - the period is 1: that is `exact-repeat`.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in laps, including the first; where
    ///   `of = "calls"`, in repetitions of the pattern, counted also when the run breaks.
    /// - `of`: `steps` are calls with their outcomes, `calls` are calls alone.
    /// - `shortest`, `longest`: the periods looked for, at most 16.
}

choice! {
    /// What a cycle is made of.
    CycleOf {
        /// Calls with their outcomes.
        Steps,
        /// Calls alone; every complete repetition of a pattern counts, also after a break.
        Calls,
    }
}

options! {
    /// Options of `cycle`.
    Cycle {
        /// What a cycle is made of.
        of: CycleOf,
        /// The shortest period.
        shortest: CyclePeriod,
        /// The longest period, 16 at most.
        longest: CyclePeriod,
    }
}

/// The last calls, and the number of repetitions of each pattern of calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Cycles {
    runs: PerTurn<Runs>,
    patterns: Recent<u32>,
}

memories!(Cycles {
    per_turn: [runs, patterns],
    lasting: [],
    plain: [],
});

impl RuleState for Cycles {
    const VERSION: u8 = 1;

    fn empty(capacity: NonZeroU32, key: Key) -> Self {
        Self {
            runs: PerTurn::default(),
            patterns: Recent::new(capacity, key),
        }
    }

    fn user(&mut self, on_user: OnUser) {
        match on_user {
            OnUser::Keep => {}
            OnUser::ClearPatterns => self.patterns.clear(),
            OnUser::RestartStreaks => {
                self.runs.restart();
                self.patterns.clear();
            }
        }
    }
}

impl Rule for Cycle {
    const NAME: &'static str = "cycle";
    const SUMMARY: &'static str = "A sequence of calls goes round.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        tool_ladder: true,
        ..Traits::CALLS
    };

    type State = Cycles;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(
            Ladder::new(3, 6, 8),
            CycleOf::Steps,
            CyclePeriod::of::<2>(),
            CyclePeriod::of::<16>(),
        )
    }

    fn cut(&self, state: &mut Self::State) {
        state.runs.adjust(|runs| runs.cut(self.longest));
    }

    fn needs(&self) -> Needs {
        Needs {
            outcomes: self.of == CycleOf::Steps,
            ..Needs::NOTHING
        }
    }

    fn warn(&self, warnings: &mut RuleWarnings<'_>) {
        let Self {
            shortest, longest, ..
        } = self;
        if shortest > longest {
            let message = format!(
                "the rule can never fire, because `shortest = {shortest}` is above `longest = {longest}`"
            );
            warnings.push(&["shortest", "longest"], message);
        }
        warnings.ladder(&self.ladder(), self.judges_calls());
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        match (self.of, happened) {
            (CycleOf::Calls, Happened::Call(call)) => {
                let exact = call.facts.exact;
                let pattern = state.runs.push(exact, call, self.longest);
                if let Some(pattern) = pattern
                    && pattern.completes_lap()
                {
                    *state.patterns.entry(pattern.key, || 0) += 1;
                }
            }
            (CycleOf::Steps, Happened::Result(done, _))
                if done.settled() && done.call.overlap == Overlap::Alone && !done.waits =>
            {
                let step = done.call.facts.exact.join(done.result.outcome);
                state.runs.push(step, &done.call, self.longest);
            }
            _ => {}
        }
    }

    fn claim(&self, state: &Self::State, claims: &mut Claims) {
        claims.cycling = self.of == CycleOf::Steps && state.runs.comes_round();
    }

    fn knows(&self, state: &Self::State, call: &CallFacts) -> bool {
        state.runs.contains(call.exact)
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        _: &Context<'_>,
    ) -> Option<Detection> {
        let runs = &state.runs;
        let periods = self.shortest.get()..=self.longest.get();
        let wanted = |pattern: &Pattern| periods.contains(&pattern.period);
        match (self.of, trigger) {
            (CycleOf::Calls, Trigger::Call(call)) => {
                let facts = &call.facts;
                let pattern = runs.with(facts.exact).filter(wanted)?;
                if !pattern.completes_lap() {
                    return None;
                }
                let earlier = state.patterns.get(pattern.key);
                let mut labels = labels(runs, pattern.period - 1);
                labels.push((*facts.label).into());
                let detection = detection(&pattern, pattern.laps(), labels)
                    .weighing(earlier.copied().unwrap_or(0) + 1);
                Some(detection.of_tool(&facts.tool))
            }
            (CycleOf::Steps, Trigger::Call(call)) => {
                let pattern = runs.current().filter(wanted)?;
                if !runs.is_member(call.facts.exact, pattern.period)
                    || !self.ladder().forces(pattern.next_lap())
                {
                    return None;
                }
                let labels = labels(runs, pattern.period);
                let detection = detection(&pattern, pattern.next_lap(), labels);
                Some(detection.of_tool(&call.facts.tool).force_only())
            }
            (CycleOf::Steps, Trigger::Result(done)) => {
                let pattern = runs.current().filter(wanted)?;
                // Two laps may be a coincidence.
                if pattern.laps() < self.ladder().first()? {
                    return None;
                }
                let labels = labels(runs, pattern.period);
                let detection = detection(&pattern, pattern.laps(), labels);
                Some(detection.of_tool(&done.call.facts.tool))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: match (context.ahead(), context.results) {
                (true, _) => {
                    "The call belongs to round {count} of the same {period} calls:{pattern}\n"
                }
                (false, Results::Shown) => {
                    "The same {period} calls were made in turn {count} times, with the same results:{pattern}\n"
                }
                (false, _) => "The same {period} calls were made in turn {count} times:{pattern}\n",
            },
            returned: "",
            advice: "Another round will not change that. Leave the cycle: take a step you have not tried, or report what blocks you.",
        }
    }
}

fn labels(runs: &Runs, period: u32) -> Vec<Box<str>> {
    runs.labels(period).map(Into::into).collect()
}

fn detection(pattern: &Pattern, laps: u32, labels: Vec<Box<str>>) -> Detection {
    let mut detection = Detection::new(laps, pattern.from, pattern.key, None);
    detection.period = pattern.period;
    detection.pattern = labels;
    detection
}
