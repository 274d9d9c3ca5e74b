//! `unstuck` keeps LLM agents from going in circles.
//!
//! It watches what an agent does and what comes back, decides whether the agent still makes progress, and answers
//! **allow, nudge, deny or halt**.
//!
//! ```text
//! Event ─> facts ─────────> state ─────────> rules ─────> policy ──> message ──> Decision
//!          what is said     bounded memory   detections   a verdict  its words
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

mod decision;
mod engine;
mod event;
mod facts;
mod fingerprint;
mod hash;
mod label;
mod marker;
mod memory;
mod message;
mod normalize;
mod options;
mod policy;
mod rules;
pub mod settings;
mod state;
pub mod swarm;
mod wording;

pub use decision::{Decision, Finding, Level, Reason, Verdict, Wasted};
pub use engine::{Begun, Engine, Question, SnapshotError};
pub use event::{
    Call, Event, EventError, EventKind, EventReader, MAX_LINE_BYTES, Outcome, Role, Status, Step,
    Text, Timestamp, UnknownField, Usage,
};
pub use fingerprint::{Domain, Fingerprint, Fingerprinter, sha256_hex};
pub use marker::{MARKER, MAX_CHARS};
pub use message::quote;
pub use rules::{About, Carry, RuleName, RuleStatus, Traits, UnknownRule};
pub use settings::{
    Aimless, Attendance, Budget, CallBurst, Chant, CountCalls, CountFailures, CountTests,
    CountTurns, Cycle, CycleOf, DenyRung, EditRevert, ExactRepeat, FailureCascade, InvalidCall,
    JudgeSteps, Ladder, Loosened, Loosening, MemorySettings, Mode, NearRepeat, NoOp, Nudges,
    OnUser, PolicySettings, Poll, Preset, Relapse, Relay, RuleTexts, Rules, Rung, Settings,
    SettingsWarning, Stagnation, StuckOutcome, SummaryLoop, SwarmCount, SwarmLoop, Template,
    TemplateError, TestFixCycle, Texts, ToolLadder, ToolPattern, ToolSettings, UnknownPreset,
    UnknownTool, WithoutTime,
};
pub use swarm::{Delta, SwarmBook, SwarmStore, Tally, Worker};
pub use unstuck_json::{Json, JsonError};
