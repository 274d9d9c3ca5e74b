//! The progress matrix: approaches and outcomes, old and new.

use serde::{Deserialize, Serialize};

use crate::event::Line;

/// Cell of the matrix that a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// A new approach with a new outcome.
    Advance,
    /// An old approach with a new outcome.
    WorldChange,
    /// A new approach with an old outcome.
    Stuck,
    /// An old approach with an old outcome.
    Stagnate,
}

/// Streaks of steps without a new outcome.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Matrix {
    pub(crate) stagnation: u32,
    pub(crate) stuck: u32,
    pub(crate) from: Line,
}

impl Matrix {
    pub(super) fn record(&mut self, old_approach: bool, old_outcome: bool, line: Line) -> Progress {
        let progress = match (old_approach, old_outcome) {
            (false, false) => Progress::Advance,
            (true, false) => Progress::WorldChange,
            (false, true) => Progress::Stuck,
            (true, true) => Progress::Stagnate,
        };
        match progress {
            Progress::Advance | Progress::WorldChange => self.advance(),
            Progress::Stuck => {
                self.stuck = self.stuck.saturating_add(1);
                self.stagnation = 0;
            }
            Progress::Stagnate => {
                self.stagnation = self.stagnation.saturating_add(1);
                self.stuck = 0;
            }
        }
        if self.stuck + self.stagnation == 1 {
            self.from = line;
        }
        progress
    }

    pub(super) fn advance(&mut self) {
        self.stagnation = 0;
        self.stuck = 0;
    }
}
