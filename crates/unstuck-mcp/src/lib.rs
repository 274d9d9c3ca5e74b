//! The MCP side of `unstuck`: what a guard between a client and a server needs to read, judge and record every call.
//!
//! ```text
//! client ─> codec ─> policy ─> rules and breaker ─> journal ─> server
//! ```
//!
//! Nothing here does I/O or reads a clock: bytes and times come in, bytes go out. What is to be recorded is collected in
//! a [`Journal`](unstuck_audit::Journal), which the transport writes with `unstuck-audit`.

mod codec;
mod guard;
mod member;
mod policy;
mod redact;
mod splice;

pub use codec::{
    Body, Codec, Id, Line, Lines, Message, Notification, Params, Refusal, RefusalKind, Request,
    Response, Shape, TextResult, one_line,
};
pub use guard::{
    Caller, Denials, Guard, GuardOptions, Held, Lost, Micros, Names, Origin, Ticket, Timeline,
    ToClient, ToServer, Unchanged, claimed_client, refusal_for_fault,
};
pub use member::member;
pub use policy::{
    Asked, Claimed, Explanation, POLICY_ARGUMENTS, Policy, PolicyError, PolicyNote, PolicyWarning,
    Ruling, asked,
};
pub use redact::{RecordedArguments, Redactor, redact};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
