//! What can go wrong with a store of tallies.

use unstuck_store::StoreError;

/// Why a store did not apply a batch, or did not say whether it did.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TallyError {
    /// The store did not answer within the deadline, or the connection broke. The batch may have been applied or not: it is
    /// sent again with the same numbers.
    #[error("the store of tallies cannot be reached: {0}")]
    Away(String),
    /// The swarm holds as many calls as it may. Nothing of the batch was applied.
    #[error("the swarm holds as many calls as its store keeps within one window")]
    Full,
    /// A file of the store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TallyError {
    /// Whether the same batch may be applied later.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Away(_) | Self::Store(_) => true,
            Self::Full => false,
        }
    }
}
