//! The coding agents that run hooks, each in files of its own.
//!
//! No file and no network is touched here: bytes come in, bytes go out.

mod host;

pub use host::{Host, UnknownHost};
