//! `aimless`: looking at one thing after another, and making nothing of it.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::fingerprint::Mark;

documented! {
    /// ## What it does
    ///
    /// Counts different calls in a row that only read: files, searches, pages. Anything else (a change, a command that
    /// runs something) ends the row.
    ///
    /// ## Why
    ///
    /// An agent that reads a hundred files without writing a line has usually lost its question. Every single read looks
    /// sensible, so no rule about repetition sees it.
    ///
    /// ## Example
    ///
    /// ```text
    /// read_file a.py, read_file b.py, … thirty of them, and nothing else     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - something is written or run in between;
    /// - the same call reads on and on, from a stream or a log;
    /// - it is a burst of reading at the start of a task: thirty calls are a lot of reading.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in calls that only read.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let Moment::Result(done) = moment else {
        return None;
    };
    let options = &scene.settings.rules.aimless;
    let reads = &scene.timeline.streaks.reads;
    // Every agent reads; below the first threshold there is nothing to see.
    let first = options.ladder().first()?;
    if reads.row < first {
        return None;
    }
    let lines = (reads.from, scene.line);
    let key = Mark(u64::from(reads.from));
    let label = &*done.call.label;
    Some(Spotted::single(
        RuleName::Aimless,
        reads.row,
        lines,
        key,
        label,
    ))
}
