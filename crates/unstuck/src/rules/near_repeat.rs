//! `near-repeat`: a similar call, the same outcome.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::{
    settings::CountCalls,
    timeline::{Company, Tally},
};

documented! {
    /// ## What it does
    ///
    /// Counts how often calls that differ in nothing that matters came back with the same outcome, as long as nothing
    /// was achieved in between. What matters are a call's primary arguments (path, command, pattern, query, url,
    /// offset, limit, …); a time-out or an encoding does not. A shell command is what it does: the order of options,
    /// quotes, `timeout 60`, `FOO=1`, `bash -c`, `2>&1 | tail -5` and the like do not matter, its directory does, and
    /// commands that read the same lines of one file are one read.
    ///
    /// The same said in other words counts, too: a search query with its words turned round, a status report that is
    /// rephrased. Arguments are data (paths, ids, numbers, commands) or wording (sentences of eight words or more,
    /// queries). Two calls are one in other words if their data is the same and at least half of the words are. Of
    /// rewordings nothing is said below the first rung.
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
    ///
    /// search {"query":"foo bar error"}               -> no results
    /// search {"query":"error foo bar"}               -> no results
    /// search {"query":"foo bar errors python"}       -> no results
    /// search {"query":"fix foo bar error"}           -> no results      nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the outcome differs;
    /// - the call carries what it writes (content, a patch, a message): then all its arguments matter;
    /// - an offset, a limit or the lines of a read differ: paging through a file is progress;
    /// - the same sentence is about something else: another name, number or path in it, or up to three words in the
    ///   place of others. Bulk work over distinct targets looks like that, and so does a list that is worked off;
    /// - a reworded call writes: a text that is written is a change;
    /// - the similar calls were made in parallel, in one round: they count once;
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
    // Saying the same in other words two or three times is how anyone searches: below the first rung there is nothing
    // to see.
    let first = options.ladder().first()?;
    match (options.count, moment) {
        (CountCalls::Outcomes, Moment::Call(action)) => {
            let tally = timeline.near.get(action.near)?;
            let exact = timeline.exact.get(action.exact);
            let epoch = timeline.epoch_for(action);
            let parallel =
                timeline.pending.similar(action.near, timeline.round) == Company::Parallel;
            // Where every one of them was exactly equal, `exact-repeat` has said it already.
            let only_exact =
                exact.is_some_and(|exact| exact.continues(epoch) && exact.count() >= tally.count());
            let waits =
                scene.settings.rules.poll.enabled && (action.polling.is_certain() || tally.waits());
            if parallel || waits || only_exact || !tally.continues(epoch) {
                return None;
            }
            let weight = tally.count() + 1;
            if !options.ladder().forces(weight) {
                return None;
            }
            let key = action.near.join(tally.outcome);
            let lines = (tally.from, scene.line);
            let spotted = Spotted::single(RULE, tally.calls() + 1, lines, key, &*action.label)
                .weighing(weight)
                .with_results(tally)
                .with_attempts();
            Some(spotted.of_tool(&action.tool).force_only())
        }
        (CountCalls::Outcomes, Moment::Result(done)) => {
            let waits = |tally: &Tally| scene.settings.rules.poll.enabled && tally.waits();
            let tally = done
                .near
                .filter(|tally| tally.count() > 1 && !waits(tally))?;
            if done
                .exact
                .is_some_and(|exact| exact.count() >= tally.count())
            {
                return None;
            }
            if tally.count() < first {
                return None;
            }
            let key = done.call.near.join(tally.outcome);
            let lines = (tally.from, scene.line);
            let spotted = Spotted::single(RULE, tally.calls(), lines, key, &*done.call.label)
                .weighing(tally.count())
                .with_results(&tally);
            Some(spotted.of_tool(&done.call.tool).told_with_verdict())
        }
        (CountCalls::CallsInARow, Moment::Call(action)) => {
            let coarse = action.coarse.mark();
            let (similar, from) = timeline.streaks.tail.coarse_streak(coarse, options.window);
            let lines = (from?, scene.line);
            let spotted = Spotted::single(RULE, similar + 1, lines, coarse, &*action.label);
            Some(spotted.of_tool(&action.tool))
        }
        _ => None,
    }
}
