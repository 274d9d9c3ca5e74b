//! `no-op`: changes that change nothing.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{identity::name_mark, timeline::Step};

documented! {
    /// ## What it does
    ///
    /// Counts calls that were to change something and did not: an edit whose old and new text are the same, a file written
    /// with the content it has, an answer such as "no changes" or "nothing to commit". Arguments may differ from call to
    /// call. It goes on until something is really changed; what changes nothing is no progress to any other rule, either.
    ///
    /// ## Why
    ///
    /// Many tools report such a call as a success, and the agent believes it. It runs the tests, sees the same failure, and
    /// "fixes" it again.
    ///
    /// ## Example
    ///
    /// ```text
    /// edit a.py "x" -> "x"     -> ok
    /// pytest                   -> 1 failed
    /// edit a.py "y" -> "y"     -> ok
    /// pytest                   -> 1 failed
    /// edit a.py "x" -> "x"     -> ok                     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - something was changed in between;
    /// - the call failed: a text that was not found is not the same as a text that was replaced by itself;
    /// - the call only looks, as `git status` does.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in calls. Only calls that are bound to
    ///   change nothing again are denied.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::NoOp;
    let timeline = scene.timeline;
    let idle = &timeline.streaks.idle;
    let epoch = timeline.streaks.ledger.epoch();
    let row = idle.row(epoch);
    let lines = (idle.from, scene.line);
    match moment {
        Moment::Call(action) if row > 0 => {
            let line = u32::try_from(scene.line).unwrap_or(u32::MAX);
            let bound = action.change.is_some_and(|change| {
                change.is_idle() || timeline.files.would(change, line) == Step::Idle
            });
            if !bound && !idle.knows(action, epoch) {
                return None;
            }
            let (key, label) = (name_mark(&action.tool), &*action.label);
            let spotted = Spotted::single(RULE, row.saturating_add(1), lines, key, label);
            Some(spotted.of_tool(&action.tool).force_only())
        }
        Moment::Result(done) if done.step == Step::Idle && row > 1 => {
            let (key, label) = (name_mark(&done.call.tool), &*done.call.label);
            Some(Spotted::single(RULE, row, lines, key, label).of_tool(&done.call.tool))
        }
        _ => None,
    }
}
