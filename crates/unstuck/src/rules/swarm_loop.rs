//! `swarm-loop`: one call across the workers of a swarm.

use super::{
    Advice, Context, Detection, Results, Rule, RuleText, SwarmQuestion, TextContext, Traits,
    Trigger, documented,
};
use crate::{
    facts::{CallFacts, Needs},
    options::{Bounded, Ladder, choice, options},
    state::State,
};

documented! {
    /// ## What it does
    ///
    /// Counts one call over all workers of a swarm and reports it once it was made often by more than one of them. Every
    /// worker that makes it again gets the message.
    ///
    /// ## Why
    ///
    /// Ten workers that try the same dead address twice each are twenty wasted calls, and none of them repeats itself
    /// often enough to be noticed alone.
    ///
    /// ## Example
    ///
    /// ```text
    /// five workers, two calls each: web_fetch "https://api.example/dead"   -> error     nudge with the tenth
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the call returned something new to each of them: only calls that failed, or that returned to a worker what it
    ///   already had, are counted;
    /// - the workers belong to different swarms;
    /// - one worker alone made it: that is for the other rules.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in calls of the whole swarm.
    /// - `workers`: how many must have taken part.
    /// - `count`: `fruitless` as above; `every-call` counts every call when it is made.
}

choice! {
    /// Which calls count towards a swarm loop.
    SwarmCount {
        /// Every call.
        EveryCall,
        /// Calls that failed, or that returned nothing new to the same worker.
        Fruitless,
    }
}

options! {
    /// Options of `swarm-loop`. Its counts are calls of the whole swarm.
    SwarmLoop {
        /// Which calls count.
        count: SwarmCount,
        /// Number of workers that must have taken part. Up to 64 workers are counted separately.
        workers: Bounded<1, 64>,
    }
}

impl SwarmLoop {
    /// The call that is counted now, if one is.
    fn counted<'a>(&self, trigger: &'a Trigger<'_>) -> Option<&'a CallFacts> {
        match (self.count, trigger) {
            (SwarmCount::EveryCall, Trigger::Call(call)) => Some(&call.facts),
            (SwarmCount::Fruitless, Trigger::Result(done)) => Some(&done.call.facts),
            _ => None,
        }
    }
}

impl Rule for SwarmLoop {
    const NAME: &'static str = "swarm-loop";
    const SUMMARY: &'static str = "The workers of a swarm make the same call over and over.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        advice: Advice::Escalate,
        ..Traits::CALLS
    };

    type State = ();
    type CallFact = ();

    fn standard() -> Self {
        Self::with(
            Ladder::new(10, 0, 0),
            SwarmCount::Fruitless,
            Bounded::of::<2>(),
        )
    }

    fn needs(&self) -> Needs {
        Needs {
            coarse: true,
            swarm: true,
            outcomes: self.count == SwarmCount::Fruitless,
            ..Needs::NOTHING
        }
    }

    fn judges_calls(&self) -> bool {
        self.count == SwarmCount::EveryCall
    }

    fn asks_swarm<'a>(&self, trigger: &'a Trigger<'_>, _: &State) -> Option<SwarmQuestion<'a>> {
        let call = self.counted(trigger)?;
        match trigger {
            Trigger::Result(done) if !done.is_fruitless() => None,
            _ => Some(SwarmQuestion::Call(call)),
        }
    }

    fn detect(&self, (): &(), trigger: &Trigger<'_>, context: &Context<'_>) -> Option<Detection> {
        let tally = context.swarm?;
        let workers = u32::try_from(tally.workers()).unwrap_or(u32::MAX);
        let calls = u32::try_from(tally.calls()).unwrap_or(u32::MAX);
        if workers < self.workers.get() || calls < 2 {
            return None;
        }
        let call = self.counted(trigger)?;
        let mut detection = Detection::new(calls, context.line, call.coarse, &*call.label);
        detection.facts.workers = workers;
        Some(detection.of_tool(&call.tool))
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: match context.results {
                Results::Different | Results::Unknown => {
                    "{workers} workers of this swarm made the same call {count} times: {what}."
                }
                Results::Shown | Results::Empty => {
                    "{workers} workers of this swarm made the same call {count} times, and it failed or returned nothing new each time: {what}."
                }
            },
            returned: context.if_shown(" The last result: {outcome}."),
            advice: " Do not retry it; take another way, or report that this is blocked.",
        }
    }
}
