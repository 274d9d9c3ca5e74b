//! `edit-revert`: files that return to a state they had.

use super::{Advice, Context, Detection, Rule, RuleText, TextContext, Traits, Trigger, documented};
use crate::{
    facts::Needs,
    options::{Ladder, options},
    state::FileStep,
};

documented! {
    /// ## What it does
    ///
    /// Follows the files that are edited and counts changes in a row that lead one of them back to a state it was in before: an
    /// edit that is undone by the next and made again, a file written with what it had held earlier, a `git checkout` of
    /// what was just edited. Returns over several edits count as well.
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

options! {
    /// Options of `edit-revert`. Its counts are returns.
    EditRevert {}
}

impl Rule for EditRevert {
    const NAME: &'static str = "edit-revert";
    const SUMMARY: &'static str = "A file returns to a state it had, again and again.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        advice: Advice::Summarise,
        ..Traits::CALLS
    };
    const NEEDS: Needs = Needs {
        changes: true,
        ..Needs::NOTHING
    };

    type State = ();
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(3, 5, 0))
    }

    fn detect(&self, (): &(), trigger: &Trigger<'_>, context: &Context<'_>) -> Option<Detection> {
        let (facts, step) = match trigger {
            Trigger::Call(call) => {
                let step = context.shared.files.would(call.facts.change?, context.line);
                (&call.facts, step)
            }
            Trigger::Result(done) => (&done.call.facts, done.step),
            Trigger::Step(_) | Trigger::Text(_) | Trigger::Turn => return None,
        };
        // One step back is ordinary work.
        let FileStep::Back { returns, from } = step else {
            return None;
        };
        if returns < 2 {
            return None;
        }
        let detection = Detection::new(returns, from, facts.change?.path, &*facts.label);
        let detection = detection.of_tool(&facts.tool);
        Some(if let Trigger::Call(_) = trigger {
            detection.force_only()
        } else {
            detection
        })
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: if context.ahead() {
                "{what} would put a file back into a state it had before. With this call, that would have happened {count} times in a row."
            } else {
                "A file was put back into a state it had before, {count} times in a row, the last time by {what}."
            },
            returned: "",
            advice: " Find out why each version fails, and look for the cause elsewhere before you edit it again.",
        }
    }
}
