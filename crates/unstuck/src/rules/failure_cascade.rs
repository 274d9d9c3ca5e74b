//! `failure-cascade`: failures in a row.

use super::{Moment, RuleName, Scene, Spotted, Wording, documented};
use crate::{fingerprint::Mark, identity::Command, settings::CountFailures, timeline::Failed};

documented! {
    /// ## What it does
    ///
    /// Counts calls that fail in a row with errors that were seen before in that row, whatever their arguments and
    /// whichever their tool. A call of a kind that failed is denied once the row is long enough.
    ///
    /// Also counts how many of the last twenty calls failed, whatever the errors: four of them weigh as much as one in
    /// a row, so the third rung is twelve of twenty. These are only nudged.
    ///
    /// ## Why
    ///
    /// Varying the arguments of a call that cannot work, or alternating between two tools that cannot work, keeps every
    /// counter of equal calls at one.
    ///
    /// ## Example
    ///
    /// ```text
    /// read_file a.bin      -> error: file exceeds the limit
    /// read_file b.bin      -> error: file exceeds the limit
    /// read_file c.bin      -> error: file exceeds the limit     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - a call succeeded in between;
    /// - the errors differ from each other: the agent is working through them;
    /// - a search found nothing or a comparison found a difference: exit code 1 and no output is an answer;
    /// - a person refused the calls, or they were cancelled;
    /// - the host refused them, because there is no such tool or it does not take such arguments: that is for
    ///   `unknown-tool` and `invalid-call`.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the rungs, in failures.
    /// - `count`: `same-error` as above; `shell` counts failures in a row of the tool `bash`, whatever the error.
}

/// Failures among the last twenty calls that weigh as much as one in a row.
const LATELY_FOR_ONE: u32 = 4;

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::FailureCascade;
    let failures = &scene.timeline.streaks.failures;
    match (scene.settings.rules.failure_cascade.count, moment) {
        (CountFailures::SameError, Moment::Call(action)) => {
            let row = failures.row();
            if row < 2 || !failures.would_go_on(action.exact, action.shape) {
                return None;
            }
            let lines = (failures.from, scene.line);
            let spotted =
                Spotted::single(RULE, row + 1, lines, failures.key(), action.label.clone());
            Some(spotted.of_tool(&action.tool).force_only())
        }
        (CountFailures::SameError, Moment::Result(done)) if done.failed == Failed::Again => {
            let lines = (failures.from, scene.line);
            let label = Some(done.call.readable());
            let spotted = Spotted::single(RULE, failures.row(), lines, failures.key(), label);
            Some(spotted.of_tool(&done.call.tool))
        }
        (CountFailures::SameError, Moment::Result(done)) if done.failed == Failed::Otherwise => {
            // Whatever the errors are: where most calls fail, the agent does not know what it is doing.
            let count = failures.lately() / LATELY_FOR_ONE;
            if count < scene.settings.rules.failure_cascade.ladder().first()? {
                return None;
            }
            let lines = (failures.from, scene.line);
            let label = Some(done.call.readable());
            let mut spotted = Spotted::single(RULE, count, lines, Mark::default(), label);
            spotted.finding.repeats = failures.lately();
            spotted.facts.wording = Wording::MostFail;
            let spotted = spotted.of_tool(&done.call.tool).nudge_only();
            Some(spotted.told_with_verdict())
        }
        (CountFailures::Shell, Moment::Result(done))
            if done.failed != Failed::No && done.call.command != Command::None =>
        {
            if failures.shell < 2 {
                return None;
            }
            let lines = (failures.shell_from, scene.line);
            let label = Some(done.call.readable());
            let key = Mark(u64::from(failures.shell_from));
            let mut spotted =
                Spotted::single(RULE, failures.shell, lines, key, label).of_tool(&done.call.tool);
            if done.call.command == Command::FileOperation {
                spotted.facts.wording = Wording::FileOperation;
            }
            Some(spotted)
        }
        _ => None,
    }
}
