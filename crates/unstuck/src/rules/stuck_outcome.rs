//! `stuck-outcome`: new approaches, old outcomes.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{fingerprint::Mark, timeline::Progress};

documented! {
    /// ## What it does
    ///
    /// Counts steps in a row in which the approach was new but the outcome was one already seen.
    ///
    /// ## Why
    ///
    /// Forty rewordings of a command that all end in the same message are forty different calls to a guard that
    /// compares calls. To the agent they are one wall.
    ///
    /// ## Example
    ///
    /// ```text
    /// step "import foo"                -> No module named foo
    /// step "pip show foo"              -> nothing found
    /// step "python -c 'import foo'"    -> No module named foo     stuck 1
    /// step "python3 -c 'import foo'"   -> No module named foo     stuck 2
    /// ...
    ///                                                             stuck 5: nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the outcome is a bare acknowledgement ("ok", true) of calls with different targets: that is bulk work;
    /// - the same call is repeated: that is for `exact-repeat`, `near-repeat` and `cycle`;
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
        Moment::Step(Progress::Stuck) => None,
        Moment::Result(done) if done.progress == Some(Progress::Stuck) => {
            Some(done.call.readable())
        }
        _ => return None,
    };
    let matrix = &scene.timeline.streaks.matrix;
    // Coming back to something once or twice is how anyone works: below the first rung there is nothing to see.
    if matrix.stuck < scene.settings.rules.stuck_outcome.ladder().first()? {
        return None;
    }
    let lines = (matrix.from, scene.line);
    let key = Mark(u64::from(matrix.from));
    let mut spotted = Spotted::single(RuleName::StuckOutcome, matrix.stuck, lines, key, label);
    spotted.finding.repeats = matrix.stuck.saturating_add(1);
    // Calls have no code to compare: what looks the same may be many small steps ahead. Words will do.
    Some(match moment {
        Moment::Result(_) => spotted.nudge_only(),
        _ => spotted,
    })
}
