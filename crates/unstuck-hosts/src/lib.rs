//! The coding agents that run hooks, each in files of its own.
//!
//! [`decode`] reads what a host's hook was given, [`Watch`] shows it to the engine and keeps what belongs together
//! between two hooks of one call, [`encode`] writes the answer exactly as that host wants it.
//!
//! No file and no network is touched here: bytes come in, bytes go out.

mod answer;
mod codec;
mod detect;
mod hook;
mod host;
mod payload;
mod watch;

pub use answer::{Answer, Output};
pub use codec::{decode, encode, encode_allow, events};
pub use hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment};
pub use host::{Host, UnknownHost};
pub use watch::{Judged, Watch};
