//! `failure-cascade`: failures in a row.

use super::{Moment, RuleName, Scene, Spotted, Wording, documented};
use crate::{
    fingerprint::Mark,
    identity::{Action, Command},
    settings::CountFailures,
    timeline::{Done, Failed, Failures},
};

documented! {
    /// ## What it does
    ///
    /// Counts calls that fail in a row with errors that were seen before in that row, whatever their arguments and
    /// whichever their tool. A call of a kind that failed is denied once the row is long enough.
    ///
    /// Also counts how many of the last twenty calls failed, whatever the errors: four of them weigh as much as one in
    /// a row, so a count of three is twelve of twenty. These are only nudged. And where all of the last fifteen calls
    /// failed or told nothing new, one call that is nothing new either is denied, so that the agent stops and thinks;
    /// then it is judged afresh.
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
    /// - the answer says to wait or to come back later: that is for `poll`;
    /// - the errors differ from each other: the agent is working through them;
    /// - a search found nothing or a comparison found a difference: exit code 1 and no output is an answer;
    /// - a person refused the calls, or they were cancelled;
    /// - the host refused them, because there is no such tool or it does not take such arguments: that is for
    ///   `unknown-tool` and `invalid-call`.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in failures.
    /// - `count`: `same-error` as above; `shell` counts failures in a row of the tool `bash`, whatever the error.
}

const RULE: RuleName = RuleName::FailureCascade;

/// Failures among the last twenty calls that weigh as much as one in a row.
const LATELY_FOR_ONE: u32 = 4;

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let failures = &scene.timeline.streaks.failures;
    match (scene.settings.rules.failure_cascade.count, moment) {
        (CountFailures::SameError, Moment::Call(action)) => {
            let row = failures.row();
            if row < 2 || !failures.would_go_on(action.exact, action.shape) {
                return fruitless(action, scene);
            }
            let lines = (failures.from, scene.line);
            let in_a_row = failures.in_a_row();
            let spotted = Spotted::single(RULE, in_a_row, lines, failures.key(), &*action.label)
                .weighing(row + 1)
                .worded(wording(failures));
            Some(spotted.of_tool(&action.tool).force_only())
        }
        (CountFailures::SameError, Moment::Result(done)) => {
            let first = scene.settings.rules.failure_cascade.ladder().first()?;
            let in_a_row = done.failed == Failed::Again;
            if in_a_row && failures.row() >= first {
                Some(row(done, scene))
            } else {
                let most_fail = most_fail(done, scene, first);
                most_fail.or_else(|| in_a_row.then(|| row(done, scene)))
            }
        }
        (CountFailures::Shell, Moment::Result(done))
            if done.failed != Failed::No && done.call.command != Command::None =>
        {
            if failures.shell < 2 {
                return None;
            }
            let lines = (failures.shell_from, scene.line);
            let key = Mark(u64::from(failures.shell_from));
            let spotted = Spotted::single(RULE, failures.shell, lines, key, &*done.call.label);
            let wording = match done.call.command {
                Command::FileOperation => Wording::FileOperation,
                _ => Wording::Shell,
            };
            Some(spotted.of_tool(&done.call.tool).worded(wording))
        }
        _ => None,
    }
}

/// Failures in a row with errors of that row.
fn row(done: &Done, scene: &Scene<'_>) -> Spotted {
    let failures = &scene.timeline.streaks.failures;
    let lines = (failures.from, scene.line);
    let in_a_row = failures.in_a_row();
    let spotted = Spotted::single(RULE, in_a_row, lines, failures.key(), &*done.call.label)
        .weighing(failures.row())
        .worded(wording(failures));
    spotted.of_tool(&done.call.tool)
}

fn wording(failures: &Failures) -> Wording {
    if failures.have_one_error() {
        Wording::Usual
    } else {
        Wording::SeveralErrors
    }
}

/// Whatever the errors are: where most calls fail, the agent does not know what it is doing.
fn most_fail(done: &Done, scene: &Scene<'_>, first: u32) -> Option<Spotted> {
    let failures = &scene.timeline.streaks.failures;
    let weight = failures.lately() / LATELY_FOR_ONE;
    if done.failed == Failed::No || weight < first {
        return None;
    }
    let lines = (failures.from, scene.line);
    let failed = scene.timeline.streaks.lately.failed(Failures::LATELY);
    let label = &*done.call.label;
    let mut spotted = Spotted::single(RULE, failed.count, lines, Mark::default(), label)
        .weighing(weight)
        .worded(Wording::MostFail);
    spotted.facts.window = failed.of;
    let spotted = spotted.of_tool(&done.call.tool).nudge_only();
    Some(spotted.told_with_verdict())
}

/// Where nothing it did brought anything, the agent has to stop and think, once: unless it is about to do something it
/// has not done before.
fn fruitless(action: &Action, scene: &Scene<'_>) -> Option<Spotted> {
    let failures = &scene.timeline.streaks.failures;
    let deny = scene.settings.rules.failure_cascade.deny.count()?;
    let own = scene.settings.counts_its_own(&action.tool);
    if own || failures.fruitless() < Failures::FRUITLESS {
        return None;
    }
    // Something done long ago, before things changed, is something new.
    let tally = scene.timeline.exact.get(action.exact)?;
    if !tally.continues(scene.timeline.epoch_for(action)) {
        return None;
    }
    let lines = (failures.from, scene.line);
    let fruitless = scene.timeline.streaks.lately.fruitless(Failures::FRUITLESS);
    let label = &*action.label;
    let mut spotted = Spotted::single(RULE, fruitless.count, lines, Mark::default(), label)
        .weighing(deny)
        .worded(Wording::Fruitless);
    spotted.facts.window = fruitless.of;
    Some(spotted.of_tool(&action.tool).deny_only())
}
