//! What a store of tallies offers, whatever it keeps them in.

use std::{fmt, num::NonZeroU32, time::Duration};

use unstuck::swarm::Tally;

use crate::{
    batch::Batch,
    error::TallyError,
    keys::{CallKey, SwarmKey},
};

/// A store of tallies that processes share.
///
/// Time is cut into windows of [`TallyLimits::window`]. A call counts until the window after its own is over: for at least
/// one window, and for less than two. With the feature `testing`, `testing::tally_store` is the test suite that every store
/// passes.
pub trait TallyStore: fmt::Debug + Send + Sync {
    /// Applies the entries that were not applied before, and returns the tally of the call of the last entry. All in one
    /// step: no other batch sees a part of it.
    ///
    /// Returns an error once `within` has passed. Then it is unknown whether the batch was applied.
    fn apply(&self, batch: &Batch<'_>, within: Duration) -> Result<Tally, TallyError>;

    /// Returns all tallies of a swarm, in the order of their calls.
    fn tallies(&self, swarm: SwarmKey, within: Duration) -> Result<Vec<CallTally>, TallyError>;

    /// Forgets all calls of a swarm. Entries that were applied before it stay known as applied.
    fn clear(&self, swarm: SwarmKey, within: Duration) -> Result<(), TallyError>;

    /// The limits of the store.
    fn limits(&self) -> TallyLimits;
}

/// A call of a swarm with its tally.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallTally {
    /// The call.
    pub call: CallKey,
    /// How often each worker made it.
    pub tally: Tally,
}

/// How long and how much a store remembers. The same for all processes that share a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TallyLimits {
    /// Length of a window, in whole milliseconds, at least one.
    pub window: Duration,
    /// Calls and writers, together, that one swarm keeps of one window; in a store of files, that each file of it keeps.
    pub most: NonZeroU32,
}

impl TallyLimits {
    /// The window in milliseconds.
    pub fn window_ms(&self) -> u64 {
        u64::try_from(self.window.as_millis()).map_or(u64::MAX, |window| window.max(1))
    }
}

/// Windows of one hour, with 65,536 calls and writers in each.
impl Default for TallyLimits {
    fn default() -> Self {
        Self {
            window: Duration::from_secs(3_600),
            most: NonZeroU32::MIN.saturating_add(65_535),
        }
    }
}

impl CallTally {
    /// A call with its tally.
    pub fn new(call: CallKey, tally: Tally) -> Self {
        Self { call, tally }
    }
}

impl<S: TallyStore + ?Sized> TallyStore for Box<S> {
    fn apply(&self, batch: &Batch<'_>, within: Duration) -> Result<Tally, TallyError> {
        (**self).apply(batch, within)
    }

    fn tallies(&self, swarm: SwarmKey, within: Duration) -> Result<Vec<CallTally>, TallyError> {
        (**self).tallies(swarm, within)
    }

    fn clear(&self, swarm: SwarmKey, within: Duration) -> Result<(), TallyError> {
        (**self).clear(swarm, within)
    }

    fn limits(&self) -> TallyLimits {
        (**self).limits()
    }
}

impl<S: TallyStore + ?Sized> TallyStore for std::sync::Arc<S> {
    fn apply(&self, batch: &Batch<'_>, within: Duration) -> Result<Tally, TallyError> {
        (**self).apply(batch, within)
    }

    fn tallies(&self, swarm: SwarmKey, within: Duration) -> Result<Vec<CallTally>, TallyError> {
        (**self).tallies(swarm, within)
    }

    fn clear(&self, swarm: SwarmKey, within: Duration) -> Result<(), TallyError> {
        (**self).clear(swarm, within)
    }

    fn limits(&self) -> TallyLimits {
        (**self).limits()
    }
}
