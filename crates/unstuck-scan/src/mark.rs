//! Positions in a run, as far back as a loop may reach.

use std::collections::VecDeque;

/// One event of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mark {
    /// The number of the event in its run, counted from one.
    pub event: u64,
    /// Line of the file; 0 where it is unknown.
    pub line: u64,
    /// In milliseconds since 1970.
    pub at: Option<i64>,
    /// Calls so far, this one included.
    pub call: u64,
}

/// Tokens and money.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    pub tokens: u64,
    pub usd: f64,
}

/// The last events of a run.
#[derive(Debug, Default)]
pub struct Marks {
    marks: VecDeque<Mark>,
    limit: usize,
}

impl Marks {
    pub fn new(limit: usize) -> Self {
        Self {
            marks: VecDeque::new(),
            limit,
        }
    }

    pub fn push(&mut self, mark: Mark) {
        if self.marks.len() >= self.limit {
            self.marks.pop_front();
        }
        self.marks.push_back(mark);
    }

    /// The event of that number, or the oldest that is still known.
    pub fn event(&self, number: u64) -> Mark {
        let oldest = self.marks.front().map_or(0, |mark| mark.event);
        let at = usize::try_from(number.saturating_sub(oldest)).unwrap_or(usize::MAX);
        let last = self.marks.len().saturating_sub(1);
        self.marks.get(at.min(last)).copied().unwrap_or_default()
    }
}
