//! `unstuck` keeps LLM agents from going in circles.
//!
//! It watches what an agent does and what comes back, decides whether the agent still makes progress, and answers
//! **allow, nudge, deny or halt**.
//!
//! ```text
//!  Event ─> Identity ─> Timeline ─> Rules ─> Policy ─> Decision
//!           (facets)    (bounded)   (findings) (ladder)
//!                       + Ledger
//! ```
//!
//! The engine is pure: no I/O, no clock, no randomness, no threads, no global state. Time comes in with the events,
//! and the same events give the same decisions. [`Engine::check`] looks and counts nothing, [`Engine::observe`] is the
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
//! The small classes of the four founding systems are in [`classic`].

mod breaker;
pub mod classic;
mod decision;
mod engine;
mod event;
mod fingerprint;
mod identity;
mod json;
mod ledger;
mod memory;
mod normalize;
mod nudge;
mod policy;
mod rules;
mod session;
mod settings;
mod sketch;
mod snapshot;
mod swarm;
mod timeline;
mod volatility;

pub use decision::{Decision, Finding, Level, Reason, Verdict, Wasted};
pub use engine::Engine;
pub use event::{
    Call, Event, EventError, EventKind, EventReader, MAX_LINE_BYTES, Outcome, Role, Status, Step,
    Text, Timestamp, UnknownField, Usage,
};
pub use fingerprint::{Domain, Fingerprint, Fingerprinter, sha256_hex};
pub use json::{
    Elements, Json, JsonError, JsonKind, JsonRef, Members, Scanner as JsonScanner,
    Scratch as JsonScratch, lossy_text,
};
pub use nudge::{MARKER, MAX_CHARS, RuleTexts, Template, TemplateError, Texts, quote};
pub use rules::{RuleName, UnknownRule};
pub use settings::{
    Aimless, Attendance, Budget, CallBurst, Chant, CountCalls, CountFailures, CountTests,
    CountTurns, Cycle, CycleOf, DenyRung, EditRevert, ExactRepeat, FailureCascade, InvalidCall,
    JudgeSteps, Ladder, Loosened, Loosening, MemorySettings, Mode, NearRepeat, NoOp, Nudges,
    OnUser, PolicySettings, Poll, Preset, Relapse, Relay, Rules, Rung, Settings, SettingsWarning,
    Stagnation, StuckOutcome, SummaryLoop, SwarmCount, SwarmLoop, TestFixCycle, ToolLadder,
    ToolPattern, ToolSettings, UnknownPreset, UnknownTool, WithoutTime,
};
pub use snapshot::SnapshotError;
pub use swarm::{Delta, SwarmBook, SwarmStore, Tally, Worker};
