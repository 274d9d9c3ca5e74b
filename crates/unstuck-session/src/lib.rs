//! The state of one agent, and everything that decides how it is judged.
//!
//! ```text
//!  hook of a host ─> settings ─> state of the agent ─> engine ─> answer for the host
//!                    │           └ a SessionStore: one entry for each agent
//!                    └ files with trust, exemptions, the mode
//! ```
//!
//! - [`configuration`] reads settings from files, and applies a project's file only as far as it is trusted.
//! - [`StateDir`] is the directory of all state: the switch of the mode, exemptions, trusted files, running proxies.
//! - [`hook`] answers one hook of one agent.
//! - [`sessions`] lists, finds and resets agents.
//! - [`Activities`] and [`AgentState`] describe what agents do and how they are doing, for people.
//!
//! Nothing here prints: texts for people are returned, and lines that the log cannot take go to
//! [`StateDir::with_fallback`].

#![forbid(unsafe_code)]

mod activity;
mod agent_state;
pub mod clock;
pub mod configuration;
mod error;
mod fail;
pub mod hook;
pub mod index_key;
mod log;
pub mod sessions;
mod state_dir;
pub mod sync;

pub use activity::{Activities, Noted};
pub use agent_state::{AgentState, Force};
pub use error::{Error, Result};
pub use fail::{FAIL_VARIABLE, fail_from_environment, fault_of_a_test};
pub use hook::PROXY_VARIABLE;
pub use log::Log;
pub use state_dir::{
    Exemption, HeldCaller, MODE_VARIABLE, ModeFrom, ProxyKind, ProxySession, ProxyStatus,
    Registration, ResetRequest, ResetTarget, StateDir, SwitchReader, Trusted,
    mode_from_environment, mode_name,
};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
