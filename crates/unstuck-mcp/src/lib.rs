//! The MCP side of `unstuck`: what a guard between a client and a server needs to read, judge and record every call.
//!
//! ```text
//! client ─> codec ─> policy ─> rules and breaker ─> audit ─> server
//! ```
//!
//! Codec and guard do no I/O and read no clock: bytes and times come in, bytes go out.

mod codec;
mod redact;
mod splice;

pub use codec::{
    Body, Codec, Id, Line, Lines, Message, Notification, Params, Refusal, RefusalKind, Request,
    Response, Shape,
};
pub use redact::{RecordedArguments, Redactor, redact};
