//! Exact repetition: the end of a text repeats with a period.
//!
//! A table remembers where each stretch of [`GRAM`] characters was read last. A stretch that comes again proposes its
//! distance as a period, and a proposal lives as long as every further character equals the one a period before. So the
//! cost of a character does not depend on what came before it.

use serde::{Deserialize, Serialize};

use crate::{
    event::Line,
    fingerprint::Mark,
    hash::{ROLLING_BASE, SHORT_GOLDEN},
};

/// Characters that must agree before a period is proposed.
const GRAM: usize = 16;

/// Characters kept.
const KEPT: usize = 1_024;

/// The longest period, in characters.
const LONGEST: usize = KEPT - GRAM;

/// Places in the table of stretches; a power of two.
const PLACES: usize = 512;

/// Proposals that are followed at the same time.
const PROPOSALS: usize = 4;

/// Minimum number of laps of a repetition.
pub(super) const LAPS: u32 = 4;

/// Minimum length of a repetition in characters: about thirty words.
pub(super) const COVERED: u32 = 200;

/// Minimum length for what may be data: numbers, rulers, one very long word.
const COVERED_BY_DATA: u32 = 800;

/// Stand-ins for blocks, where no character is.
const BLOCKS: u16 = 0xd800;

/// [`ROLLING_BASE`] to the power of [`GRAM`].
const BASE_OUT: u32 = {
    let (mut power, mut at) = (1_u32, 0);
    while at < GRAM {
        power = power.wrapping_mul(ROLLING_BASE);
        at += 1;
    }
    power
};

/// Looks for laps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Period {
    /// The last [`KEPT`] signs; the sign at position `n` is at `n % KEPT`.
    kept: Vec<u16>,
    read: u64,
    gram: u32,
    /// The lower half of the position at which a stretch ended last.
    places: Vec<u16>,
    proposals: Vec<Proposal>,
    /// Position up to which repetitions were reported.
    reported: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Proposal {
    period: u16,
    /// The position at which the first lap began.
    since: u64,
    /// Number of signs that have to be covered.
    needed: u32,
    from: Line,
}

/// A repetition that is long enough to report.
#[derive(Clone, Debug)]
pub(super) struct Laps {
    pub(super) period: usize,
    pub(super) count: u32,
    /// The position at which the first of them began.
    pub(super) start: u64,
    pub(super) from: Line,
}

impl Period {
    #[inline]
    pub(super) fn letter(&mut self, letter: char, line: Line) -> Option<Laps> {
        let letter = u32::from(letter);
        // What does not fit shares places where no character is assigned for good.
        self.push(
            u16::try_from(letter).unwrap_or(0xe000 | (letter as u16 & 0x0fff)),
            line,
        )
    }

    pub(super) fn block(&mut self, hash: u32, line: Line) -> Option<Laps> {
        self.push(BLOCKS | ((hash ^ (hash >> 16)) as u16 & 0x07ff), line)
    }

    fn push(&mut self, sign: u16, line: Line) -> Option<Laps> {
        let at = self.read;
        let kept = &self.kept;
        if !self.proposals.is_empty() {
            self.proposals
                .retain(|proposal| before(kept, at, usize::from(proposal.period)) == Some(sign));
        }
        let out = before(kept, at, GRAM).map_or(0, |out| u32::from(out) + 1);
        if self.kept.len() < KEPT {
            self.kept.push(sign);
        } else if let Some(place) = self.kept.get_mut(at as usize % KEPT) {
            *place = sign;
        }
        self.read += 1;
        self.gram = self
            .gram
            .wrapping_mul(ROLLING_BASE)
            .wrapping_add(u32::from(sign) + 1)
            .wrapping_sub(out.wrapping_mul(BASE_OUT));
        if self.read >= GRAM as u64 {
            self.propose(line);
        }
        if self.proposals.is_empty() {
            return None;
        }
        self.ripe()
    }

    /// Marks everything up to here as reported; laps count anew.
    pub(super) fn restart(&mut self) {
        self.reported = self.read;
        for proposal in &mut self.proposals {
            proposal.since = self.read;
            proposal.needed = needed(proposal.period, COVERED);
        }
    }

    /// The number of signs read.
    pub(super) fn position(&self) -> u64 {
        self.read
    }

    /// The text from a position on, as far as it is kept.
    pub(super) fn text(&self, from: u64, longest: usize) -> String {
        let oldest = self.read - (self.kept.len() as u64).min(self.read);
        (from.max(oldest)..self.read)
            .take(longest)
            .filter_map(|at| before(&self.kept, self.read, (self.read - at) as usize))
            .filter_map(|sign| char::from_u32(sign.into()))
            .collect()
    }

    /// One lap, from the beginning of a word where there is one.
    pub(super) fn lap(&self, period: usize) -> String {
        let two: Vec<char> = self
            .text(self.read.saturating_sub(2 * period as u64), 2 * period)
            .chars()
            .collect();
        let start = two
            .iter()
            .take(period)
            .position(|letter| *letter == ' ')
            .map_or(0, |gap| gap + 1);
        two.iter().skip(start).take(period).collect()
    }

    /// Hash that is equal for all rotations of a lap.
    pub(super) fn mark(&self, period: usize) -> Mark {
        let lap: Vec<u64> = (1..=period)
            .rev()
            .filter_map(|back| before(&self.kept, self.read, back))
            .map(u64::from)
            .collect();
        let sum = (0..lap.len()).fold(0_u64, |sum, at| {
            let gram = (0..4).fold(0_u64, |gram, next| {
                gram << 16 | lap[(at + next) % lap.len()]
            });
            sum.wrapping_add(Mark(gram).join(Mark(0x7e87)).0)
        });
        Mark(sum)
    }

    /// Distance to the last occurrence of the last stretch, if there is one.
    fn propose(&mut self, line: Line) {
        if self.places.len() != PLACES {
            self.places = vec![0; PLACES];
        }
        let last = self.read - 1;
        let place =
            self.gram.wrapping_mul(SHORT_GOLDEN) as usize >> (32 - PLACES.ilog2()) & (PLACES - 1);
        let back = (last as u16).wrapping_sub(self.places[place]);
        self.places[place] = last as u16;
        let period = usize::from(back);
        if period == 0
            || period > LONGEST
            || (period + GRAM) as u64 > self.read
            || self
                .proposals
                .iter()
                .any(|proposal| proposal.period == back)
        {
            return;
        }
        let same = (1..=GRAM).all(|at| {
            before(&self.kept, self.read, at) == before(&self.kept, self.read, at + period)
        });
        if !same {
            return;
        }
        if self.proposals.len() >= PROPOSALS
            && let Some(youngest) =
                (0..self.proposals.len()).max_by_key(|at| self.proposals[*at].since)
        {
            self.proposals.swap_remove(youngest);
        }
        self.proposals.push(Proposal {
            period: back,
            since: self.reported.max(self.read - (GRAM + period) as u64),
            needed: needed(back, COVERED),
            from: line,
        });
    }

    fn ripe(&mut self) -> Option<Laps> {
        let read = self.read;
        let covered = |proposal: &Proposal| (read - proposal.since.min(read)) as u32;
        let ripe = self
            .proposals
            .iter()
            .position(|proposal| covered(proposal) >= proposal.needed)?;
        let period = usize::from(self.proposals[ripe].period);
        let at_least = if self.is_data(period) {
            needed(self.proposals[ripe].period, COVERED_BY_DATA)
        } else {
            0
        };
        let proposal = &mut self.proposals[ripe];
        if covered(proposal) < at_least {
            proposal.needed = at_least;
            return None;
        }
        Some(Laps {
            period,
            count: covered(proposal) / u32::from(proposal.period.max(1)),
            start: proposal.since,
            from: proposal.from,
        })
    }

    /// Whether the lap has anything but words.
    fn is_data(&self, period: usize) -> bool {
        let (mut letters, mut words) = (false, false);
        for sign in (1..=period).filter_map(|back| before(&self.kept, self.read, back)) {
            let sign = char::from_u32(sign.into()).unwrap_or('\0');
            letters |= sign.is_alphabetic();
            // Some scripts do without spaces.
            words |= sign == ' ' || (!sign.is_ascii() && sign.is_alphabetic());
        }
        !(letters && words)
    }
}

/// The sign `back` places before a position.
#[inline]
fn before(kept: &[u16], position: u64, back: usize) -> Option<u16> {
    let at = position.checked_sub(back as u64)?;
    kept.get(at as usize % KEPT).copied()
}

fn needed(period: u16, covered: u32) -> u32 {
    covered.max(LAPS * u32::from(period))
}

#[cfg(test)]
#[path = "period_tests.rs"]
mod tests;
