//! The proxy of MCP servers: a client on this side, a server on the other, the guard between them.

mod child;
#[cfg(unix)]
mod helper;
mod http;
mod judge;
mod notices;
#[cfg(unix)]
mod outbox;
#[cfg(unix)]
mod outlet;
mod policies;
mod reach;
#[cfg(unix)]
mod recorder;
#[cfg(unix)]
mod relay;
mod release;
mod shared;
mod single;
mod threads;
mod watch;

pub(crate) use child::start;
pub(crate) use http::{
    Behind, Credentials, Launch, Limits, Listen, Listener, PassedHeaders, SessionLimits,
    TOKEN_VARIABLE, read_servers, serve,
};
pub(crate) use policies::PolicyFile;
pub(crate) use reach::{ModeSource, Reach};
pub(crate) use shared::Shared;
pub(crate) use watch::run;
