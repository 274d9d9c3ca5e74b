//! Tallies of calls that agents in many processes share.
//!
//! The engine returns what one call adds to the tally of its swarm ([`unstuck::swarm::Delta`]). A [`TallyStore`] adds it and
//! returns the tally, in one atomic step. [`SharedTallies`] stands between both: it waits for the store for at most a
//! deadline, answers from memory if the store is away, and keeps what could not be added until it can be, exactly once.
//!
//! A store holds keyed hashes and counts. It never holds arguments, results, or names of tools, swarms or agents.

mod backlog;
mod batch;
mod checkpoint;
mod dead;
mod dead_book;
mod dead_calls;
mod error;
mod files;
mod generations;
mod health;
mod keys;
mod memory;
mod shared;
mod spool;
mod store;
#[cfg(feature = "testing")]
pub mod testing;

pub use batch::{Batch, Entry, Writer};
pub use checkpoint::Checkpoint;
pub use dead::{CallNews, DeadCall, DeadCallStore, DeadLimits, Failure};
pub use dead_calls::DeadCalls;
pub use error::TallyError;
pub use files::FileTallies;
pub use keys::{CallKey, Keys, SwarmKey};
pub use memory::MemoryTallies;
pub use shared::{Answer, Counters, SharedOptions, SharedTallies};
pub use store::{CallTally, TallyLimits, TallyStore};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
