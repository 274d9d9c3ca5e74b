//! What can go wrong.

use std::io;

/// Why something could not be read or written. What is wrong with single files is part of the report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The home directory of the user is not known.
    #[error("cannot tell the home directory")]
    Home,
    /// No temporary file could be made.
    #[error("cannot make a temporary file")]
    TemporaryFile(#[source] io::Error),
    /// No temporary directory could be made.
    #[error("cannot make a temporary directory")]
    TemporaryDirectory(#[source] io::Error),
    /// A stream could not be copied to a temporary file.
    #[error("cannot keep {name}")]
    Copy {
        /// What the stream is called in reports.
        name: String,
        /// What went wrong.
        source: io::Error,
    },
    /// A stream could not be opened.
    #[error("cannot open {name}")]
    Open {
        /// What the stream is called in reports.
        name: String,
        /// What went wrong.
        source: io::Error,
    },
    /// A stream could not be read.
    #[error("cannot read {name}")]
    Read {
        /// What the stream is called in reports.
        name: String,
        /// What went wrong.
        source: io::Error,
    },
    /// A stream is longer than what is copied of it.
    #[error("{name} is over {gibibytes} GiB: write it to a file, and name that file")]
    TooLong {
        /// What the stream is called in reports.
        name: String,
        /// The limit.
        gibibytes: u64,
    },
    /// A path that was named cannot be read.
    #[error("{path}: {reason}")]
    Named {
        /// The path.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Settings could not be written as TOML.
    #[error(transparent)]
    Settings(#[from] unstuck_config::WriteError),
    /// A report could not be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
