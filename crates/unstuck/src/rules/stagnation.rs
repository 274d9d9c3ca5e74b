//! `stagnation`: old approaches, old outcomes.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{
    Advice, Context, Detection, Happened, JudgeSteps, Rule, RuleText, TextContext, Traits, Trigger,
    documented, restarts,
};
use crate::{
    event::Line,
    facts::{MatrixNeeds, Needs},
    fingerprint::Mark,
    memory::PerTurn,
    options::{Ladder, nonzero, options},
    state::{Novelty, Progress, State},
};

documented! {
    /// ## What it does
    ///
    /// Classifies every step by whether its approach and its outcome are new. Counts steps in a row in which neither
    /// is. A new outcome ends the streak, a new approach with an old outcome hands over to `stuck-outcome`.
    ///
    /// For calls with their results it counts how many of the last eight returned what they had returned before.
    /// Two of them are not counted, so a count of three is five of eight.
    ///
    /// ## Why
    ///
    /// An agent that writes programs rather than calling tools repeats itself a program at a time, and seldom the same
    /// one twice in a row. The sign of the loop is that all outcomes are known.
    ///
    /// ## Example
    ///
    /// ```text
    /// step A -> x        new approach, new outcome
    /// step B -> y        new approach, new outcome
    /// step A -> x        stagnation 1
    /// step B -> y        stagnation 2
    /// step A -> x        stagnation 3: nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - an outcome was never seen before, even with an old approach: the world changed;
    /// - the calls go round in a cycle: that is for `cycle`;
    /// - the call waits for something: that is for `poll`;
    /// - the tool has a `nudge` threshold of its own: that threshold limits its repeats.
    ///
    /// ## Options
    ///
    /// - `nudge`, `halt`: the thresholds, in steps without a new outcome; the first occurrence is not one of them.
    ///   Only `step`s are halted, calls are nudged.
    /// - `judge`: `steps`, or `steps-and-calls` to judge calls with their results too, where no other rule reports.
    /// - `memory`: approaches and outcomes that are remembered.
}

options! {
    /// Options of `stagnation`. Its counts are steps without a new outcome: the first occurrence is not one.
    Stagnation {
        /// What is judged.
        judge: JudgeSteps,
        /// Approaches and outcomes that are remembered, each.
        memory: NonZeroU32,
    }
}

/// Calls that are looked back at.
const WINDOW: u32 = 8;

/// Calls among those that may return known results, as they do in healthy runs.
const ALLOWED: u32 = 2;

/// Which of the last calls returned what they had returned before, one bit each, the last one lowest.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct KnownResults {
    known: u8,
    /// Whether the last call made it more of them.
    rising: bool,
    /// Where the stretch began.
    from: Line,
}

restarts!(KnownResults, version 1);

impl KnownResults {
    fn record(&mut self, novelty: Novelty, line: Line) {
        let before = self.excess();
        if before == 0 {
            self.from = line;
        }
        self.known = (self.known << 1) | u8::from(novelty == Novelty::Known);
        self.rising = self.excess() > before;
    }

    /// Calls among the last eight that returned nothing new, beyond the allowed ones.
    fn excess(&self) -> u32 {
        const { assert!(u8::BITS == WINDOW) };
        self.known.count_ones().saturating_sub(ALLOWED)
    }
}

impl Rule for Stagnation {
    const NAME: &'static str = "stagnation";
    const SUMMARY: &'static str = "Same actions, same results.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        advice: Advice::Summarise,
        ..Traits::CALLS
    };

    type State = PerTurn<KnownResults>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(
            Ladder::new(3, 0, 5),
            JudgeSteps::StepsAndCalls,
            nonzero!(1_024),
        )
    }

    fn needs(&self) -> Needs {
        let calls = self.judge == JudgeSteps::StepsAndCalls;
        let memory = self.memory;
        MatrixNeeds { memory, calls }.needs()
    }

    fn judges_calls(&self) -> bool {
        false
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Result(done, _) = happened
            && done.settled()
            && done.is_comparable()
        {
            state.record(done.novelty, done.call.line);
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        if !matches!(trigger, Trigger::Step(_) | Trigger::Result(_)) {
            return None;
        }
        // Healthy agents return to something once or twice: nothing is reported below the first threshold.
        let first = self.ladder().first()?;
        match trigger {
            Trigger::Step(Progress::Stagnate) => {
                let matrix = &context.shared.counters.matrix;
                let weight = matrix.stagnation;
                (weight >= first).then(|| {
                    // Each streak is a pattern of its own: what it consists of is not known.
                    let key = Mark(u64::from(matrix.from));
                    let detection =
                        Detection::new(weight.saturating_add(1), matrix.from, key, None);
                    let detection = detection.weighing(weight).stating(weight);
                    detection.worded(text_of_steps)
                })
            }
            Trigger::Result(done) if self.judge == JudgeSteps::StepsAndCalls => {
                let rising = state.rising && done.novelty == Novelty::Known;
                // Where calls go round, `cycle` reports which.
                if !rising || !done.is_comparable() || context.claims.cycling {
                    return None;
                }
                let weight = state.excess();
                if weight < first {
                    return None;
                }
                let known = context.shared.counters.endings.known(WINDOW);
                let key = Mark(u64::from(state.from));
                let label = &*done.call.facts.label;
                let mut detection =
                    Detection::new(known.count, state.from, key, label).weighing(weight);
                detection.facts.window = known.of;
                // Calls have no code to compare, so equal looks may be many small steps ahead: a nudge at the most.
                Some(detection.nudge_only().reported_with_verdict())
            }
            _ => None,
        }
    }

    fn text(_: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "{count} of the last {window} calls repeated an earlier call and returned nothing new, the last one {what}.",
            returned: "",
            advice: ADVICE,
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] = &[text_of_steps];
}

const ADVICE: &str = " Write down what is known, and take an approach you have not tried.";

fn text_of_steps(_: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "The last {count} steps repeated earlier steps and their results.",
        returned: "",
        advice: ADVICE,
    }
}
