//! What people want to know about a watched agent.

use serde::{Deserialize, Serialize};

use crate::activity::Activity;

/// Warnings that are remembered.
const WARNINGS: usize = 8;

/// A watched agent, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct About {
    /// Who runs it.
    pub host: Box<str>,
    /// Its session.
    pub session: Box<str>,
    /// The agent within the session.
    pub agent: Box<str>,
    /// Where it works.
    pub directory: Option<Box<str>>,
    /// When it was first heard of, in milliseconds since 1970.
    pub first_seen: i64,
    /// When it was last heard of.
    pub last_seen: i64,
    /// Hooks that were answered.
    pub hooks: u64,
    /// Calls it made.
    pub calls: u64,
    /// Nudges it was given.
    pub nudges: u64,
    /// Calls it was denied.
    pub denials: u64,
    /// Why it was halted, if it is.
    pub halted: Option<Box<str>>,
    /// What it was last told, the newest last.
    pub warnings: Vec<Warning>,
    /// What it did last.
    pub activity: Activity,
}

/// A text that an agent got, or would have got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// `nudge`, `deny` or `halt`.
    pub verdict: Box<str>,
    /// The rule that spoke.
    pub rule: Box<str>,
    /// Occurrences.
    pub repeats: u32,
    /// The pattern, one readable line a member.
    pub pattern: Vec<Box<str>>,
    /// Only observed: the agent was not told.
    pub observed: bool,
}

impl About {
    /// Remembers a warning in place of the oldest one.
    pub fn warn(&mut self, warning: Warning) {
        if self.warnings.len() >= WARNINGS {
            self.warnings.remove(0);
        }
        self.warnings.push(warning);
    }
}
