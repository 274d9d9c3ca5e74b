//! What can go wrong with an agent's state.

use std::{error, fmt::Write as _};

use unstuck_store::StoreError;

/// Why settings or state could not be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A configuration file has mistakes.
    #[error(transparent)]
    Configuration(#[from] unstuck_config::Errors),
    /// State cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A step failed for the reason in `source`.
    #[error("{what}")]
    Failed {
        /// The step.
        what: String,
        /// Why it failed.
        source: Box<dyn error::Error + Send + Sync>,
    },
    /// What was asked for is not possible. The text says why and what to do.
    #[error("{0}")]
    Refused(String),
    /// A failure of the system that needs no explanation.
    #[error(transparent)]
    System(Box<dyn error::Error + Send + Sync>),
}

/// What this crate returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn system(error: impl Into<Box<dyn error::Error + Send + Sync>>) -> Self {
        Self::System(error.into())
    }

    /// The error and its causes on one line, separated by colons.
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = error::Error::source(self);
        while let Some(error) = cause {
            // Writing to a string cannot fail.
            let _ = write!(text, ": {error}");
            cause = error.source();
        }
        text
    }
}

/// Adds what was tried to an error.
pub(crate) trait Context<T> {
    fn with_context(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Box<dyn error::Error + Send + Sync>>> Context<T> for std::result::Result<T, E> {
    fn with_context(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Error::Failed {
            what: what(),
            source: error.into(),
        })
    }
}
