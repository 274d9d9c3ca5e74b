//! Where agents keep what they recorded: one row for each place.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use unstuck_transcript::Format;

/// One place of one agent.
struct Row {
    /// The name of its format, or of the agent where its format is not read yet.
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
    /// A directory among those where programs with windows keep their data.
    Application(&'static str),
    /// A directory in the one that is worked in.
    Here(&'static str),
}

const CLAUDE: Root = Root::Home(".claude", Some("CLAUDE_CONFIG_DIR"));
const CODEX: Root = Root::Home(".codex", Some("CODEX_HOME"));
const COPILOT: Root = Root::Home(".copilot", Some("COPILOT_HOME"));
const PI: Root = Root::Home(".pi/agent", Some("PI_CODING_AGENT_DIR"));

/// Where editors keep the data of their extensions.
const EDITORS: [Root; 4] = [
    Root::Application("Code/User/globalStorage"),
    Root::Application("VSCodium/User/globalStorage"),
    Root::Application("Cursor/User/globalStorage"),
    Root::Home(".vscode-server/data/User/globalStorage", None),
];

/// Extensions that keep their tasks there.
const EXTENSIONS: [&str; 2] = ["saoudrizwan.claude-dev/tasks", ROO_CODE];

/// The tasks of Roo Code, which began as Cline and writes the same files.
const ROO_CODE: &str = "rooveterinaryinc.roo-cline/tasks";

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
        format: "pi",
        root: PI,
        under: "sessions",
    },
    Row {
        format: "cline",
        root: Root::Home(".cline", None),
        under: "data/tasks",
    },
    Row {
        format: "goose",
        root: Root::Data("goose"),
        under: "sessions",
    },
    Row {
        format: "crush",
        root: Root::Here(".crush"),
        under: "crush.db",
    },
    Row {
        format: "cursor",
        root: Root::Home(".cursor", None),
        under: "chats",
    },
    Row {
        format: "cursor",
        root: Root::Home(".cursor", None),
        under: "projects",
    },
    Row {
        format: "cursor",
        root: Root::Application("Cursor/User/globalStorage"),
        under: "state.vscdb",
    },
    Row {
        format: "mini-swe-agent",
        root: Root::Configuration("mini-swe-agent"),
        under: "last_mini_run.traj.json",
    },
];

/// A place on this machine, whether there is anything or not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The name of the format that is written there, or of the agent.
    pub format: &'static str,
    /// The directory or file.
    pub path: PathBuf,
}

impl Place {
    /// The name of the agent, for people.
    pub fn title(&self) -> &'static str {
        if self.path.ends_with(ROO_CODE) {
            return "Roo Code";
        }
        self.format.parse().map_or("", Format::title)
    }
}

/// What places depend on.
pub struct Surroundings<'a> {
    /// The user's home directory.
    pub home: &'a Path,
    /// The directory that is worked in.
    pub here: &'a Path,
    /// Returns the value of an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
}

/// All places, agent by agent.
pub fn places(surroundings: &Surroundings<'_>) -> Vec<Place> {
    let rows = ROWS.iter().map(|row| (row.format, row.root, row.under));
    let tasks = EDITORS.iter().flat_map(|root| {
        let extensions = EXTENSIONS.iter();
        extensions.map(|extension| ("cline", *root, *extension))
    });
    rows.chain(tasks)
        .map(|(format, root, under)| Place {
            format,
            path: surroundings.root(root).join(under),
        })
        .collect()
}

/// Recordings that were found in the place of an agent, in a format that is not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unreadable {
    /// The place.
    pub path: PathBuf,
    /// Files there, counted up to a limit.
    files: usize,
}

impl Unreadable {
    /// Files are counted up to this many, and in directories up to this depth.
    const MOST: usize = 1_000;
    const DEEPEST: usize = 4;

    /// The recordings of a place, if its format is not read and there are any.
    pub fn at(place: &Place) -> Option<Self> {
        if place.format.parse::<Format>().is_ok() {
            return None;
        }
        let mut files = 0;
        count(&place.path, Self::DEEPEST, &mut files);
        (files > 0).then(|| Self {
            path: place.path.clone(),
            files,
        })
    }

    /// How many files, in words.
    pub fn files(&self) -> String {
        match self.files {
            1 => "1 file".to_owned(),
            files if files >= Self::MOST => format!("{} files or more", Self::MOST),
            files => format!("{files} files"),
        }
    }
}

/// Counts the files at a path; links are not followed.
fn count(path: &Path, depth: usize, files: &mut usize) {
    let Ok(found) = fs::symlink_metadata(path) else {
        return;
    };
    if found.is_file() {
        *files += 1;
    }
    if !found.is_dir() || depth == 0 {
        return;
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if *files >= Unreadable::MOST {
            return;
        }
        count(&entry.path(), depth - 1, files);
    }
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
            Root::Application(directory) => self.applications().join(directory),
            Root::Here(directory) => self.here.join(directory),
        }
    }

    fn applications(&self) -> PathBuf {
        if cfg!(target_os = "macos") {
            self.home.join("Library/Application Support")
        } else if cfg!(windows) {
            self.named("APPDATA")
                .unwrap_or_else(|| self.home.join("AppData/Roaming"))
        } else {
            self.named("XDG_CONFIG_HOME")
                .unwrap_or_else(|| self.home.join(".config"))
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
