//! What equal calls came back with.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{MadeCall, Overlap};
use crate::{
    event::{Line, Timestamp},
    facts::{Polling, ResultFacts},
    fingerprint::Mark,
};

/// Whoever looks again within this time is not waiting, but asking.
const SOON_MS: u32 = 10_000;

/// Whether an equal call follows the one before directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adjacency {
    /// Right after the one before.
    InARow,
    /// After other calls.
    Apart,
}

/// What has happened up to an outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Since {
    pub(super) epoch: u32,
    /// Results that were new to the agent.
    pub(super) news: u32,
    pub(super) adjacency: Adjacency,
}

/// The streak of one call. There is one for every tracked call, so its size counts: what only has to be told from its
/// neighbours is kept by its lower half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallStreak {
    /// What the call came back with last.
    pub(crate) outcome: Mark,
    /// What the answer to a change said, or a result that says to wait.
    gist: Option<NonZeroU32>,
    /// Times in a row that it came back with that, the first included.
    repeats: u32,
    /// Times since then that nobody knows what it came back with.
    unknown: u16,
    /// Repeats before which something new was learned elsewhere.
    interleaved: u16,
    /// Repeats before which another call was made.
    apart: u16,
    /// Where the streak began.
    pub(crate) from: Line,
    epoch: u16,
    /// What had been learned when it came back last.
    news: u16,
    round: u16,
    /// Repeats that came soon after the one before.
    fast: u16,
    /// When, in milliseconds.
    last: u32,
    /// Repeats made in parallel to another one. They weigh nothing.
    parallel: u8,
    flags: Flags,
}

/// What is known of a call, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Flags(u8);

impl Flags {
    /// It waits: by itself, or by its last result.
    const WAITS: u8 = 1;
    /// Its result changed at some time, or time passed before it was made again.
    const MOVED: u8 = 1 << 1;
    /// Results of the streak differed, and only what they say of the change was the same.
    const DIFFERED: u8 = 1 << 2;

    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    fn set(&mut self, flag: u8, value: bool) {
        self.0 = if value { self.0 | flag } else { self.0 & !flag };
    }
}

impl CallStreak {
    /// Takes note of an outcome. Returns the streak if the outcome counted; a duplicate within one parallel round does not.
    pub(super) fn record(
        &mut self,
        call: &MadeCall,
        overlap: Overlap,
        result: &ResultFacts,
        since: Since,
    ) -> Option<Self> {
        let (epoch, news) = (lower(since.epoch), lower(since.news));
        let goes_on = self.goes_on(result, since.adjacency);
        let same = goes_on && self.epoch == epoch;
        if same && self.outcome != result.outcome {
            self.flags.set(Flags::DIFFERED, true);
        }
        if same && self.round == lower(call.round) && overlap == Overlap::Parallel {
            self.parallel = self.parallel.saturating_add(1);
            return None;
        }
        let moved = self.flags.has(Flags::MOVED) || self.moves(goes_on, call, result);
        if same {
            self.repeats = self.repeats.saturating_add(1);
            if self.news != news {
                self.interleaved = self.interleaved.saturating_add(1);
            }
            if since.adjacency == Adjacency::Apart {
                self.apart = self.apart.saturating_add(1);
            }
            // A sleep alone is not a look, and one of ten seconds before something else makes a slow one.
            if call.facts.polling != Polling::Sleeps && self.is_soon(call.at) {
                self.fast = self.fast.saturating_add(1);
            }
        } else {
            *self = Self {
                outcome: result.outcome,
                gist: gist(result),
                repeats: 1,
                unknown: 0,
                from: call.line,
                epoch,
                ..Self::default()
            };
        }
        self.epoch = epoch;
        self.news = news;
        self.round = lower(call.round);
        self.last = milliseconds(call.at);
        if result.waits.is_some() {
            self.gist = gist(result);
        }
        self.flags.set(Flags::MOVED, moved);
        let said = result.waits.is_some() && (moved || call.facts.polling == Polling::IfSaid);
        self.flags
            .set(Flags::WAITS, call.facts.polling.is_certain() || said);
        Some(*self)
    }

    /// Whether an equal call changed its result, or was made again after a pause. A result that says to wait has
    /// changed also where only a time or a number in it has.
    fn moves(&self, goes_on: bool, call: &MadeCall, result: &ResultFacts) -> bool {
        let said_otherwise = result.waits.is_some() && gist(result) != self.gist;
        self.repeats > 0 && (!goes_on || said_otherwise || !self.is_soon(call.at))
    }

    /// Whether it waits: by itself, or by its last result.
    pub(crate) fn waits(&self) -> bool {
        self.flags.has(Flags::WAITS)
    }

    /// Is this the same again? Mostly it is what came back that tells. But a change that was made, and is made again at
    /// once, is no other change because the answer shows other line numbers.
    pub(super) fn goes_on(&self, result: &ResultFacts, adjacency: Adjacency) -> bool {
        let changes_again =
            adjacency == Adjacency::InARow && self.gist.is_some() && gist(result) == self.gist;
        self.repeats > 0 && (self.outcome == result.outcome || changes_again)
    }

    /// The call was made, and nobody knows what came of it.
    pub(super) fn record_unknown(&mut self) {
        self.unknown = self.unknown.saturating_add(1);
    }

    /// The outcome of a call that counted as unknown has come after all.
    pub(super) fn take_back_unknown(&mut self) {
        self.unknown = self.unknown.saturating_sub(1);
    }

    /// Occurrences. Calls with unknown outcomes go on with a streak that was proven, but prove none.
    pub(crate) fn count(&self) -> u32 {
        if self.repeats > 1 {
            self.repeats.saturating_add(self.unknown.into())
        } else {
            self.repeats
        }
    }

    /// Whether calls of the streak have no result.
    pub(crate) fn misses_results(&self) -> bool {
        self.unknown > 0
    }

    /// Whether results of the streak differed, for all that they said the same of a change.
    pub(crate) fn results_differ(&self) -> bool {
        self.flags.has(Flags::DIFFERED)
    }

    /// Whether no other call was made between the calls of the streak.
    pub(crate) fn is_in_a_row(&self) -> bool {
        self.apart == 0
    }

    /// Calls of the streak, parallel ones included.
    pub(crate) fn calls(&self) -> u32 {
        self.count().saturating_add(self.parallel.into())
    }

    /// What the occurrences weigh: one that comes back after something new was learned counts half.
    pub(crate) fn weight(&self) -> u32 {
        let halves = u32::from(self.interleaved.div_ceil(2));
        self.count().saturating_sub(halves)
    }

    /// What they would weigh with an equal call now that may be denied: here other calls in between count for the
    /// agent whatever they brought, because a denial takes something away.
    pub(crate) fn weight_with_next(&self, adjacency: Adjacency) -> u32 {
        let apart = u32::from(self.apart) + u32::from(adjacency == Adjacency::Apart);
        let count = self.count().saturating_add(1);
        count.saturating_sub(apart.div_ceil(2))
    }

    /// Occurrences that came soon after the one before, the first included.
    pub(crate) fn fast(&self) -> u32 {
        u32::from(self.fast) + 1
    }

    /// Would an equal call at this time come soon after the last one?
    pub(crate) fn is_soon(&self, at: Timestamp) -> bool {
        milliseconds(at).wrapping_sub(self.last) < SOON_MS
    }

    /// Milliseconds from this time until an equal call would not come soon after the last one.
    pub(crate) fn soon_for(&self, at: Timestamp) -> u64 {
        SOON_MS
            .saturating_sub(milliseconds(at).wrapping_sub(self.last))
            .into()
    }

    /// Would an equal call go on with this streak?
    pub(crate) fn continues(&self, epoch: u32) -> bool {
        self.repeats > 0 && self.epoch == lower(epoch)
    }
}

fn milliseconds(at: Timestamp) -> u32 {
    at.0.cast_unsigned() as u32
}

fn lower(number: u32) -> u16 {
    number as u16
}

/// What an answer to a change said, or all of a result that says to wait.
fn gist(result: &ResultFacts) -> Option<NonZeroU32> {
    NonZeroU32::new(result.gist.or(result.waits)?.0 as u32)
}
