//! The proxy of MCP servers: a client on this side, a server on the other, the guard between them.
//!
//! ```text
//! stdio   client ─> relay (one thread) ─> server's process             supervise: process, signals, policies, commands
//! HTTP    clients ─> unstuck-http ─> http: a process for each session, or another address
//!                          └─ both ─> SharedGuard: guard of unstuck-mcp, audit of unstuck-audit
//! ```
//!
//! [`run`] carries messages between standard input and output and a server that [`start`] has started. [`serve`] listens for
//! clients that use Streamable HTTP. Nothing here prints or reads arguments: lines for the person who runs the proxy go
//! through [`Notify`](unstuck_text::Notify).

mod batch;
mod child;
mod control;
mod guard_handle;
mod http;
#[cfg(unix)]
mod nonblocking;
mod notices;
mod policy_file;
#[cfg(unix)]
mod relay;
mod release;
mod supervise;
mod threads;
#[cfg(unix)]
mod write_queue;

pub use child::start;
pub use control::{Control, ModeSource};
pub use guard_handle::SharedGuard;
pub use http::{
    Backend, Credentials, HttpOptions, Launch, Limits, Listen, PassedHeaders, SessionLimits,
    TOKEN_VARIABLE, read_servers, serve,
};
pub use policy_file::PolicyFile;
pub use supervise::run;

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
