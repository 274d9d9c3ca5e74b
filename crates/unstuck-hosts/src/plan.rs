//! What an install changes, host by host: which files, in which format, and what is left to do by hand.

pub(crate) mod canary;
pub(crate) mod entry;
pub(crate) mod file;

pub use canary::{CanaryCall, CanaryInput};
pub use file::{Access, Content, Ownership, PlannedFile, Registration, Removed, StatusLine};

use std::{
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use crate::{Host, Invocation};

/// For which user or project a hook is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// For one user, in all projects.
    User,
    /// For everyone who works on one project.
    Project,
}

/// A word that is not a scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no scope is called `{0}`; there are user and project")]
#[non_exhaustive]
pub struct UnknownScope(pub String);

/// What there is around an install. Nothing is looked up behind the caller's back.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The user's home directory.
    pub home: &'a Path,
    /// The directory of the user's configuration, where a host keeps to the platform's.
    pub config: &'a Path,
    /// The root of the project.
    pub project: &'a Path,
    /// Looks up an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// Reads a file; `None` if it is not there or is not text.
    pub read: &'a dyn Fn(&Path) -> Option<String>,
}

/// What an install changes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The host.
    pub host: Host,
    /// For which user or project.
    pub scope: Scope,
    /// The files, in the order they are written.
    pub files: Vec<PlannedFile>,
    /// What a person has to do before the hooks run, and what to know about them.
    pub by_hand: Vec<String>,
}

/// How it is known that the hooks of a host work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The agent itself was run with them, in this version.
    Seen(&'static str),
    /// They were built from this, and the agent was not run.
    Documented(&'static str),
}

/// Whether a host runs the hooks that are registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trust {
    /// It does, or does not ask.
    Granted,
    /// It does not, until someone does this.
    Missing(String),
    /// It cannot be seen from here; this is what to look for.
    Unknown(String),
}

impl Plan {
    /// The same for these files only.
    #[must_use]
    pub fn of_files(self, files: Vec<PlannedFile>) -> Self {
        Self { files, ..self }
    }
}

impl Scope {
    /// Both, the wider one first.
    pub const ALL: [Self; 2] = [Self::User, Self::Project];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(name: &str) -> Result<Self, UnknownScope> {
        let mut scopes = Self::ALL.into_iter();
        scopes
            .find(|scope| scope.name() == name)
            .ok_or_else(|| UnknownScope(name.to_owned()))
    }
}

impl Surroundings<'_> {
    /// Where desktop programs of this platform keep their settings.
    pub(crate) fn applications(&self) -> PathBuf {
        if cfg!(target_os = "macos") {
            self.home.join("Library/Application Support")
        } else {
            self.config.to_path_buf()
        }
    }

    /// The root of what a scope covers: the home directory or the project.
    pub(crate) fn root(&self, scope: Scope) -> &Path {
        match scope {
            Scope::User => self.home,
            Scope::Project => self.project,
        }
    }

    /// A directory among those where the user's programs keep their data.
    pub(crate) fn data(&self) -> PathBuf {
        self.directory("XDG_DATA_HOME", ".local/share")
    }

    /// A directory that a host lets its users move by a variable.
    pub(crate) fn directory(&self, variable: &str, default: impl AsRef<Path>) -> PathBuf {
        match (self.variable)(variable).filter(|value| !value.is_empty()) {
            Some(value) => PathBuf::from(value),
            None => self.home.join(default),
        }
    }
}

/// What is to be done for a host.
pub fn plan(host: Host, scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Plan {
    let install = &host.spec().install;
    let steps = install.by_hand.iter();
    let steps = steps.filter(|(scopes, _)| scopes.contains(&scope));
    Plan {
        host,
        scope,
        files: (install.files)(scope, around, invocation),
        by_hand: steps.map(|(_, step)| (*step).to_owned()).collect(),
    }
}

/// The same with every file that may hold hooks of ours, whichever of them would be chosen now.
pub fn everything(
    host: Host,
    scope: Scope,
    around: &Surroundings<'_>,
    invocation: &Invocation,
) -> Plan {
    Plan {
        files: (host.spec().install.all_files)(scope, around, invocation),
        ..plan(host, scope, around, invocation)
    }
}

/// Whether the host runs what is registered by a plan.
pub fn trust(plan: &Plan, around: &Surroundings<'_>) -> Trust {
    (plan.host.spec().install.trust)(plan, around)
}

/// What a host's hooks would be told before and after a call.
pub fn canary(host: Host, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    (host.spec().install.canary)(call)
}

#[cfg(test)]
#[path = "plan/plan_tests.rs"]
mod tests;
