//! `exact-repeat`: the same call, the same outcome.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{
    identity::Refused,
    settings::CountCalls,
    timeline::{Company, Place, Tally},
};

documented! {
    /// ## What it does
    ///
    /// Counts how often the same call (same tool, same arguments, whatever the order of their keys) came back with the
    /// same outcome, as long as nothing was achieved in between. Other calls in between do not hide it, but a repeat
    /// after something new was learned counts half; and before a call is denied, every repeat that does not follow its
    /// equal at once does. A change that is made again at once counts whatever line numbers the answer shows.
    ///
    /// ## Why
    ///
    /// An agent that asks the same question and gets the same answer learns nothing from asking again. It is the most
    /// common loop by far, and the one that costs least to stop early.
    ///
    /// ## Example
    ///
    /// ```text
    /// read_file {"path":"src/auth.py"}   -> same content
    /// read_file {"path":"src/auth.py"}   -> same content
    /// read_file {"path":"src/auth.py"}   -> same content    nudge
    /// read_file {"path":"src/auth.py"}   -> same content    nudge, level 2
    /// read_file {"path":"src/auth.py"}   -> same content    nudge, level 3
    /// read_file {"path":"src/auth.py"}                      deny
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the outcome differs: polling something that moves, reading a log that grows;
    /// - the call waits for something: that is for `poll`;
    /// - something was achieved in between: the file that is read was changed, anything was changed before a test is run
    ///   again, fewer tests fail than before, the repository shows other changes;
    /// - the equal calls were made in parallel, in one round: they count once;
    /// - a person refused the call, it was cancelled, or it is still running.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the rungs, in occurrences with the first.
    /// - `count`: `outcomes` as above; `calls-in-a-row` counts equal calls that follow each other, whatever came back;
    ///   `calls-in-window` counts equal calls among the last ones and judges when the turn ends.
    /// - `window`: calls looked at where only calls count.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::ExactRepeat;
    let rules = &scene.settings.rules;
    let options = &rules.exact_repeat;
    let timeline = scene.timeline;
    match (options.count, moment) {
        (CountCalls::Outcomes, Moment::Call(action)) => {
            let tally = timeline.exact.get(action.exact)?;
            let parallel =
                timeline.pending.equal(action.exact, timeline.round) == Company::Parallel;
            let waits = rules.poll.enabled && (action.polling.is_certain() || tally.waits());
            if parallel || waits || !tally.continues(timeline.epoch_for(action)) {
                return None;
            }
            let place = timeline.streaks.place(action.exact);
            let weight = tally.weight_with_next(place);
            let key = action.exact.join(tally.outcome);
            let lines = (tally.from, scene.line);
            let spotted = Spotted::single(RULE, tally.calls() + 1, lines, key, &*action.label)
                .weighing(weight)
                .with_results(tally)
                .with_attempts();
            let spotted = placed(spotted.of_tool(&action.tool), place, tally);
            Some(spotted.force_only())
        }
        (CountCalls::Outcomes, Moment::Result(done)) => {
            let waits = |tally: &Tally| rules.poll.enabled && tally.waits();
            let tally = done
                .exact
                .filter(|tally| tally.count() > 1 && !waits(tally))?;
            let key = done.call.exact.join(tally.outcome);
            let lines = (tally.from, scene.line);
            let spotted = Spotted::single(RULE, tally.calls(), lines, key, &*done.call.label)
                .weighing(tally.weight())
                .with_results(&tally);
            let spotted = placed(spotted.of_tool(&done.call.tool), done.place, &tally);
            // Within a cycle every member repeats: one nudge about the whole says more than one about each. And why a
            // call was refused says more than that it was made again.
            let refused = match done.sight.refused {
                Refused::No => false,
                Refused::UnknownTool => rules.unknown_tool.enabled,
                Refused::Form(_) | Refused::Value(_) => rules.invalid_call.enabled,
            };
            Some(if refused || timeline.cycles(scene.settings) {
                spotted.force_only()
            } else {
                spotted
            })
        }
        (CountCalls::CallsInARow, Moment::Call(action)) => {
            let (equal, from) = timeline
                .streaks
                .tail
                .exact_streak(action.exact, options.window);
            let lines = (from?, scene.line);
            let spotted = Spotted::single(RULE, equal + 1, lines, action.exact, &*action.label);
            Some(spotted.of_tool(&action.tool))
        }
        (CountCalls::CallsInWindow, Moment::Turn) => {
            let equals = timeline.streaks.tail.most_frequent(options.window)?;
            if equals.count < 2 {
                return None;
            }
            let lines = (equals.from, scene.line);
            Some(Spotted::single(
                RULE,
                equals.count,
                lines,
                equals.mark,
                equals.label,
            ))
        }
        _ => None,
    }
}

/// To come back to something later is not yet a repeat worth telling of.
fn placed(mut spotted: Spotted, place: Place, tally: &Tally) -> Spotted {
    spotted.facts.in_a_row = place == Place::InARow && tally.is_in_a_row();
    match place {
        Place::InARow => spotted.told_insistently(),
        Place::Apart => spotted.told_with_verdict(),
    }
}
