//! The ledger: evidence of progress that all rules share.

use serde::{Deserialize, Serialize};

use crate::identity::{Effect, Ending, Sight};

/// What speaks for the agent.
///
/// Progress starts a new *epoch*: what was repeated before it and is repeated after it are two streaks, because
/// reading a file or running a test again after a real change is no repetition.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    epoch: u32,
    /// Denials since the last progress.
    denials: u32,
}

/// Whether this call with this outcome was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Novelty {
    New,
    Known,
}

impl Ledger {
    /// Takes note of a call that came back. Only a change to the world that had not been made before is progress: an
    /// edit repeated with the same arguments and the same answer is not, and a failed one is not.
    pub(crate) fn credit(&mut self, effect: Effect, sight: &Sight, novelty: Novelty) -> Credit {
        if effect == Effect::Writes && sight.verdict == Ending::Success && novelty == Novelty::New {
            self.advance();
            Credit::Progress
        } else {
            Credit::None
        }
    }

    /// Something was achieved.
    pub(crate) fn advance(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        self.denials = 0;
    }

    pub(crate) fn deny(&mut self) {
        self.denials = self.denials.saturating_add(1);
    }

    pub(crate) fn epoch(&self) -> u32 {
        self.epoch
    }

    pub(crate) fn denials(&self) -> u32 {
        self.denials
    }
}

/// What the ledger made of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Credit {
    Progress,
    None,
}
