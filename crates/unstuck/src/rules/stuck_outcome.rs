//! `stuck-outcome`: new approaches, old outcomes.

use super::{Moment, RuleName, Scene, Spotted, Wording, documented};
use crate::{
    fingerprint::Mark,
    identity::Label,
    settings::JudgeSteps,
    timeline::{Alike, Progress},
};

documented! {
    /// ## What it does
    ///
    /// Counts steps in a row in which the approach was new but the outcome was one already seen.
    ///
    /// For calls with their results it also counts how many of the last ten failed with the same complaint: the error
    /// message without the names, paths and numbers in it. Four of the last five weigh one more. A call that has itself
    /// failed like that is denied once they are enough, and weighs two; so is one of the same kind that comes right
    /// after such a failure, where three different calls failed like that. The first call after a nudge is never denied
    /// for this.
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
    /// - the errors differ in what they complain of or in their exit code, or the result says to come back later;
    /// - tests fail, or the host refuses a call: that is for `test-fix-cycle` and `invalid-call`;
    /// - a file was really changed in between (for calls).
    ///
    /// ## Options
    ///
    /// - `nudge`, `deny`, `halt`: the thresholds, in steps that brought nothing new (the first occurrence is not one of
    ///   them) or in failures. Only `step`s are halted, calls are nudged and denied.
    /// - `judge`: `steps`, or `steps-and-calls` to judge calls with their results too, where no other rule speaks.
    /// - `memory`: approaches and outcomes that are remembered.
}

const RULE: RuleName = RuleName::StuckOutcome;

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let options = &scene.settings.rules.stuck_outcome;
    let streaks = &scene.timeline.streaks;
    let calls = options.judge == JudgeSteps::StepsAndCalls;
    match moment {
        Moment::Call(action) if calls => {
            let complaints = &streaks.complaints;
            let (alike, weight) = complaints.ahead_of(action.exact, action.shape)?;
            // Whether this call will fail too is a guess until the threshold is reached.
            if weight < options.deny.count()? {
                return None;
            }
            let spotted = failing(alike, weight, scene, &action.label);
            Some(spotted.of_tool(&action.tool).deny_only())
        }
        Moment::Result(done) if calls => {
            // It is made when it is read: not for every result.
            let label = &done.call.label;
            let first = options.ladder().first()?;
            let alike = done
                .sight
                .complaint
                .and_then(|complaint| streaks.complaints.with(complaint));
            let spotted = match alike {
                Some(alike) if alike.weight() >= first => {
                    failing(alike, alike.weight(), scene, label)
                }
                _ if done.progress == Some(Progress::Stuck) => in_a_row(scene, first, Some(label))?,
                _ => return None,
            };
            let spotted = spotted.of_tool(&done.call.tool).nudge_only();
            Some(spotted.told_with_verdict())
        }
        Moment::Step(Progress::Stuck) => in_a_row(scene, options.ladder().first()?, None),
        _ => None,
    }
}

/// Calls that fail with one complaint.
fn failing(alike: Alike, weight: u32, scene: &Scene<'_>, label: &str) -> Spotted {
    let lines = (alike.from, scene.line);
    Spotted::single(RULE, alike.count, lines, alike.about, label).weighing(weight)
}

/// New approaches in a row that ended where others had ended.
fn in_a_row(scene: &Scene<'_>, first: u32, label: Option<&Label>) -> Option<Spotted> {
    let matrix = &scene.timeline.streaks.matrix;
    // Coming back to something once or twice is how anyone works: below the first threshold there is nothing to see.
    if matrix.stuck < first {
        return None;
    }
    let lines = (matrix.from, scene.line);
    let key = Mark(u64::from(matrix.from));
    Some(if let Some(label) = label {
        let spotted = Spotted::single(RULE, matrix.stuck, lines, key, &**label);
        spotted.worded(Wording::KnownResults)
    } else {
        let repeats = matrix.stuck.saturating_add(1);
        let spotted = Spotted::single(RULE, repeats, lines, key, None).weighing(matrix.stuck);
        spotted.stating(matrix.stuck).worded(Wording::Steps)
    })
}
