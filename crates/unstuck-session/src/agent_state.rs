//! How a watched agent is doing: one answer for `top`, `status` and `sessions`.

use unstuck_store::{About, Told};

/// An agent that was silent for so long is idle, in milliseconds.
const IDLE: i64 = 5 * 60_000;

/// State of an agent, the least urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentState {
    /// It was silent for five minutes.
    Idle,
    /// Nothing is held against it.
    Fine,
    /// It was nudged.
    Warned,
    /// It was denied a call.
    Denied,
    /// It is halted.
    Halted,
}

/// Whether the agent got the messages, or would have got them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// It got them.
    Told,
    /// It would have got them.
    Observed,
}

impl AgentState {
    /// State of an agent at a time in milliseconds since 1970.
    pub fn of(about: &About, now: i64) -> Self {
        if about.halted.is_some() {
            return Self::Halted;
        }
        if now.saturating_sub(about.last_seen) > IDLE {
            return Self::Idle;
        }
        let streak = about.activity.streak.as_ref();
        match streak.map(|streak| streak.told) {
            None | Some(Told::Nothing) => Self::Fine,
            Some(Told::Nudged) => Self::Warned,
            Some(Told::Denied) => Self::Denied,
            Some(Told::Halted) => Self::Halted,
        }
    }

    /// The word for it.
    pub fn word(self, force: Force) -> &'static str {
        match (self, force) {
            (Self::Idle, _) => "idle",
            (Self::Fine, _) => "ok",
            (Self::Warned, Force::Told) => "warned",
            (Self::Denied, Force::Told) => "denied",
            (Self::Halted, Force::Told) => "halted",
            (Self::Warned, Force::Observed) => "would warn",
            (Self::Denied, Force::Observed) => "would deny",
            (Self::Halted, Force::Observed) => "would halt",
        }
    }
}

impl Force {
    /// Whether the agent got its last warning.
    pub fn of(about: &About) -> Self {
        match about.warnings.last() {
            Some(warning) if warning.observed => Self::Observed,
            _ => Self::Told,
        }
    }
}
