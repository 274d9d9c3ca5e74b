//! `poll`: looking again and again whether something is done.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{identity::Polling, timeline::Tally};

documented! {
    /// ## What it does
    ///
    /// Judges calls that wait. A call waits by its name or arguments (`poll`, `wait`, `sleep`, an empty command sent to
    /// a running shell; `sleep 5; …` from two seconds on). A call named `status` or `progress` waits where a short result says so (`pending`, `still
    /// running`; for a failure `503 Service Unavailable`, `rate limit`). Any other call waits where a short result says
    /// so and the call was seen to change or to wait: its result changed before, or ten seconds or more passed before
    /// it was made again. Words count as whole words, numbers as whole status codes.
    ///
    /// As long as the result stays the same, looks that follow each other within ten seconds are counted; slower ones
    /// are not, and are only remarked on when there are very many.
    ///
    /// ## Why
    ///
    /// Waiting for a build is work, and killing an agent for it is what people hate about loop guards. Asking once a
    /// second for an hour is not waiting, and has cost real money.
    ///
    /// ## Example
    ///
    /// ```text
    /// process {"action":"poll"}   -> pending     every 60 s: nothing is said
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
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the rungs, in looks that came within ten seconds of the one
    ///   before.
    /// - `slow_nudge`: looks with the same answer, however slow, at which a nudge is given all the same.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::Poll;
    let options = &scene.settings.rules.poll;
    let timeline = scene.timeline;
    // A slow poll that has gone on for very long stands on the first rung.
    let count = |tally: &Tally, fast: u32| match options.nudge.count() {
        Some(nudge) if tally.count() >= options.slow_nudge => fast.max(nudge),
        _ => fast,
    };
    match moment {
        Moment::Call(action) => {
            let tally = timeline.exact.get(action.exact)?;
            let epoch = timeline.epoch_for(action);
            let waits = match action.polling {
                Polling::Asks => true,
                Polling::IfSeen | Polling::IfSaid => tally.waits(),
                Polling::Never | Polling::Sleeps => false,
            };
            if !waits || !tally.continues(epoch) || !tally.is_soon(timeline.now()) {
                return None;
            }
            let key = action.exact.join(tally.outcome);
            let lines = (tally.from, scene.line);
            let fast = tally.fast().saturating_add(1);
            let spotted = Spotted::single(RULE, tally.calls() + 1, lines, key, &*action.label)
                .weighing(fast)
                .with_results(tally)
                .with_attempts();
            Some(spotted.of_tool(&action.tool).force_only())
        }
        Moment::Result(done) => {
            let tally = done
                .exact
                .filter(|tally| tally.waits() && tally.count() > 1)?;
            let key = done.call.exact.join(tally.outcome);
            let lines = (tally.from, scene.line);
            let spotted = Spotted::single(RULE, tally.calls(), lines, key, &*done.call.label)
                .weighing(count(&tally, tally.fast()))
                .with_results(&tally);
            Some(spotted.of_tool(&done.call.tool))
        }
        _ => None,
    }
}
