//! How much of what came back lately was known already.

use serde::{Deserialize, Serialize};

use super::Line;
use crate::ledger::Novelty;

/// Which of the last calls came back with what they had come back with before, one bit each, the last one lowest.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Familiar {
    known: u8,
    /// The last call made it more of them.
    pub(crate) rising: bool,
    /// Where the stretch began.
    pub(crate) from: Line,
}

impl Familiar {
    /// Coming back to something now and then is how anyone works: so many of them do not count.
    pub(crate) const ALLOWED: u32 = 2;
    /// Calls that are looked back at.
    pub(crate) const WINDOW: u32 = 8;

    pub(super) fn record(&mut self, novelty: Novelty, line: Line) {
        let before = self.excess();
        if before == 0 {
            self.from = line;
        }
        self.known = (self.known << 1) | u8::from(novelty == Novelty::Known);
        self.rising = self.excess() > before;
    }

    /// Calls among the last eight that told nothing new, beyond what is usual.
    pub(crate) fn excess(&self) -> u32 {
        const { assert!(u8::BITS == Self::WINDOW) };
        self.known.count_ones().saturating_sub(Self::ALLOWED)
    }
}
