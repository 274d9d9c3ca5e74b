//! `poll`: repeated checks whether something is done.

use serde::{Deserialize, Serialize};

use super::{
    Claims, Context, Detection, Happened, Rule, RuleText, TextContext, Traits, Trigger, documented,
    exact_repeat::equal_calls, restarts,
};
use crate::{
    event::Line,
    facts::{Needs, Polling},
    fingerprint::Mark,
    memory::PerTurn,
    options::{Bounded, Ladder, options},
    state::{CompletedCall, State},
};

documented! {
    /// ## What it does
    ///
    /// Judges calls that wait. A call waits by its name or arguments (`poll`, `wait`, `sleep`, an empty command sent to
    /// a running shell; `sleep 5; …` from two seconds on). A call named `status` or `progress` waits if a short result reports it (`pending`, `still
    /// running`; for a failure `503 Service Unavailable`, `rate limit`). Any other call waits if a short result reports
    /// it and the call was seen to change or to wait: its result changed before, or ten seconds or more passed before
    /// it was made again. Words count as whole words, numbers as whole status codes.
    ///
    /// Calls in a row that do nothing but let time pass are counted as well, however long each of them waits.
    ///
    /// As long as the result stays the same, looks that follow each other within ten seconds are counted; slower ones
    /// are not, and get a nudge only when there are `slow_nudge` of them.
    ///
    /// ## Why
    ///
    /// Waiting for a build is useful, and a guard must not stop an agent for it. Checking once a second for an hour is
    /// not waiting, and every check costs a call.
    ///
    /// ## Example
    ///
    /// ```text
    /// process {"action":"poll"}   -> pending     every 60 s: not reported
    /// process {"action":"poll"}   -> pending     every 3 s: nudge at the 10th, deny from the 20th on
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the answer changes;
    /// - ten seconds or more pass between two looks;
    /// - the other side is overloaded and the agent backs off.
    ///
    /// A call that reads a file, lists, searches, writes or runs tests is never a poll, whatever words its result
    /// contains.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in looks that came within ten seconds of the
    ///   one before.
    /// - `slow_nudge`: looks with the same answer, however slow, at which a nudge is given all the same.
}

options! {
    /// Options of `poll`. Its counts are looks that followed each other within ten seconds.
    Poll {
        /// Looks with the same answer, however slow, at which a nudge is given all the same.
        slow_nudge: Bounded<2, 1_000_000>,
    }
}

/// Calls in a row that only let time pass.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sleeps {
    row: u32,
    from: Line,
}

restarts!(Sleeps, version 1);

impl Sleeps {
    fn record(&mut self, done: &CompletedCall) {
        // A sleep before something else returns what that has to say.
        if done.call.facts.polling != Polling::Sleeps || !done.result.silent {
            self.row = 0;
            return;
        }
        if self.row == 0 {
            self.from = done.call.line;
        }
        self.row = self.row.saturating_add(1);
    }

    fn detection(self, more: u32, label: &str) -> Detection {
        let row = self.row.saturating_add(more);
        let key = Mark(u64::from(self.from));
        Detection::new(row, self.from, key, label).worded(text_of_sleeps)
    }
}

impl Rule for Poll {
    const NAME: &'static str = "poll";
    const SUMMARY: &'static str = "Something is looked at again and again, and is not done yet.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        tool_ladder: true,
        one_result: true,
        ..Traits::CALLS
    };
    const NEEDS: Needs = Needs {
        polls: true,
        ..Needs::NOTHING
    };

    type State = PerTurn<Sleeps>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(10, 20, 40), Bounded::of::<30>())
    }

    fn claim(&self, _: &Self::State, claims: &mut Claims) {
        claims.polls = true;
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Result(done, _) = happened
            && (state.row > 0 || done.call.facts.polling == Polling::Sleeps)
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
        match trigger {
            Trigger::Call(call) if call.facts.polling == Polling::Sleeps => {
                let facts = &call.facts;
                let forces = state.row > 1 && self.ladder().forces(state.row + 1);
                let detection = forces.then(|| state.detection(1, &facts.label))?;
                Some(detection.of_tool(&facts.tool).with_attempts().force_only())
            }
            Trigger::Result(done)
                if done.call.facts.polling == Polling::Sleeps
                    && state.row >= self.ladder().first()? =>
            {
                let facts = &done.call.facts;
                Some(state.detection(0, &facts.label).of_tool(&facts.tool))
            }
            Trigger::Call(call) => {
                let facts = &call.facts;
                let streak = context.shared.exact.get(facts.exact)?;
                let waits = match facts.polling {
                    Polling::Asks => true,
                    Polling::IfSeen | Polling::IfSaid => streak.waits(),
                    Polling::Never | Polling::Sleeps => false,
                };
                if !waits
                    || !streak.continues(context.shared.epoch_for(facts))
                    || !streak.is_soon(context.shared.now())
                {
                    return None;
                }
                let key = facts.exact.join(streak.outcome);
                let detection = Detection::new(streak.calls() + 1, streak.from, key, &*facts.label)
                    .weighing(streak.fast().saturating_add(1))
                    .with_results(streak)
                    .with_attempts()
                    .retry_after(context.shared.clock.map(|now| streak.soon_for(now)));
                Some(detection.of_tool(&facts.tool).force_only())
            }
            Trigger::Result(done) => {
                let streak = done
                    .exact
                    .filter(|streak| streak.waits() && streak.count() > 1)?;
                // A slow poll that has gone on for very long stands on the first threshold.
                let weight = match self.nudge.count() {
                    Some(nudge) if streak.count() >= self.slow_nudge.get() => {
                        streak.fast().max(nudge)
                    }
                    _ => streak.fast(),
                };
                let facts = &done.call.facts;
                let key = facts.exact.join(streak.outcome);
                let detection = Detection::new(streak.calls(), streak.from, key, &*facts.label)
                    .weighing(weight)
                    .with_results(&streak)
                    .retry_after(context.shared.clock.map(|now| streak.soon_for(now)));
                Some(detection.of_tool(&facts.tool))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: equal_calls(context),
            returned: "",
            advice: ADVICE,
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] = &[text_of_sleeps];
}

const ADVICE: &str = " Asking more often does not make it faster. Wait longer between calls, do something else in the meantime, or report that it hangs.";

fn text_of_sleeps(context: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: if context.ahead() {
            "{count} calls in a row only let time pass, this one included: {what}."
        } else {
            "{count} calls in a row only let time pass, the last one {what}."
        },
        returned: "",
        advice: " Look at what you wait for, do something else in the meantime, or report that it hangs.",
    }
}
