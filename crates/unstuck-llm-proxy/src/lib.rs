//! A guard between agents and the APIs of their models.
//!
//! ```text
//! agent ─> Front: path, names ─> Guard: conversation ─> Upstreams ─> API
//!       <──────────────── JudgedBody <───────────────────────┘
//! ```
//!
//! [`serve`] listens on this machine and passes every request on. Requests of a known form ([`unstuck_llm::Form`]) are
//! judged first; all others pass as they are. Where something cannot be read, it passes as it is: the guard never keeps a
//! healthy agent from its model.

#![forbid(unsafe_code)]

mod decode;
mod front;
mod guard;
mod judged_body;
mod options;
mod serve;
mod upstreams;
mod wiring;

pub use guard::{Guard, Session, Tally};
pub use options::{GuardOptions, Limits, OnHalt, ProxyOptions, UnknownOnHalt};
pub use serve::{Proxy, serve};
pub use upstreams::{Target, TargetError, Targets};
pub use wiring::{CodexProvider, Wiring};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
