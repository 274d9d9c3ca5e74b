//! Decisions: the answers to events.

use serde::{Deserialize, Serialize};

use crate::{
    rules::{Advice, RuleName},
    transition::Transition,
};

/// The four answers, from mildest to strictest. Where several rules report, the strictest wins.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Go on.
    #[default]
    Allow,
    /// Go on, and give the message to the model.
    Nudge,
    /// Do not run this call.
    Deny,
    /// End the run.
    Halt,
}

impl Verdict {
    /// The word used on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Nudge => "nudge",
            Self::Deny => "deny",
            Self::Halt => "halt",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// How urgent a nudge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
#[non_exhaustive]
pub enum Level {
    /// A remark.
    Notice,
    /// A warning.
    Warning,
    /// The last nudge before a denial or a halt.
    Critical,
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        match level {
            Level::Notice => 1,
            Level::Warning => 2,
            Level::Critical => 3,
        }
    }
}

impl TryFrom<u8> for Level {
    type Error = &'static str;

    fn try_from(level: u8) -> Result<Self, Self::Error> {
        match level {
            1 => Ok(Self::Notice),
            2 => Ok(Self::Warning),
            3 => Ok(Self::Critical),
            _ => Err("a level is 1, 2 or 3"),
        }
    }
}

/// A pattern that one rule detected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: RuleName,
    /// Occurrences, the first one included.
    pub repeats: u32,
    /// Calls per lap; 1 for a plain repeat.
    pub period: u32,
    /// The line of the first event that belongs to it.
    pub from: u64,
    /// The line of the last event that belongs to it.
    pub to: u64,
    /// One readable line per member of the pattern.
    pub pattern: Vec<Box<str>>,
}

/// Cost of the repetition so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Wasted {
    /// Repeats after the first: the judged call and calls that were denied before are among them. 0 where the rule
    /// counts no repeated calls.
    pub calls: u64,
}

/// The answer to one event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Decision {
    /// The line of the event.
    pub line: u64,
    /// The event's session.
    pub session: Box<str>,
    /// The event's agent.
    pub agent: Box<str>,
    /// The answer.
    pub verdict: Verdict,
    /// The answer that would have been given; only in observe mode.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub would: Option<Verdict>,
    /// Reason for an answer that is, or in observe mode would have been, more than `allow`.
    #[serde(flatten)]
    pub reason: Option<Box<Reason>>,
    /// Findings of the rules, also those below the first threshold.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
    /// Milliseconds on the clock of the events after which the same call is worth another try, where the deciding rule
    /// knows it: `call-burst` when it denies, `poll` when it nudges or denies. Absent from a halt, and where events carry
    /// no time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retry_after: Option<u64>,
    /// What the host may do, where the answer is, or in observe mode would have been, more than `allow`: the advice of the
    /// deciding rule, and `escalate` on every halt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub advice: Option<Advice>,
    /// Changes of the run or of a circuit breaker by this event. The same changes happen in observe mode, where
    /// nothing is enforced.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub transitions: Vec<Transition>,
}

/// Why an answer is more than `allow`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reason {
    /// The urgency of a nudge.
    pub level: Option<Level>,
    /// The rule that decided.
    pub rule: RuleName,
    /// Occurrences, the first one included.
    pub repeats: u32,
    /// Calls per lap.
    pub period: u32,
    /// Message for the model: facts first, then what to do.
    pub message: Box<str>,
    /// One readable line per member of the pattern.
    pub pattern: Vec<Box<str>>,
    /// `LOOP_DETECTED` on a halt.
    pub status: Option<Box<str>>,
    /// Cost of the repetition so far.
    pub wasted: Wasted,
}

impl Decision {
    /// An answer of `allow` with nothing to add.
    pub fn allow(line: u64, session: &str, agent: &str) -> Self {
        Self {
            line,
            session: session.into(),
            agent: agent.into(),
            verdict: Verdict::Allow,
            would: None,
            reason: None,
            findings: Vec::new(),
            retry_after: None,
            advice: None,
            transitions: Vec::new(),
        }
    }

    /// Whether the event may go on: a call may run, the run may continue. A nudge permits.
    ///
    /// ```
    /// use unstuck::Decision;
    ///
    /// assert!(Decision::allow(1, "s1", "main").permits());
    /// ```
    pub fn permits(&self) -> bool {
        self.verdict < Verdict::Deny
    }

    /// The message for the model, if there is one.
    pub fn message(&self) -> Option<&str> {
        self.reason.as_ref().map(|reason| &*reason.message)
    }

    /// The rule that decided, if one did.
    pub fn rule(&self) -> Option<RuleName> {
        self.reason.as_ref().map(|reason| reason.rule)
    }

    /// The urgency of a nudge.
    pub fn level(&self) -> Option<Level> {
        self.reason.as_ref().and_then(|reason| reason.level)
    }
}
