//! The coding agents that run hooks, each in files of its own.
//!
//! [`decode`] reads what a host's hook was given, [`Watch`] shows it to the engine and keeps what belongs together
//! between two hooks of one call, [`encode`] writes the answer exactly as that host wants it. [`plan`] says what has to
//! be in which file for a host to run our hooks, and how to get it in there and out again. [`McpClient`] knows where
//! clients of MCP list their servers, and puts one of them behind `unstuck mcp` and back.
//!
//! No file and no network is touched here: bytes come in, bytes go out.

#![forbid(unsafe_code)]

mod answer;
mod codec;
mod detect;
mod edit;
mod hook;
mod hosts;
mod invocation;
mod mcp_client;
mod payload;
mod plan;
mod watch;

pub use answer::{Answer, Output};
pub use codec::{decode, encode, encode_allow, encode_failure, encode_unread_failure};
pub use edit::{EditError, Edited, Node, Record, Rest, Step, Wish};
pub use hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment};
pub use hosts::{Host, UnknownHost};
pub use invocation::{
    HOOK_PROGRAM, Invocation, OwnCommand, ShellKind, is_ours, program_of, runs_ours,
};
pub use mcp_client::{
    EntryChange, EntryChanges, Launch, ListedServer, McpClient, ServerFile, UnknownMcpClient,
    Wrapped, Wrapper,
};
pub use payload::Condenser;
pub use plan::{
    Access, CanaryCall, CanaryInput, Content, Evidence, Ownership, Plan, PlannedFile, Registration,
    Removed, Scope, StatusLine, Surroundings, Trust, UnknownScope, canary, everything, plan, trust,
};
pub use watch::{Judged, Watch};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
