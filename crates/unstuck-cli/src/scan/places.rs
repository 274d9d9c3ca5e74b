//! Where agents keep what they recorded: one row for each place.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// One place of one agent.
struct Row {
    /// The name of its format.
    format: &'static str,
    root: Root,
    /// Under the root: a directory, or one file.
    under: &'static str,
}

/// What a place is relative to.
#[derive(Clone, Copy)]
enum Root {
    /// A directory in the user's home, unless this variable names another one.
    Home(&'static str, Option<&'static str>),
    /// A directory among the user's data.
    Data(&'static str),
    /// A directory among the user's configuration.
    Configuration(&'static str),
}

const CLAUDE: Root = Root::Home(".claude", Some("CLAUDE_CONFIG_DIR"));
const CODEX: Root = Root::Home(".codex", Some("CODEX_HOME"));
const COPILOT: Root = Root::Home(".copilot", Some("COPILOT_HOME"));

const ROWS: &[Row] = &[
    Row {
        format: "claude-code",
        root: CLAUDE,
        under: "projects",
    },
    Row {
        format: "claude-code",
        root: Root::Configuration("claude"),
        under: "projects",
    },
    Row {
        format: "codex",
        root: CODEX,
        under: "sessions",
    },
    Row {
        format: "codex",
        root: CODEX,
        under: "archived_sessions",
    },
    Row {
        format: "gemini-cli",
        root: Root::Home(".gemini", None),
        under: "tmp",
    },
    Row {
        format: "qwen-code",
        root: Root::Home(".qwen", None),
        under: "projects",
    },
    Row {
        format: "opencode",
        root: Root::Data("opencode"),
        under: "opencode.db",
    },
    Row {
        format: "copilot-cli",
        root: COPILOT,
        under: "session-state",
    },
    Row {
        format: "openhands",
        root: Root::Home(".openhands", None),
        under: "conversations",
    },
    Row {
        format: "mini-swe-agent",
        root: Root::Configuration("mini-swe-agent"),
        under: "last_mini_run.traj.json",
    },
];

/// A place on this machine, whether there is anything or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The name of the format that is written there.
    pub(crate) format: &'static str,
    pub(crate) path: PathBuf,
}

/// What places depend on.
pub(crate) struct Surroundings<'a> {
    pub(crate) home: &'a Path,
    pub(crate) variable: &'a dyn Fn(&str) -> Option<OsString>,
}

/// All places, agent by agent.
pub(crate) fn places(surroundings: &Surroundings<'_>) -> Vec<Place> {
    ROWS.iter()
        .map(|row| Place {
            format: row.format,
            path: surroundings.root(row.root).join(row.under),
        })
        .collect()
}

impl Surroundings<'_> {
    fn root(&self, root: Root) -> PathBuf {
        match root {
            Root::Home(directory, variable) => variable
                .and_then(|name| self.named(name))
                .unwrap_or_else(|| self.home.join(directory)),
            Root::Data(directory) => self
                .named("XDG_DATA_HOME")
                .unwrap_or_else(|| self.home.join(".local/share"))
                .join(directory),
            Root::Configuration(directory) => self
                .named("XDG_CONFIG_HOME")
                .unwrap_or_else(|| self.home.join(".config"))
                .join(directory),
        }
    }

    fn named(&self, variable: &str) -> Option<PathBuf> {
        (self.variable)(variable)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    }
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
