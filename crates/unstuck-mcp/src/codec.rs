//! The codec: one JSON-RPC message a line, read without building a tree.
//!
//! What is judged must be what is sent. Peers disagree about messages that are not quite JSON-RPC: which of two members
//! of one name counts, whether `Method` is `method`. Such messages are refused here, whole, so that nobody behind the
//! guard can read another call out of one than the guard did.

mod lines;
mod message;
mod plain;
mod read;
mod refusal;

pub use lines::{Line, Lines};
pub use message::{Body, Id, Message, Notification, Params, Request, Response, Shape, TextResult};
pub use read::Codec;
pub(crate) use refusal::Role;
pub use refusal::{Refusal, RefusalKind};
