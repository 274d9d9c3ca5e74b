//! `relay`: messages that go round between agents.

use super::{Moment, RuleName, Scene, Spotted, Wording, documented};

documented! {
    /// ## What it does
    ///
    /// Looks at what agents tell each other. It counts two things: a text that several agents of a swarm say over and over, as
    /// when each passes it on to the next; and requests of one agent to another that ask for the same in other words, as
    /// far as the other answered nothing of substance.
    ///
    /// ## Why
    ///
    /// Two agents that thank each other, or a leader that sends a worker after the same thing for the tenth time, are
    /// busy to every guard that looks at one of them. Between them nothing moves.
    ///
    /// ## Example
    ///
    /// ```text
    /// leader -> worker   "Please find the opening hours of the museum."
    /// leader -> worker   "Please look at the website for the museum's opening hours."
    /// leader -> worker   "Please search for the opening hours of the museum again."
    /// ...                                                            the sixth: nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the requests name other things: one request for each of many files is bulk work;
    /// - they were sent in one round, to be worked on side by side;
    /// - the answer told something that had not been told before;
    /// - one agent alone says the same: that is for `chant`;
    /// - something was achieved, or a person spoke, in between.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in messages. Requests in other words get a nudge at
    ///   the most.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::Relay;
    match moment {
        Moment::Result(done) => {
            let again = done.again?;
            // To ask once more, and better, is how anyone works: below the first threshold there is nothing to see.
            if again.times < scene.settings.rules.relay.ladder().first()? {
                return None;
            }
            let lines = (again.from, scene.line);
            let label = &*done.call.label;
            let spotted = Spotted::single(RULE, again.times, lines, again.key, label);
            Some(spotted.worded(Wording::Requests).nudge_only())
        }
        Moment::Turn => {
            let passed_on = scene.timeline.streaks.said.again.as_ref()?;
            let tally = scene.swarm.filter(|tally| tally.workers() > 1)?;
            // Only what an agent says again is tallied, so each of them has said it once more than that.
            let times = tally.calls().saturating_add(tally.workers() as u64);
            let times = u32::try_from(times).unwrap_or(u32::MAX);
            let lines = (passed_on.from, scene.line);
            let label = passed_on.excerpt.as_deref();
            let mut spotted = Spotted::single(RULE, times, lines, passed_on.mark, label);
            spotted.facts.workers = u32::try_from(tally.workers()).unwrap_or(u32::MAX);
            Some(spotted)
        }
        Moment::Call(_) | Moment::Step(_) | Moment::Text(_) => None,
    }
}
