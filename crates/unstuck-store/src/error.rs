//! What can go wrong with files.

use std::{io, path::PathBuf, time::Duration};

/// Why state could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A directory or file cannot be used.
    #[error("cannot {what} {path}: {cause}", path = path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system reported. It is part of the message.
        cause: io::Error,
    },
    /// Another process held the lock for too long.
    #[error("{path} was locked by another process for more than {} ms", waited.as_millis(), path = path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// How long it was waited for.
        waited: Duration,
    },
    /// A file that another user may have written.
    #[error("{path} is ignored: {why}; a command of unstuck that writes it again makes it yours alone", path = path.display())]
    Untrusted {
        /// The file.
        path: PathBuf,
        /// What is wrong with its permissions.
        why: &'static str,
    },
    /// A file that holds no state of this version.
    #[error("{path} cannot be used: {why}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
}

impl StoreError {
    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>, cause: io::Error) -> Self {
        Self::Io {
            what,
            path: path.into(),
            cause,
        }
    }
}
