//! Cycles: for every period the run of items equal to the one a period before.
//!
//! A run of `r` items with period `p` means that the last `r + p` items repeat with that period, so laps are exact,
//! and keeping all runs up to date costs one comparison a period.

use serde::{Deserialize, Serialize};

use crate::{
    event::Line, fingerprint::Mark, label::Label, memory::cut_to, options::Bounded, state::MadeCall,
};

/// The longest period, in items.
pub(crate) const MAX_PERIOD: usize = 16;

/// A period, in items.
pub(crate) type CyclePeriod = Bounded<1, { MAX_PERIOD as u32 }>;

/// The runs of all periods.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Runs {
    /// The last items, oldest first from `head`.
    ring: Vec<Item>,
    head: u8,
    lengths: [Run; MAX_PERIOD],
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Item {
    key: Mark,
    action: Mark,
    line: Line,
    label: Label,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Run {
    length: u32,
    /// Where the first lap began.
    from: Line,
}

/// A pattern that was repeated at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) period: u32,
    /// Items equal to the one a period before.
    pub(crate) run: u32,
    pub(crate) from: Line,
    /// Equal for all rotations of the pattern.
    pub(crate) key: Mark,
}

impl Pattern {
    /// Whether the last item completed a lap.
    pub(crate) fn completes_lap(&self) -> bool {
        self.run.is_multiple_of(self.period)
    }

    /// Complete laps, the first included.
    pub(crate) fn laps(&self) -> u32 {
        1 + self.run / self.period
    }

    /// The lap that the next item would belong to.
    pub(crate) fn next_lap(&self) -> u32 {
        1 + (self.run + 1).div_ceil(self.period)
    }
}

impl Runs {
    /// Adds an item and returns the pattern that it goes on with.
    pub(super) fn push(
        &mut self,
        key: Mark,
        call: &MadeCall,
        longest: CyclePeriod,
    ) -> Option<Pattern> {
        for period in 1..=MAX_PERIOD {
            let run = self.extended(key, period);
            self.lengths[period - 1] = run;
        }
        let capacity = longest.get() as usize;
        let item = Item {
            key,
            action: call.facts.exact,
            line: call.line,
            label: call.facts.label.clone(),
        };
        if self.ring.len() < capacity {
            self.ring.push(item);
        } else {
            let head = usize::from(self.head) % self.ring.len();
            self.ring[head] = item;
            self.head = ((head + 1) % self.ring.len()) as u8;
        }
        self.current()
    }

    /// Makes room for as many items as the longest period has, and drops the oldest beyond.
    pub(super) fn cut(&mut self, longest: CyclePeriod) {
        let capacity = longest.get() as usize;
        if self.ring.is_empty() || self.ring.len() == capacity {
            return;
        }
        // A ring that grows or shrinks starts at its oldest item.
        let head = usize::from(self.head) % self.ring.len();
        self.ring.rotate_left(head);
        self.head = 0;
        cut_to(&mut self.ring, capacity);
    }

    /// Whether the items end in a pattern of several.
    pub(crate) fn comes_round(&self) -> bool {
        self.period().is_some_and(|period| period > 1)
    }

    /// The shortest period with a run of at least a lap.
    fn period(&self) -> Option<usize> {
        (1..=self.ring.len()).find(|period| self.lengths[period - 1].length as usize >= *period)
    }

    /// The pattern that the items end in.
    pub(crate) fn current(&self) -> Option<Pattern> {
        let period = self.period()?;
        let run = self.lengths[period - 1];
        Some(Pattern {
            period: period as u32,
            run: run.length,
            from: run.from,
            key: self.pattern_key(period, None),
        })
    }

    /// The pattern that there would be with one more item.
    pub(crate) fn with(&self, key: Mark) -> Option<Pattern> {
        let extended = |period| self.extended(key, period);
        let period =
            (1..=self.ring.len()).find(|period| extended(*period).length as usize >= *period)?;
        let run = extended(period);
        Some(Pattern {
            period: period as u32,
            run: run.length,
            from: run.from,
            key: self.pattern_key(period, Some(key)),
        })
    }

    /// Whether the action is among the last `period` ones.
    pub(crate) fn is_member(&self, action: Mark, period: u32) -> bool {
        (1..=period as usize).any(|back| self.back(back).is_some_and(|item| item.action == action))
    }

    pub(crate) fn contains(&self, action: Mark) -> bool {
        self.ring.iter().any(|item| item.action == action)
    }

    /// Readable lines of the last `period` items, oldest first.
    pub(crate) fn labels(&self, period: u32) -> impl Iterator<Item = &str> {
        (1..=period as usize)
            .rev()
            .filter_map(|back| self.back(back))
            .map(|item| &*item.label)
    }

    fn extended(&self, key: Mark, period: usize) -> Run {
        match self.back(period) {
            Some(item) if item.key == key => {
                let run = self.lengths[period - 1];
                Run {
                    length: run.length.saturating_add(1),
                    from: if run.length == 0 { item.line } else { run.from },
                }
            }
            _ => Run::default(),
        }
    }

    /// The item `back` places before the coming one.
    fn back(&self, back: usize) -> Option<&Item> {
        let len = self.ring.len();
        if back == 0 || back > len {
            return None;
        }
        self.ring.get((usize::from(self.head) + len - back) % len)
    }

    /// One mark for all rotations of the last `period` items (`next` being the last of them where given): the
    /// smallest of what they fold to.
    fn pattern_key(&self, period: usize, next: Option<Mark>) -> Mark {
        let taken = period - usize::from(next.is_some());
        let items: Vec<Mark> = (1..=taken)
            .rev()
            .filter_map(|back| self.back(back))
            .map(|item| item.key)
            .chain(next)
            .collect();
        let rotation = |start: usize| {
            let (before, after) = items.split_at(start);
            after
                .iter()
                .chain(before)
                .fold(Mark(period as u64), |folded, key| folded.join(*key))
        };
        (0..items.len()).map(rotation).min().unwrap_or_default()
    }
}

#[cfg(test)]
#[path = "runs_tests.rs"]
mod tests;
