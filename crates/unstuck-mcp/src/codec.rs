//! The codec: one JSON-RPC message a line, read without building a tree.
//!
//! What is judged must be what is sent. Peers disagree about messages that are not quite JSON-RPC: which of two members
//! of one name applies, whether `Method` is `method`, whether a carriage return ends a line. Such messages are refused
//! here, whole, so that no program behind the guard reads another call from one than the guard did.

mod id;
mod lines;
mod message;
mod plain;
mod read;
mod refusal;

pub use id::Id;
pub(crate) use id::normal;
pub use lines::{Line, Lines, one_line};
pub use message::{Body, Message, Notification, Params, Request, Response, Shape, TextResult};
pub use read::Codec;
pub(crate) use refusal::Role;
pub use refusal::{Refusal, RefusalKind};
