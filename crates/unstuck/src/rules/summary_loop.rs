//! `summary-loop`: words without work.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{fingerprint::Mark, settings::CountTurns};

documented! {
    /// ## What it does
    ///
    /// Counts turns in a row in which the model called no tool.
    ///
    /// ## Why
    ///
    /// A model that is told to go on and answers with another summary of what it is about to do spends a turn each time
    /// and moves nothing.
    ///
    /// ## Example
    ///
    /// ```text
    /// "I will now fix the bug."        turn
    /// "Next, I will fix the bug."      turn     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - a person spoke in between: that is a conversation;
    /// - the agent has never called a tool: it may have none;
    /// - it reports that something is done: who has finished has no tool left to call.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in turns.
    /// - `count`: `after-work` counts once the agent has called a tool, and no reports; `always` counts every turn.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let Moment::Turn = moment else {
        return None;
    };
    let turns = &scene.timeline.streaks.turns;
    let count = match scene.settings.rules.summary_loop.count {
        CountTurns::Always => turns.idle,
        CountTurns::AfterWork if turns.worked => turns.unreported,
        CountTurns::AfterWork => 0,
    };
    if count < 2 {
        return None;
    }
    let key = Mark(u64::from(turns.from));
    let lines = (turns.from, scene.line);
    Some(Spotted::single(
        RuleName::SummaryLoop,
        count,
        lines,
        key,
        None,
    ))
}
