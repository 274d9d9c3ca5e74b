//! The audit: one line for every call, chained by hashes.
//!
//! Each line ends with a hash over itself and the hash of the line before, so a line that is changed, removed or moved
//! breaks the chain. How far the log goes is kept in a second file, so that lines cut off at the end are missed as well.
//! Whoever can write both files can forge both: keep [`Head`]s elsewhere where that matters.

mod chain;
mod file;
mod journal;
mod verify;

pub use chain::{Broken, Head};
pub use file::{AuditError, AuditFile, AuditOptions, Sync};
pub use journal::Journal;
pub(crate) use journal::push_number;
pub use verify::{Start, Verified, VerifyError, log_files, verify};
