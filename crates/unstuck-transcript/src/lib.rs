//! What agents recorded of themselves, read as events.
//!
//! ```text
//!  bytes ─> Format::detect ─> Transcript ─> Sink: events, usage, problems
//! ```
//!
//! One file for each format, and none of them touches a file system: the caller hands the bytes over, line by
//! line ([`Transcript::line`]) or as one document ([`Transcript::document`]).
//!
//! Recordings are other people's internals and change without notice, so reading is lenient: what is not understood is
//! passed over, a line that cannot be read at all is a [`Problem`] with its number, and the rest is read as if it were
//! not there.

#![forbid(unsafe_code)]

mod api;
mod convention;
mod conversation;
mod elements;
mod format;
mod head;
mod history;
mod look;
mod members;
mod message;
mod model_api;
mod objects;
mod outcome;
mod readable;
mod reported;
mod said;
mod seen;
mod sink;
mod spans;
mod task;
mod telemetry;
#[cfg(test)]
mod testing;
mod time;
mod track;
mod tracks;
mod transcript;
mod values;
mod written;

pub use format::{Format, Layout, Location, OpenCodeRows, Root, UnknownFormat};
pub use message::{Message, Part, Speaker};
pub use model_api::ModelApi;
pub use reported::{Reported, Rewritten, Summary};
pub use sink::{Problem, Sink, Tokens, Usage};
pub use track::Used;
pub use transcript::{Origin, Tail, Transcript};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
