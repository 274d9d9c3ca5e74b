//! The hosts, by the names that are typed.

use std::{fmt, str::FromStr};

/// A coding agent whose hooks are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// Qwen Code.
    QwenCode,
    /// GitHub Copilot CLI.
    CopilotCli,
    /// `OpenCode`, through a plugin that talks to this program.
    OpenCode,
    /// Cursor.
    Cursor,
    /// Cline.
    Cline,
    /// Crush.
    Crush,
    /// Goose.
    Goose,
    /// `OpenHands`.
    OpenHands,
}

/// A name that no host has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no host is called `{0}`; there are {names}", names = names())]
#[non_exhaustive]
pub struct UnknownHost(pub String);

impl Host {
    /// Every host, in the order in which they are listed.
    pub const ALL: [Self; 11] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::QwenCode,
        Self::CopilotCli,
        Self::OpenCode,
        Self::Cursor,
        Self::Cline,
        Self::Crush,
        Self::Goose,
        Self::OpenHands,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini-cli",
            Self::QwenCode => "qwen-code",
            Self::CopilotCli => "copilot-cli",
            Self::OpenCode => "opencode",
            Self::Cursor => "cursor",
            Self::Cline => "cline",
            Self::Crush => "crush",
            Self::Goose => "goose",
            Self::OpenHands => "openhands",
        }
    }

    /// The name as people write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex CLI",
            Self::GeminiCli => "Gemini CLI",
            Self::QwenCode => "Qwen Code",
            Self::CopilotCli => "GitHub Copilot CLI",
            Self::OpenCode => "OpenCode",
            Self::Cursor => "Cursor",
            Self::Cline => "Cline",
            Self::Crush => "Crush",
            Self::Goose => "Goose",
            Self::OpenHands => "OpenHands",
        }
    }
}

impl FromStr for Host {
    type Err = UnknownHost;

    fn from_str(name: &str) -> Result<Self, UnknownHost> {
        let mut hosts = Self::ALL.into_iter();
        hosts
            .find(|host| host.name() == name)
            .ok_or_else(|| UnknownHost(name.to_owned()))
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn names() -> String {
    Host::ALL.map(Host::name).join(", ")
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
