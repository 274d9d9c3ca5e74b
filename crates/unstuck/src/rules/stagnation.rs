//! `stagnation`: old approaches, old outcomes.

use super::{Moment, RuleName, Scene, Spotted, Wording, documented};
use crate::{
    fingerprint::Mark,
    ledger::Novelty,
    settings::JudgeSteps,
    timeline::{Company, Familiar, Progress},
};

documented! {
    /// ## What it does
    ///
    /// Puts every step into a matrix: is the approach new, is the outcome new? Counts steps in a row in which neither
    /// is. A new outcome ends the streak, a new approach with an old outcome hands over to `stuck-outcome`.
    ///
    /// For calls with their results: how many of the last eight came back with what they had come back with before.
    /// Two of them are free, so a count of three is five of eight.
    ///
    /// ## Why
    ///
    /// An agent that writes programs rather than calling tools repeats itself a program at a time, and seldom the same
    /// one twice in a row. What gives it away is that it only comes back to what it has already seen.
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
    /// - the tool has a `nudge` threshold of its own: how often it may be repeated is said there.
    ///
    /// ## Options
    ///
    /// - `nudge`, `halt`: the thresholds, in steps that brought nothing new; the first occurrence is not one of them.
    ///   Only `step`s are halted, calls are nudged.
    /// - `judge`: `steps`, or `steps-and-calls` to judge calls with their results too, where no other rule speaks.
    /// - `memory`: approaches and outcomes that are remembered.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let options = &scene.settings.rules.stagnation;
    let streaks = &scene.timeline.streaks;
    let (weight, from) = match moment {
        Moment::Step(Progress::Stagnate) => (streaks.matrix.stagnation, streaks.matrix.from),
        Moment::Result(done) if options.judge == JudgeSteps::StepsAndCalls => {
            let waits = scene.settings.rules.poll.enabled && done.may_wait();
            let rising = streaks.familiar.rising && done.novelty == Novelty::Known;
            let own = scene.settings.counts_its_own(&done.call.tool);
            // Where calls go round, `cycle` tells which.
            let cycles = scene.timeline.cycles(scene.settings);
            if !rising || done.call.company == Company::Parallel || waits || own || cycles {
                return None;
            }
            (streaks.familiar.excess(), streaks.familiar.from)
        }
        _ => return None,
    };
    // Coming back to something once or twice is how anyone works: below the first threshold there is nothing to see.
    if weight < options.ladder().first()? {
        return None;
    }
    let lines = (from, scene.line);
    // Each streak is a pattern of its own: there is no telling what it consists of.
    let key = Mark(u64::from(from));
    let single = |repeats, label| {
        Spotted::single(RuleName::Stagnation, repeats, lines, key, label).weighing(weight)
    };
    Some(if let Moment::Result(done) = moment {
        let known = streaks.lately.known(Familiar::WINDOW);
        let mut spotted = single(known.count, Some(&*done.call.label));
        spotted.facts.window = known.of;
        // Calls have no code to compare: what looks the same may be many small steps ahead. Words will do.
        spotted.nudge_only().told_with_verdict()
    } else {
        let spotted = single(weight.saturating_add(1), None);
        spotted.stating(weight).worded(Wording::Steps)
    })
}
