//! `swarm-loop`: one call across the workers of a swarm.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::settings::SwarmCount;

documented! {
    /// ## What it does
    ///
    /// Adds up one call over all workers of a swarm and speaks when it was made often, by more than one of them. Every
    /// worker that makes it again is told.
    ///
    /// ## Why
    ///
    /// Ten workers that try the same dead address twice each are twenty wasted calls, and none of them repeats itself
    /// often enough to be noticed alone.
    ///
    /// ## Example
    ///
    /// ```text
    /// five workers, two calls each: web_fetch "https://api.example/dead"   -> error     nudge with the tenth
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the call brought each of them something: only calls that failed, or that brought the same worker what it
    ///   already had, are counted;
    /// - the workers belong to different swarms;
    /// - one worker alone made it: that is for the other rules.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in calls of the whole swarm.
    /// - `workers`: how many must have taken part.
    /// - `count`: `fruitless` as above; `every-call` counts every call when it is made.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let options = &scene.settings.rules.swarm_loop;
    let tally = scene.swarm?;
    let workers = u32::try_from(tally.workers()).unwrap_or(u32::MAX);
    let calls = u32::try_from(tally.calls()).unwrap_or(u32::MAX);
    if workers < options.workers || calls < 2 {
        return None;
    }
    let (coarse, label, tool) = match (options.count, moment) {
        (SwarmCount::EveryCall, Moment::Call(action)) => {
            (action.coarse, &*action.label, &action.tool)
        }
        (SwarmCount::Fruitless, Moment::Result(done)) => {
            (done.call.coarse, &*done.call.label, &done.call.tool)
        }
        _ => return None,
    };
    let line = u32::try_from(scene.line).unwrap_or(u32::MAX);
    let mut spotted = Spotted::single(
        RuleName::SwarmLoop,
        calls,
        (line, scene.line),
        coarse.mark(),
        label,
    );
    spotted.facts.workers = workers;
    Some(spotted.of_tool(tool))
}
