//! The audit: one line for every call, chained by hashes.
//!
//! Each group of lines ends with a hash of itself and of the hash before, so a line that is changed, removed or moved
//! breaks the chain. A second file, the head file, holds how far the log goes. Before every write the log is compared
//! with its path and its head file: a log that was removed, replaced or cut is marked as broken, and nothing is written
//! until a person closes it. The chain has no key. A program that may write both files can rewrite both consistently;
//! [`Head`]s that are kept elsewhere reveal it.
//!
//! ```text
//! chain    hashes of groups of lines
//! kept     the head file: how far a log goes
//! files    names of a log's files, and how they are opened
//! follow   reading a log that other processes write
//! log      an open log and its head file
//! file     AuditFile: a log that is being written, also a broken one
//! writer   AuditWriter: an AuditFile in a program that runs for long
//! verify, close, reader, counts, noted    what commands need
//! ```

mod chain;
mod close;
mod counts;
mod file;
mod files;
mod follow;
mod head_sender;
mod journal;
mod kept;
mod lock;
mod log;
mod noted;
mod reader;
mod verify;
mod writer;

pub use chain::{Broken, Head};
pub use close::{CloseError, Closed, close};
pub use counts::RecordCounts;
pub use file::{AuditError, AuditFile, AuditOptions, Sync};
pub use files::{LONGEST_LINE, open_log, open_next_log};
pub use head_sender::{HeadPace, HeadSender, HeadTarget};
pub use journal::Journal;
pub use kept::Break;
pub use noted::{NotedHeadsError, noted_heads};
pub use reader::LogReader;
pub use verify::{Start, Verified, VerifyError, log_files, verify, verify_with_heads};
pub use writer::{AuditWriter, Extent, OnFailure, Written};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
