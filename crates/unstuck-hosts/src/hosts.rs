//! The hosts: one file and one row each.
//!
//! [`contract`] defines what is known of a host. A new host is a file with its [`HostSpec`](contract::HostSpec), a `mod`
//! line, and a row in the list below, from which everything that has to know all hosts is made.

mod claude_code;
mod cline;
mod codex;
pub(crate) mod contract;
mod copilot_cli;
mod crush;
mod cursor;
mod gemini_cli;
mod goose;
mod opencode;
mod openhands;
mod qwen_code;
mod report;
mod shared;

use std::{fmt, path::PathBuf, str::FromStr};

use crate::plan::{Evidence, Surroundings};
use contract::{HostSpec, Recordings};

/// Declares the hosts, in the order in which they are listed.
macro_rules! hosts {
    ($($host:ident => $module:ident::$spec:ident,)*) => {
        /// A coding agent whose hooks are understood.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Host {
            $(#[doc = concat!("The host of `hosts/", stringify!($module), ".rs`.")]
            $host,)*
        }

        impl Host {
            /// Every host, in the order in which they are listed.
            pub const ALL: [Self; [$(Self::$host),*].len()] = [$(Self::$host),*];

            pub(crate) fn spec(self) -> &'static HostSpec {
                match self { $(Self::$host => &$module::$spec,)* }
            }
        }
    };
}

hosts! {
    ClaudeCode => claude_code::CLAUDE_CODE,
    Codex => codex::CODEX,
    GeminiCli => gemini_cli::GEMINI_CLI,
    QwenCode => qwen_code::QWEN_CODE,
    CopilotCli => copilot_cli::COPILOT_CLI,
    OpenCode => opencode::OPENCODE,
    Cursor => cursor::CURSOR,
    Cline => cline::CLINE,
    Crush => crush::CRUSH,
    Goose => goose::GOOSE,
    OpenHands => openhands::OPENHANDS,
}

/// A name that no host has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no host is called `{0}`; there are {names}", names = names())]
#[non_exhaustive]
pub struct UnknownHost(pub String);

impl Host {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The name as people write it.
    pub fn title(self) -> &'static str {
        self.spec().title
    }

    /// Names under which the host's program is found on `PATH`.
    pub fn programs(self) -> &'static [&'static str] {
        self.spec().programs
    }

    /// Names of the processes that run the commands of the agent. An editor that has a terminal for people as well is not
    /// among them.
    pub fn processes(self) -> &'static [&'static str] {
        self.spec().processes
    }

    /// Environment variables that the agent sets for the commands that it runs.
    pub fn variables(self) -> &'static [&'static str] {
        self.spec().variables
    }

    /// The events for which the host should run the hook, as it names them.
    ///
    /// ```
    /// use unstuck_hosts::Host;
    ///
    /// assert!(Host::ClaudeCode.events().contains(&"PostToolBatch"));
    /// ```
    pub fn events(self) -> &'static [&'static str] {
        self.spec().hooks.events
    }

    /// How it is known that the hooks of the host work.
    pub fn evidence(self) -> Evidence {
        self.spec().install.evidence
    }

    /// Where the manifest lies in a folder that the host takes as a plugin. `None` if it takes none.
    pub fn plugin_manifest(self) -> Option<&'static str> {
        self.spec().install.plugin_manifest
    }

    /// Directories that exist where the host was used.
    pub fn directories(self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        (self.spec().install.directories)(around)
    }

    /// The name of the transcript format in which the host records its sessions. `None` if none is known.
    pub fn transcript_format(self) -> Option<&'static str> {
        match self.spec().recordings {
            Recordings::Read(format) => Some(format),
            Recordings::Unread(_) => None,
        }
    }

    /// Places of recordings in a format that is not known. Empty if the format is known: then it states the places.
    pub fn unread_recordings(self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        match self.spec().recordings {
            Recordings::Read(_) => Vec::new(),
            Recordings::Unread(places) => places(around),
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
#[path = "hosts/hosts_tests.rs"]
mod tests;
