//! `cycle`: calls that go round.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{
    settings::CycleOf,
    timeline::{Pattern, Timeline},
};

documented! {
    /// ## What it does
    ///
    /// Finds sequences of 2 to 16 calls that repeat, outcomes included, and counts their laps exactly. A denial covers
    /// every member of the cycle, so that stepping into it at another place does not help.
    ///
    /// ## Why
    ///
    /// Search, open, search, open: no single call is repeated in a row, so a guard that only compares with the last
    /// call never sees it.
    ///
    /// ## Example
    ///
    /// ```text
    /// search "token"   -> 3 hits
    /// open hit 1       -> page
    /// search "token"   -> 3 hits
    /// open hit 1       -> page
    /// search "token"   -> 3 hits
    /// open hit 1       -> page     nudge: three laps of two calls
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - an outcome in the lap differs: working off a queue, editing and testing with other failures;
    /// - the period is 1: that is `exact-repeat`.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in laps, including the first; where
    ///   `of = "calls"`, in repetitions of the pattern, counted also when the run breaks.
    /// - `of`: `steps` are calls with their outcomes, `calls` are calls alone.
    /// - `shortest`, `longest`: the periods looked for, at most 16.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let options = &scene.settings.rules.cycle;
    let runs = &scene.timeline.streaks.runs;
    let wanted = |pattern: &Pattern| {
        (u32::from(options.shortest)..=u32::from(options.longest)).contains(&pattern.period)
    };
    let lines = |pattern: &Pattern| (pattern.from, scene.line);
    match (options.of, moment) {
        (CycleOf::Calls, Moment::Call(action)) => {
            let pattern = runs.with(action.exact).filter(wanted)?;
            if !pattern.completes_lap() {
                return None;
            }
            let earlier = scene.timeline.patterns.get(pattern.key);
            let mut labels = labels(scene.timeline, pattern.period - 1);
            labels.push((*action.label).into());
            let spotted = spotted(&pattern, pattern.laps(), lines(&pattern), labels)
                .weighing(earlier.copied().unwrap_or(0) + 1);
            Some(spotted.of_tool(&action.tool))
        }
        (CycleOf::Steps, Moment::Call(action)) => {
            let pattern = runs.current().filter(wanted)?;
            if !runs.is_member(action.exact, pattern.period) {
                return None;
            }
            if !options.ladder().forces(pattern.next_lap()) {
                return None;
            }
            let labels = labels(scene.timeline, pattern.period);
            let spotted = spotted(&pattern, pattern.next_lap(), lines(&pattern), labels);
            Some(spotted.of_tool(&action.tool).force_only())
        }
        (CycleOf::Steps, Moment::Result(done)) => {
            let pattern = runs.current().filter(wanted)?;
            // Two laps are still a coincidence.
            if pattern.laps() < options.ladder().first()? {
                return None;
            }
            let labels = labels(scene.timeline, pattern.period);
            let spotted = spotted(&pattern, pattern.laps(), lines(&pattern), labels);
            Some(spotted.of_tool(&done.call.tool))
        }
        _ => None,
    }
}

fn labels(timeline: &Timeline, period: u32) -> Vec<Box<str>> {
    let labels = timeline.streaks.runs.labels(period);
    labels.map(Into::into).collect()
}

fn spotted(pattern: &Pattern, laps: u32, lines: (u32, u64), labels: Vec<Box<str>>) -> Spotted {
    let mut spotted = Spotted::single(RuleName::Cycle, laps, lines, pattern.key, None);
    spotted.finding.period = pattern.period;
    spotted.finding.pattern = labels;
    spotted
}
