//! `unstuck` keeps LLM agents from going in circles.
//!
//! It reads an agent's calls and their results, decides whether the agent still makes progress, and answers
//! **allow, nudge, deny or halt**.
//!
//! ```text
//! Event ─> facts ─────────> state ─────────> rules ─────> policy ──> message ──> Decision
//!          extracted once   bounded memory   detections   a verdict  its text
//! ```
//!
//! The engine is pure: no I/O, no clock, no randomness, no threads, no global state. Time comes in with the events,
//! and the same events give the same decisions. [`Engine::check`] judges a call without counting it, [`Engine::observe`] is the
//! only way state changes, [`Engine::snapshot`] and [`Engine::restore`] carry state across processes. The cost of an
//! event does not grow with history, and memory is bounded.
//!
//! ```
//! use unstuck::{Engine, Event, Preset, Settings, Verdict};
//!
//! let mut engine = Engine::new(Settings::of(Preset::Standard));
//! let event = Event::parse(br#"{"event":"call","id":"c1","tool":"run_tests","args":{}}"#)?;
//! assert_eq!(engine.observe(event).verdict, Verdict::Allow);
//! # Ok::<(), unstuck::EventError>(())
//! ```
//!
//! The small classes of the four founding systems are in the crate `unstuck-classic`.
//! An agent loop starts with [`Engine::agent`], a handle that pairs calls with their results itself. The names that most
//! programs need are at the root of this crate; the rest is in five modules:
//!
//! - [`settings`]: options of rules, policy, memory and tools;
//! - [`event`]: items of the wire contract and their reader;
//! - [`fingerprint`]: identities of calls and results that machines can share;
//! - [`message`]: the marker and the bounds of the texts for the model;
//! - [`swarm`]: tallies that several agents share.

#![forbid(unsafe_code)]

mod decision;
mod engine;
pub mod event;
mod facts;
pub mod fingerprint;
mod hash;
mod label;
mod marker;
mod memory;
pub mod message;
mod normalize;
mod options;
mod policy;
mod rules;
pub mod settings;
mod state;
pub mod swarm;
mod transition;
mod vocab;
mod wording;

pub use decision::{Decision, Finding, Level, Reason, Verdict, Wasted};
pub use engine::{Agent, Before, Begun, Engine, Permit, Question, SnapshotError};
pub use event::{
    Call, Event, EventError, EventKind, EventReader, Outcome, Role, Status, Step, Text, Timestamp,
    Usage,
};
pub use facts::coarse_fingerprint;
pub use rules::{About, Advice, Carry, RuleName, RuleStatus, Traits, UnknownRule};
pub use settings::{Mode, Preset, Settings};
pub use transition::{Phase, Transition};
pub use unstuck_json::{Json, JsonError};

/// An engine can be moved to another thread and shared behind a lock.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Engine>();
    is_send_and_sync::<Permit>();
};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
