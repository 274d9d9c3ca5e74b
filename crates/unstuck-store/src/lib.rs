//! State of watched agents, in files.
//!
//! One small file for each agent of each session, replaced as a whole, so that a reader sees the old state or the new
//! one. A process that changes it holds an advisory lock on a file that is never replaced. Files are spread over 256
//! directories with one lock each: locks need no tidying up, and a directory is tidied by a process that holds its lock.
//!
//! A random key, made at first use, chooses the names of the files and seals their contents.

mod about;
mod activity;
mod error;
mod file;
mod lock;
mod private;
pub mod regular;
mod replace;
mod secret;
mod session_store;
mod store;
#[cfg(feature = "testing")]
pub mod testing;
mod tidy;
mod timekeeping;

pub use about::{About, Warning};
pub use activity::{Activity, Detail, Ended, Move, Seen, Streak, Told, Used};
pub use error::StoreError;
pub use file::{Standing, Stored};
pub use lock::Lock;
pub use private::{
    close_directory_to_writers, open_log, private_directory, program_directory, read_trusted,
};
pub use replace::replace;
pub use secret::Secret;
pub use session_store::{Entry, EntryId, EntryTime, SessionSlot, SessionStore};
pub use store::{Key, OpenStore, Slot, Store};
pub use timekeeping::Timekeeping;

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
