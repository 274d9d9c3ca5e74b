//! What a guard that speaks HTTP needs, whatever protocol it guards.
//!
//! ```text
//! client ─> Listener: framing, gate, limits ─> Handler ─> Upstream ─> server
//!        <──────────────────── EventBody <──────────────┘
//! ```
//!
//! A [`Listener`] takes connections, bounds them in number, time and memory, checks who may come in ([`Gate`]), and gives
//! each request to a [`Handler`]. An [`Upstream`] passes requests on with headers of an [`AllowList`], and an
//! [`EventBody`] streams events back, each seen by an [`EventFilter`]. Nothing here knows MCP, nor any other protocol on top
//! of HTTP.

mod attempts;
mod connections;
mod content;
mod event_body;
mod framing;
mod gate;
mod headers;
mod heads;
mod listen;
mod lock;
mod memory;
mod peer;
mod refusal;
mod reply;
mod service;
mod sse;
mod upstream;

pub use attempts::Attempts;
pub use content::{Content, EVENTS, JSON, is_encoded, media};
pub use event_body::{EventBody, EventFilter, Stopped};
pub use gate::Gate;
pub use headers::{AllowList, HeaderError, all_to_client, all_to_server, to_client};
pub use listen::{Listener, ServeOptions};
pub use memory::{Held, Loaded, Memory, Unread, collect, least};
pub use peer::Peer;
pub use refusal::Refusal;
pub use reply::{Body, Failure, Reply, empty, json, later, loaded, not_allowed, whole_body};
pub use service::{Handler, Request, RequestBody};
pub use sse::{Event, Events, TooLong, event};
pub use upstream::{CertificateError, Upstream, UpstreamFault, UpstreamOptions, UrlError, url};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
