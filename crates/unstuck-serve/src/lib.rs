//! The engine behind HTTP.
//!
//! ```text
//! client ─> Api: path, role ─> Sidecar: shards of agents ─> journal
//!                                     └ SharedTallies ─> store of tallies
//! ```
//!
//! [`Service`] listens, and answers events with decisions. A decision is sent after its event was written to a journal, so a
//! process that is killed and started again goes on where it was. Agents are spread over shards, each with an engine of its
//! own; swarms reach over all of them, and with a shared store over all sidecars.

#![forbid(unsafe_code)]

mod api;
mod books;
mod events;
mod journal;
mod known;
mod metrics;
mod openapi;
mod options;
mod roles;
mod service;
mod shard;
mod sidecar;

pub use options::{ApiLimits, ServiceOptions, SidecarOptions};
pub use roles::Tokens;
pub use service::{Service, serve};
pub use sidecar::{AgentReport, Sidecar, Unavailable};

/// The description of the API, in the format `OpenAPI` 3.1, as JSON.
pub fn openapi() -> String {
    openapi::document()
}

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
