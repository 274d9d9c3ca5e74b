//! Is an agent guarded? Looked at from outside, as the agent itself would run the hooks.

mod canary;
mod examine;
mod programs;
mod render;
mod servers;

pub(crate) use examine::{Wanted, examine, signs};
pub(crate) use render::{json, text};
pub(crate) use servers::{Server, servers, servers_json, servers_text};

use unstuck_hosts::Host;

/// What was found out about one host.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) host: Host,
    /// What tells that it is used here.
    pub(crate) signs: Vec<String>,
    pub(crate) findings: Vec<Finding>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) about: About,
    pub(crate) health: Health,
    /// What was seen.
    pub(crate) seen: String,
    /// What to do about it, if anything.
    pub(crate) todo: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Registered,
    Reachable,
    Trusted,
    Fired,
    Mode,
    SelfTest,
    Evidence,
}

/// How well something is; the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Health {
    Good,
    /// Worth knowing, and nothing to do about it.
    Note,
    /// Not known, or not yet.
    Open,
    Bad,
}

impl About {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Registered => "registered",
            Self::Reachable => "reachable",
            Self::Trusted => "trusted",
            Self::Fired => "fired",
            Self::Mode => "mode",
            Self::SelfTest => "self-test",
            Self::Evidence => "evidence",
        }
    }
}

impl Health {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Note => "note",
            Self::Open => "open",
            Self::Bad => "bad",
        }
    }
}

impl Report {
    pub(crate) fn is_healthy(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.all(|finding| finding.health != Health::Bad)
    }
}

impl Finding {
    pub(crate) fn new(about: About, health: Health, seen: impl Into<String>) -> Self {
        Self {
            about,
            health,
            seen: seen.into(),
            todo: None,
        }
    }

    pub(crate) fn todo(self, todo: impl Into<String>) -> Self {
        Self {
            todo: Some(todo.into()),
            ..self
        }
    }
}
