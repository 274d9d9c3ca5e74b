//! The audit: one line for every call, chained by hashes.
//!
//! Each group of lines ends with a hash of itself and of the hash before, so a line that is changed, removed or moved
//! breaks the chain. A second file, the head file, holds how far the log goes. Before every write the log is compared
//! with its path and its head file: a log that was removed, replaced or cut is marked as broken, and nothing is written
//! until a person closes it. The chain has no key. A program that may write both files can rewrite both consistently;
//! [`Head`]s that are kept elsewhere reveal it.

mod chain;
mod close;
mod file;
mod files;
mod follow;
mod journal;
mod kept;
mod log;
mod verify;

pub use chain::{Broken, Head};
pub use close::{CloseError, Closed, close};
pub use file::{AuditError, AuditFile, AuditOptions, Sync};
pub use files::{LONGEST_LINE, open_log, open_next_log};
pub use journal::Journal;
pub(crate) use journal::push_number;
pub use kept::Break;
pub use verify::{Start, Verified, VerifyError, log_files, verify, verify_with_heads};
