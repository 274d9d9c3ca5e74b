//! Streaks of equal calls with equal results.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{MadeCall, Overlap};
use crate::{
    event::{Line, Timestamp},
    facts::{CallFacts, Effect, Ending, Polling, ResultFacts},
    fingerprint::Mark,
};

/// A poll within this many milliseconds of the one before counts as fast.
const SOON_MS: u32 = 10_000;

/// Whether an equal call follows the one before directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adjacency {
    /// Right after the one before.
    InARow,
    /// After other calls.
    Apart,
}

/// Counters of the session at the time of an outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Since {
    pub(super) epoch: u32,
    /// Results that were new to the agent.
    pub(super) news: u32,
    /// Those of them of calls that may have changed something.
    pub(super) acts: u32,
    pub(super) adjacency: Adjacency,
}

/// The streak of one call. There is one for every tracked call, so it is kept small: counters that are only compared
/// for equality with recent values are stored by their lower half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallStreak {
    /// The last result of the call.
    pub(crate) outcome: Mark,
    /// The gist of a result that reports a change, or a whole result that asks to wait.
    gist: Option<NonZeroU32>,
    /// Number of times in a row with that result, the first included.
    repeats: u32,
    /// Number of calls since then without a known result.
    unknown: u16,
    /// Repeats before which another call had a new result, in halves: two of them where that call may have changed what this one
    /// returns.
    interleaved: u16,
    /// Repeats before which another call was made, in halves as above.
    apart: u16,
    /// Line of the first call of the streak.
    pub(crate) from: Line,
    epoch: u16,
    /// Count of new results at its last result, and of those that may have changed something.
    news: u8,
    acts: u8,
    round: u16,
    /// Number of repeats within [`SOON_MS`] of the one before.
    fast: u16,
    /// Time of the last call, in milliseconds.
    last: u32,
    /// Repeats made in parallel to another one. They have no weight.
    parallel: u8,
    flags: Flags,
}

/// Properties of a call, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Flags(u8);

impl Flags {
    /// It waits: by itself, or by its last result.
    const WAITS: u8 = 1;
    /// Its result changed at some time, or time passed before it was made again.
    const MOVED: u8 = 1 << 1;
    /// Results of the streak differed, except for what they report about the change.
    const DIFFERED: u8 = 1 << 2;
    /// It failed.
    const FAILED: u8 = 1 << 3;

    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    fn set(&mut self, flag: u8, value: bool) {
        self.0 = if value { self.0 | flag } else { self.0 & !flag };
    }
}

impl CallStreak {
    /// Records an outcome. Returns the streak if the outcome counted; a duplicate within one parallel round does not.
    pub(super) fn record(
        &mut self,
        call: &MadeCall,
        overlap: Overlap,
        result: &ResultFacts,
        since: Since,
    ) -> Option<Self> {
        let (epoch, news) = (lower(since.epoch), lowest(since.news));
        let acted = self.acted(call, result, since.acts);
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
            let halves = if acted { 2 } else { 1 };
            if self.news != news {
                self.interleaved = self.interleaved.saturating_add(halves);
            }
            if since.adjacency == Adjacency::Apart {
                self.apart = self.apart.saturating_add(halves);
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
        self.acts = lowest(since.acts);
        self.round = lower(call.round);
        self.last = milliseconds(call.at);
        if result.waits.is_some() {
            self.gist = gist(result);
        }
        self.flags.set(Flags::MOVED, moved);
        self.flags
            .set(Flags::FAILED, result.ending == Ending::Failure);
        let said = result.waits.is_some() && (moved || call.facts.polling == Polling::IfSaid);
        self.flags
            .set(Flags::WAITS, call.facts.polling.is_certain() || said);
        Some(*self)
    }

    /// Whether an equal call changed its result, or was made again after a pause. A result that asks to wait has
    /// changed even if only a time or a number in it has.
    fn moves(&self, goes_on: bool, call: &MadeCall, result: &ResultFacts) -> bool {
        let said_otherwise = result.waits.is_some() && gist(result) != self.gist;
        self.repeats > 0 && (!goes_on || said_otherwise || !self.is_soon(call.at))
    }

    /// Whether a call that may have changed what this one returns worked since its last result, and this one worked, too.
    fn acted(&self, call: &MadeCall, result: &ResultFacts, acts: u32) -> bool {
        result.ending == Ending::Success && self.may_have_changed(&call.facts, acts)
    }

    /// Whether a call that may have changed what this one returns worked since its last result. What only reads shows a change
    /// by another result.
    fn may_have_changed(&self, call: &CallFacts, acts: u32) -> bool {
        self.acts != lowest(acts) && call.effect != Effect::Reads
    }

    /// Whether it waits: by itself, or by its last result.
    pub(crate) fn waits(&self) -> bool {
        self.flags.has(Flags::WAITS)
    }

    /// Whether the result continues the streak: an equal result, or a change that is repeated directly, whose result may
    /// show other line numbers.
    pub(super) fn goes_on(&self, result: &ResultFacts, adjacency: Adjacency) -> bool {
        let changes_again =
            adjacency == Adjacency::InARow && self.gist.is_some() && gist(result) == self.gist;
        self.repeats > 0 && (self.outcome == result.outcome || changes_again)
    }

    /// Records a call without a known result.
    pub(super) fn record_unknown(&mut self) {
        self.unknown = self.unknown.saturating_add(1);
    }

    /// Takes back an unknown result, because it arrived after all.
    pub(super) fn take_back_unknown(&mut self) {
        self.unknown = self.unknown.saturating_sub(1);
    }

    /// Number of occurrences. Calls with unknown outcomes continue a streak of known ones, but do not start one.
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

    /// Whether results of the streak differed, although they report the same change.
    pub(crate) fn results_differ(&self) -> bool {
        self.flags.has(Flags::DIFFERED)
    }

    fn failed(&self) -> bool {
        self.flags.has(Flags::FAILED)
    }

    /// Whether no other call was made between the calls of the streak.
    pub(crate) fn is_in_a_row(&self) -> bool {
        self.apart == 0
    }

    /// Calls of the streak, parallel ones included.
    pub(crate) fn calls(&self) -> u32 {
        self.count().saturating_add(self.parallel.into())
    }

    /// Weight of the occurrences: one after a new result of another call counts half, and not at all if that call may have
    /// changed something.
    pub(crate) fn weight(&self) -> u32 {
        let halves = u32::from(self.interleaved.div_ceil(2));
        self.count().saturating_sub(halves)
    }

    /// Weight with a coming equal call, to decide on a denial. Every repeat after another call counts half, whatever that
    /// call returned, because a denial is stricter than a nudge.
    pub(crate) fn weight_with_next(
        &self,
        call: &CallFacts,
        adjacency: Adjacency,
        acts: u32,
    ) -> u32 {
        let halves = match adjacency {
            Adjacency::InARow => 0,
            Adjacency::Apart if !self.failed() && self.may_have_changed(call, acts) => 2,
            Adjacency::Apart => 1,
        };
        let apart = u32::from(self.apart) + halves;
        let count = self.count().saturating_add(1);
        count.saturating_sub(apart.div_ceil(2))
    }

    /// Occurrences that came soon after the one before, the first included.
    pub(crate) fn fast(&self) -> u32 {
        u32::from(self.fast) + 1
    }

    /// Whether an equal call at this time comes within [`SOON_MS`] of the last one.
    pub(crate) fn is_soon(&self, at: Timestamp) -> bool {
        milliseconds(at).wrapping_sub(self.last) < SOON_MS
    }

    /// Milliseconds from this time until an equal call would not come soon after the last one.
    pub(crate) fn soon_for(&self, at: Timestamp) -> u64 {
        SOON_MS
            .saturating_sub(milliseconds(at).wrapping_sub(self.last))
            .into()
    }

    /// Whether an equal call would continue this streak.
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

fn lowest(number: u32) -> u8 {
    number as u8
}

/// The gist of a result that reports a change, or a whole result that asks to wait.
fn gist(result: &ResultFacts) -> Option<NonZeroU32> {
    NonZeroU32::new(result.gist.or(result.waits)?.0 as u32)
}
