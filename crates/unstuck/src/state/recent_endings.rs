//! How the last calls ended, whatever they were: the numbers that messages state.

use serde::{Deserialize, Serialize};

use super::Novelty;
use crate::facts::Ending;

/// How the last calls that have a result ended, one bit each, the newest lowest. Rules weigh some of these calls only;
/// what is stated about "the last calls" is about all of them.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RecentEndings {
    failed: u32,
    /// Calls that returned what an equal call had returned before.
    known: u32,
    /// Calls so far, at most 32.
    calls: u8,
}

/// A number of the last calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) count: u32,
    /// The calls that were looked at.
    pub(crate) of: u32,
}

impl RecentEndings {
    pub(super) fn record(&mut self, ending: Ending, novelty: Novelty) {
        let settled = ending != Ending::Neither;
        self.failed = (self.failed << 1) | u32::from(ending == Ending::Failure);
        self.known = (self.known << 1) | u32::from(settled && novelty == Novelty::Known);
        self.calls = (self.calls + 1).min(u32::BITS as u8);
    }

    /// Calls that failed.
    pub(crate) fn failed(&self, of: u32) -> Share {
        self.share(self.failed, of)
    }

    /// Calls that returned what an equal call had returned before.
    pub(crate) fn known(&self, of: u32) -> Share {
        self.share(self.known, of)
    }

    /// Calls that failed or returned nothing new.
    pub(crate) fn fruitless(&self, of: u32) -> Share {
        self.share(self.failed | self.known, of)
    }

    fn share(&self, bits: u32, of: u32) -> Share {
        let of = of.min(self.calls.into());
        let mask = 1_u32.checked_shl(of).map_or(u32::MAX, |bit| bit - 1);
        Share {
            count: (bits & mask).count_ones(),
            of,
        }
    }
}

#[cfg(test)]
#[path = "recent_endings_tests.rs"]
mod tests;
