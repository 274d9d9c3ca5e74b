//! `stagnation`: old approaches, old outcomes.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{fingerprint::Mark, timeline::Progress};

documented! {
    /// ## What it does
    ///
    /// Puts every step into a matrix: is the approach new, is the outcome new? Counts steps in a row in which neither
    /// is. A new outcome ends the streak, a new approach with an old outcome hands over to `stuck-outcome`.
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
    /// - a file was really changed in between (for calls).
    ///
    /// ## Options
    ///
    /// - `nudge`, `halt`: the rungs, in steps that brought nothing new; the first occurrence is not one of them. Only
    ///   `step`s are halted, calls are nudged.
    /// - `judge`: `steps`, or `steps-and-calls` to judge calls with their results too, where no other rule speaks.
    /// - `memory`: approaches and outcomes that are remembered.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let label = match moment {
        Moment::Step(Progress::Stagnate) => None,
        Moment::Result(done) if done.progress == Some(Progress::Stagnate) => {
            Some(done.call.readable())
        }
        _ => return None,
    };
    let matrix = &scene.timeline.streaks.matrix;
    // Coming back to something once or twice is how anyone works: below the first rung there is nothing to see.
    if matrix.stagnation < scene.settings.rules.stagnation.ladder().first()? {
        return None;
    }
    let lines = (matrix.from, scene.line);
    // Each streak is a pattern of its own: there is no telling what it consists of.
    let key = Mark(u64::from(matrix.from));
    let mut spotted = Spotted::single(RuleName::Stagnation, matrix.stagnation, lines, key, label);
    spotted.finding.repeats = matrix.stagnation.saturating_add(1);
    // Calls have no code to compare: what looks the same may be many small steps ahead. Words will do.
    Some(match moment {
        Moment::Result(_) => spotted.nudge_only(),
        _ => spotted,
    })
}
