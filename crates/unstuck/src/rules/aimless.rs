//! `aimless`: many calls in a row that only read.

use serde::{Deserialize, Serialize};

use super::{
    Advice, Context, Detection, Happened, Rule, RuleText, TextContext, Traits, Trigger, documented,
    restarts,
};
use crate::{
    event::Line,
    facts::{Effect, Ending},
    fingerprint::Mark,
    hash::Tag,
    memory::PerTurn,
    options::{Ladder, options},
    state::{CompletedCall, State},
};

documented! {
    /// ## What it does
    ///
    /// Counts different calls in a row that only read: files, searches, pages. Anything else (a change, a command that
    /// runs something) ends the row.
    ///
    /// ## Why
    ///
    /// An agent that reads a hundred files without writing a line has usually lost sight of its task. The reads differ, so
    /// no rule about repetition reports them.
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
    /// - the calls were made in one round, side by side: they count once;
    /// - the same call is repeated, with other numbers or none, or with the token of the next
    ///   page, to read from a stream, a log or page after page;
    /// - it asks questions in words, which is for `reworded-query`, or looks for something that is not there;
    /// - it is a burst of reading at the start of a task: thirty calls are a lot of reading.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in calls that only read.
}

options! {
    /// Options of `aimless`.
    Aimless {}
}

/// Calls in a row that only read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Reads {
    row: u32,
    from: Line,
    last: Mark,
    /// Line and round of the last call: calls of one round count once.
    line: Line,
    round: u32,
}

restarts!(Reads, version 2);

impl Reads {
    fn record(&mut self, done: &CompletedCall) {
        let facts = &done.call.facts;
        if facts.effect != Effect::Reads {
            self.row = 0;
            return;
        }
        if done.result.ending != Ending::Success || done.result.silent {
            return;
        }
        // The same call again, or with other numbers, reads on: a stream, a log, the next page.
        let page_of = without_amounts(&facts.label);
        if self.last != page_of {
            self.last = page_of;
            let beside = self.row > 0 && done.call.is_beside(self.round, self.line);
            self.line = done.call.line;
            self.round = done.call.round;
            if self.row == 0 {
                self.from = done.call.line;
            }
            self.row = self.row.saturating_add(u32::from(!beside));
        }
    }
}

/// The mark of a line without numbers that stand alone, and without tokens that no person makes up, such as those of the next
/// page. A number in a name or a path belongs to it.
fn without_amounts(line: &str) -> Mark {
    if let Some((start, end)) = drawn_token(line) {
        return without_amounts(&line[..start]).join(without_amounts(&line[end..]));
    }
    let mut before = b' ';
    let kept = line.bytes().filter(|&byte| {
        let alone = matches!(
            before,
            b' ' | b',' | b':' | b'"' | b'\'' | b'=' | b'[' | b'('
        );
        let dropped = byte.is_ascii_digit() && alone;
        if !dropped {
            before = byte;
        }
        !dropped
    });
    Mark::from(Tag::of(kept))
}

/// The place of the first quoted value that is one long token with several digits.
fn drawn_token(line: &str) -> Option<(usize, usize)> {
    const SHORTEST: usize = 10;
    const DIGITS: usize = 3;
    let mut start = 0;
    for value in line.split('"') {
        let end = start + value.len();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=');
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let letters = value.bytes().any(|byte| byte.is_ascii_alphabetic());
        if value.len() >= SHORTEST && digits >= DIGITS && letters && value.bytes().all(plain) {
            return Some((start, end));
        }
        start = end + 1;
    }
    None
}

impl Rule for Aimless {
    const NAME: &'static str = "aimless";
    const SUMMARY: &'static str = "Many calls in a row only read, and nothing is made of it.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        // Reads that differ from each other repeat nothing.
        wastes_calls: false,
        advice: Advice::Summarise,
        ..Traits::CALLS
    };

    type State = PerTurn<Reads>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(30, 0, 0))
    }

    fn judges_calls(&self) -> bool {
        false
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Result(done, facts) = happened
            && done.settled()
            && facts.reworded_query.is_none()
        {
            state.record(done);
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        _: &Context<'_>,
    ) -> Option<Detection> {
        let Trigger::Result(done) = trigger else {
            return None;
        };
        // Every agent reads: nothing is reported below the first threshold.
        if state.row < self.ladder().first()? {
            return None;
        }
        let key = Mark(u64::from(state.from));
        Some(Detection::new(
            state.row,
            state.from,
            key,
            &*done.call.facts.label,
        ))
    }

    fn text(_: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "The last {count} calls only read, and nothing was written or run. The last one was {what}.",
            returned: "",
            advice: " State what you are looking for and what you have found so far; then act on it, or ask.",
        }
    }
}
