//! `poll`: repeated checks whether something is done.

use super::{
    Claims, Context, Detection, Rule, RuleText, TextContext, Traits, Trigger, documented,
    exact_repeat::equal_calls,
};
use crate::{
    facts::{Needs, Polling},
    options::{Ladder, options},
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
        slow_nudge: u32,
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

    type State = ();
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(10, 20, 40), 30)
    }

    fn needs(&self) -> Needs {
        Needs {
            polls: true,
            ..Needs::default()
        }
    }

    fn judges_calls(&self) -> bool {
        true
    }

    fn claim(&self, (): &(), claims: &mut Claims) {
        claims.polls = true;
    }

    fn detect(&self, (): &(), trigger: &Trigger<'_>, context: &Context<'_>) -> Option<Detection> {
        match trigger {
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
                let detection =
                    Detection::new(streak.calls() + 1, streak.from, key, &*facts.label)
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
                    Some(nudge) if streak.count() >= self.slow_nudge => streak.fast().max(nudge),
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
            advice: " Asking more often does not make it faster. Wait longer between calls, do something else in the meantime, or report that it hangs.",
        }
    }
}
