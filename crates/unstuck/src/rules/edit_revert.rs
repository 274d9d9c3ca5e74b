//! `edit-revert`: files that return to a state they had.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::timeline::Step;

documented! {
    /// ## What it does
    ///
    /// Follows the files that are edited and counts changes in a row that lead one of them back to a state it was in before: an
    /// edit that is undone by the next and made again, a file written with what it had held earlier, a `git checkout` of
    /// what was just edited. Ways round over several edits are seen, too.
    ///
    /// ## Why
    ///
    /// Every one of these edits succeeds and looks like progress. Between two ideas that both fail, an agent can swap code
    /// back and forth until its budget is gone.
    ///
    /// ## Example
    ///
    /// ```text
    /// edit a.py "x" -> "y"
    /// edit a.py "y" -> "x"        back once
    /// edit a.py "x" -> "y"        back twice
    /// edit a.py "y" -> "x"        back three times: nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - something is tried and taken back, once or each time with something else: a state that is new starts the count again;
    /// - the edits are to other files, or to other places of one file;
    /// - a person spoke in between.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in returns.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::EditRevert;
    let (step, change) = match moment {
        Moment::Call(action) => {
            let line = u32::try_from(scene.line).unwrap_or(u32::MAX);
            let change = action.change?;
            let step = scene.timeline.files.would(change, line);
            (step, change)
        }
        Moment::Result(done) => (done.step, done.call.change?),
        Moment::Step(_) | Moment::Text(_) | Moment::Turn => return None,
    };
    // One step back is how anyone works.
    let Step::Back { returns, from } = step else {
        return None;
    };
    if returns < 2 {
        return None;
    }
    let lines = (from, scene.line);
    let spotted = |label: &str| Spotted::single(RULE, returns, lines, change.path, label);
    match moment {
        Moment::Call(action) => {
            let spotted = spotted(&action.label).of_tool(&action.tool);
            Some(spotted.force_only())
        }
        Moment::Result(done) => Some(spotted(&done.call.label).of_tool(&done.call.tool)),
        Moment::Step(_) | Moment::Text(_) | Moment::Turn => None,
    }
}
