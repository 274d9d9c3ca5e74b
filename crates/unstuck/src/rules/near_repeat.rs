//! `near-repeat`: a similar call, the same outcome.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{identity::Waits, settings::CountCalls, timeline::Tally};

documented! {
    /// ## What it does
    ///
    /// Counts how often calls that differ in nothing that matters came back with the same outcome, as long as nothing
    /// was achieved in between. What matters are a call's primary arguments (path, command, pattern, query, url,
    /// offset, limit, …); a time-out or an encoding does not. A shell command is what it does: the order of options,
    /// quotes, `timeout 60`, `FOO=1`, `bash -c`, `2>&1 | tail -5` and the like do not matter, its directory does, and
    /// commands that read the same lines of one file are one read.
    ///
    /// ## Why
    ///
    /// A model that senses it is repeating itself varies what is easy to vary: a flag, a time-out, the command that
    /// prints the file. The answer stays the same.
    ///
    /// ## Example
    ///
    /// ```text
    /// read_file {"path":"a.ts"}                      -> same content
    /// read_file {"path":"a.ts","encoding":"utf-8"}   -> same content
    /// read_file {"path":"a.ts","timeout":5}          -> same content
    /// read_file {"path":"a.ts","timeout":9}          -> same content    nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the outcome differs;
    /// - the call carries what it writes (content, a patch, a message): then all its arguments matter;
    /// - an offset, a limit or the lines of a read differ: paging through a file is progress;
    /// - something was achieved in between.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the rungs, in occurrences with the first.
    /// - `count`: `outcomes` as above; `calls-in-a-row` counts similar calls that follow each other, whatever came back.
    /// - `window`: calls looked at where only calls count.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    const RULE: RuleName = RuleName::NearRepeat;
    let options = &scene.settings.rules.near_repeat;
    let timeline = scene.timeline;
    match (options.count, moment) {
        (CountCalls::Outcomes, Moment::Call(action)) => {
            let tally = timeline.near.get(action.coarse.mark())?;
            let exact = timeline.exact.get(action.exact);
            let epoch = timeline.streaks.ledger.epoch();
            let parallel = timeline.pending.has_equal(action.exact, timeline.round);
            // Where every one of them was exactly equal, `exact-repeat` has said it already.
            let only_exact =
                exact.is_some_and(|exact| exact.continues(epoch) && exact.count() >= tally.count());
            let waits =
                scene.settings.rules.poll.enabled && (action.waits != Waits::No || tally.waits);
            if parallel || waits || only_exact || !tally.continues(epoch) {
                return None;
            }
            let key = action.coarse.mark().join(tally.outcome);
            let lines = (tally.from, scene.line);
            let spotted =
                Spotted::single(RULE, tally.count() + 1, lines, key, action.label.clone());
            Some(spotted.of_tool(&action.tool).force_only())
        }
        (CountCalls::Outcomes, Moment::Result(done)) => {
            let waits = |tally: &Tally| scene.settings.rules.poll.enabled && tally.waits;
            let tally = done
                .near
                .filter(|tally| tally.count() > 1 && !waits(tally))?;
            if done
                .exact
                .is_some_and(|exact| exact.count() >= tally.count())
            {
                return None;
            }
            let key = done.call.coarse.mark().join(tally.outcome);
            let label = Some(done.call.readable());
            let spotted =
                Spotted::single(RULE, tally.count(), (tally.from, scene.line), key, label);
            Some(spotted.of_tool(&done.call.tool))
        }
        (CountCalls::CallsInARow, Moment::Call(action)) => {
            let coarse = action.coarse.mark();
            let (similar, from) = timeline.streaks.tail.coarse_streak(coarse, options.window);
            let lines = (from?, scene.line);
            let spotted = Spotted::single(RULE, similar + 1, lines, coarse, action.label.clone());
            Some(spotted.of_tool(&action.tool))
        }
        _ => None,
    }
}
