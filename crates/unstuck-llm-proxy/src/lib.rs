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

mod again;
mod control;
mod decode;
mod front;
mod guard;
mod judged_body;
mod ledger;
mod options;
mod serve;
mod spending;
mod upstreams;
mod wiring;

pub use control::{Control, ModeSource};
pub use guard::{Guard, Session, Tally};
pub use options::{GuardOptions, Limits, OnHalt, ProxyOptions, SpendingNotice, UnknownOnHalt};
pub use serve::{Proxy, serve};
pub use spending::{PriceOf, SpendingLimit, SpendingOptions, Spent, dollars};
pub use upstreams::{Target, TargetError, Targets};
pub use wiring::{CodexProvider, Wiring};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
