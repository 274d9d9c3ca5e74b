//! `unknown-tool`: calls of tools that are not there.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::identity::Refused;

documented! {
    /// ## What it does
    ///
    /// Counts calls that the host answered with "there is no such tool": those under one name, and those in a row under
    /// any name. A name that is known not to exist is denied once there were enough of them.
    ///
    /// ## Why
    ///
    /// A model that believes in a tool goes on believing in it, and varies the arguments or guesses other names. None of
    /// these calls can ever run.
    ///
    /// ## Example
    ///
    /// ```text
    /// hex {"q":"encode ff"}     -> error: hex is not a valid tool, try one of [shell, read_file]
    /// hex {"q":"decode ff00"}   -> error: hex is not a valid tool, try one of [shell, read_file]     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - it was one wrong name, and the next call is of a tool that exists;
    /// - something was achieved in between;
    /// - the tool is there after all: another call worked since, and this one is let through to see;
    /// - a program that a shell ran says that it knows no such command.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in calls.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::UnknownTool;
    let unknown = &scene.timeline.streaks.unknown;
    match moment {
        Moment::Call(action) => {
            let row = unknown.would_go_on(&action.tool)?;
            let lines = (row.from, scene.line);
            let calls = row.calls.saturating_add(1);
            let spotted = Spotted::single(RULE, calls, lines, row.key, &*action.label);
            let spotted = spotted.of_tool(&action.tool).with_attempts();
            Some(spotted.force_only())
        }
        Moment::Result(done) if done.sight.refused == Refused::UnknownTool => {
            let row = unknown.last().filter(|row| row.calls > 1)?;
            let lines = (row.from, scene.line);
            let spotted = Spotted::single(RULE, row.calls, lines, row.key, &*done.call.label);
            Some(spotted.of_tool(&done.call.tool).told_with_verdict())
        }
        _ => None,
    }
}
