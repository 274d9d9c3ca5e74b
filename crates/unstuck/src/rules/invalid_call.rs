//! `invalid-call`: arguments that the host refuses.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::identity::Refused;

documented! {
    /// ## What it does
    ///
    /// Counts calls of one tool whose arguments were refused with the same complaint: one is missing, unknown, of the wrong
    /// type, or no JSON at all. What they say may vary. A call that lacks the same things again is denied once there were
    /// enough of them; a call that looks otherwise is let through.
    ///
    /// ## Why
    ///
    /// Such a call never runs, so nothing about the world will make it work. Models that leave a parameter out leave it out
    /// again, with another text in the parameters that were fine.
    ///
    /// ## Example
    ///
    /// ```text
    /// str_replace {"path":"a.py","new_str":"x"}   -> error: parameter `old_str` is required
    /// str_replace {"path":"a.py","new_str":"y"}   -> error: parameter `old_str` is required
    /// str_replace {"path":"b.py","new_str":"y"}   -> error: parameter `old_str` is required     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the complaint changed: the agent is working through it;
    /// - the tool worked in between;
    /// - the call ran and failed: a file that is not there, a text that is not found, a command that exits with an error.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the rungs, in calls.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::InvalidCall;
    let invalid = &scene.timeline.streaks.invalid;
    match moment {
        Moment::Call(action) => {
            let row = invalid.would_go_on(action)?;
            let lines = (row.from, scene.line);
            let calls = row.calls.saturating_add(1);
            let spotted = Spotted::single(RULE, calls, lines, row.key, &*action.label);
            let spotted = spotted.of_tool(&action.tool).with_attempts();
            // The tool did not refuse the calls that were denied, nor this one.
            Some(spotted.stating(row.calls).force_only())
        }
        Moment::Result(done)
            if matches!(done.sight.refused, Refused::Form(_) | Refused::Value(_)) =>
        {
            let row = invalid.last().filter(|row| row.calls > 1)?;
            let lines = (row.from, scene.line);
            let spotted = Spotted::single(RULE, row.calls, lines, row.key, &*done.call.label);
            Some(spotted.of_tool(&done.call.tool))
        }
        _ => None,
    }
}
