//! The coding agents that run hooks, each in files of its own.
//!
//! No file and no network is touched here: bytes come in, bytes go out.

mod edit;
mod host;

pub use edit::{EditError, Edited, Node, Record, Removed, Rest, Step, Wish};
pub use host::{Host, UnknownHost};
