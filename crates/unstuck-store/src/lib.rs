//! State of watched agents, in files.
//!
//! One small file for each agent of each session, replaced as a whole, so that whoever reads it sees the old state or
//! the new one. Who changes it holds an advisory lock on a file that is never replaced. Files are spread over 256
//! directories with one lock each: locks need no tidying up, and a directory is tidied by whoever holds its lock.

mod about;
mod activity;
mod error;
mod file;
mod lock;
mod replace;
mod store;

pub use about::{About, Warning};
pub use activity::{Activity, Detail, Ended, Move, Seen, Streak, Told, Used};
pub use error::StoreError;
pub use file::Stored;
pub use lock::Lock;
pub use replace::replace;
pub use store::{Entry, Key, Place, Slot, Store};
