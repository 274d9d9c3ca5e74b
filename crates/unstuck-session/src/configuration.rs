//! Settings of every surface: files, command line, environment.
//!
//! ```text
//!  user file ─────────────────┐
//!  project file, trusted ─────┼─> settings ──> tightened by ──> settings in effect
//!  --config FILE ─────────────┘                the project file
//!                                              that is not trusted
//! ```
//!
//! A layer knows where it comes from. The user's own file and a file named on the command line are a person's. A
//! project's file may have been written by a stranger or by the agent that is watched: unless a person has trusted its
//! contents (`unstuck config trust`) it is applied only where it makes nothing looser, on every surface.

mod file;
mod layers;
mod trust;

use std::{
    env,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy as _;
use unstuck::{Mode, Preset, Settings};
use unstuck_config::{Diagnostic, Fail, Layer, Loaded, NotifySettings, Prices, SpendingSettings};

use crate::{
    error::{Context as _, Error, Result},
    fail::fail_from_environment,
    state_dir::{StateDir, mode_from_environment},
};
use file::Accept;
use layers::{Faults, Request, layers, read, read_named};
pub use trust::{Trust, UntrustedReason};

/// The name of every configuration file.
pub const FILE: &str = "unstuck.toml";

/// The directory of the user's file, in place of the platform's.
const HOME_VARIABLE: &str = "UNSTUCK_CONFIG_HOME";

/// The files that a command reads settings from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files<'a> {
    /// Settings to start from, whatever the files name.
    pub preset: Option<Preset>,
    /// A file that a person named.
    pub named: Option<&'a Path>,
    /// What to do with the user's and the project's files.
    pub found: FoundFiles,
}

/// What to do with the user's and the project's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FoundFiles {
    /// Read them.
    #[default]
    Read,
    /// Leave them out.
    Ignore,
}

/// Files that were read, and their settings or all mistakes in them.
pub type Examined = (Vec<Source>, Result<Loaded, unstuck_config::Errors>);

/// Settings, and how they came about.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Configuration {
    /// The settings in effect.
    pub settings: Settings,
    /// What models cost.
    pub prices: Prices,
    /// Settings that can never have an effect.
    pub warnings: Vec<Diagnostic>,
    /// Files that are not applied, and why.
    pub notices: Vec<Diagnostic>,
    /// The files that were read, the one that wins last.
    pub sources: Vec<Source>,
    /// Notifications, by the user's own file and the one that was named.
    pub notify: NotifySettings,
    /// What agents behind the LLM proxy may use.
    pub spending: SpendingSettings,
    /// The mode that the environment gave.
    pub mode: Option<Mode>,
    /// What becomes of calls that cannot be judged or recorded; `None` if nothing says it.
    pub fail: Option<Fail>,
    /// Whether a file of the user, or one that was named, could not be used and was left out.
    pub is_incomplete: bool,
}

/// A file that is part of the configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Source {
    /// Where the file comes from.
    pub origin: Origin,
    /// The file, as it is shown.
    pub path: PathBuf,
    /// How much of it is in effect.
    pub applied: Applied,
}

/// Where a layer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user's own file.
    User,
    /// A file of the project.
    Project(Trust),
    /// A file that a person named on the command line.
    CommandLine,
}

/// How much of a layer is in effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// All of it.
    Whole,
    /// Nothing of it.
    Nothing,
}

impl Source {
    /// Where the file comes from, in words.
    pub fn describe(&self) -> &'static str {
        match (&self.origin, self.applied) {
            (Origin::User, _) => "user",
            (Origin::CommandLine, _) => "command line",
            (Origin::Project(Trust::Trusted), _) => "project",
            (Origin::Project(_), Applied::Whole) => "project, not trusted: only tightens",
            (Origin::Project(_), Applied::Nothing) => "project, not trusted: ignored",
        }
    }
}

/// Reads the settings of a command, in the current directory. Without a state directory no project file is trusted.
pub fn load(files: &Files<'_>, state: Option<&StateDir>) -> Result<Configuration> {
    let mode = mode_from_environment()?;
    let here = env::current_dir().ok();
    let request = Request::of_command(files, here.as_deref());
    let mut configuration = layers(&request, state)?.settle(&request)?;
    configuration.fail = fail_from_environment()?.or(configuration.fail);
    configuration.mode = mode;
    if let Some(mode) = mode {
        configuration.settings.mode = mode;
    }
    Ok(configuration)
}

/// Reads the settings of a hook whose agent works in a directory. Files that cannot be used are left out.
pub fn of_hook(directory: Option<&Path>, state: &StateDir) -> Result<Configuration> {
    of_failed_hook(directory, Some(state))
}

/// The same for a hook that has no state directory.
pub(crate) fn of_failed_hook(
    directory: Option<&Path>,
    state: Option<&StateDir>,
) -> Result<Configuration> {
    let request = Request {
        found: true,
        directory,
        named: None,
        preset: None,
        faults: Faults::LeaveOut,
    };
    layers(&request, state)?.settle(&request)
}

/// Reads the same files as [`load`], to report every mistake in them, also in those that are not trusted.
pub fn examine(files: &Files<'_>, state: Option<&StateDir>) -> Result<Examined> {
    let here = env::current_dir().ok();
    let request = Request::of_command(files, here.as_deref());
    let layers = layers(&request, state)?;
    let all = layers.in_order(true);
    let sources = all.iter().map(|read| read.source.clone()).collect();
    let texts: Vec<_> = all.iter().map(|read| read.layer.clone()).collect();
    let loaded = unstuck_config::load(&texts, files.preset);
    Ok((sources, loaded))
}

/// Reads files that a person named, and no others.
pub fn of_files(paths: &[&Path], preset: Option<Preset>) -> Result<Examined> {
    let mut sources = Vec::new();
    let mut texts = Vec::new();
    for path in paths {
        let read = read_named(path)?;
        sources.push(read.source);
        texts.push(read.layer);
    }
    let loaded = unstuck_config::load(&texts, preset);
    Ok((sources, loaded))
}

/// The file that `unstuck config trust` is about, as it is now: its path and its contents.
pub fn to_be_trusted(named: Option<&Path>) -> Result<(PathBuf, Vec<u8>)> {
    let path = if let Some(path) = named {
        path.to_owned()
    } else {
        let here =
            env::current_dir().with_context(|| "cannot tell the current directory".to_owned())?;
        file::of_project(&here).next().ok_or_else(|| {
            Error::Refused(format!("there is no {FILE} in this directory or above it"))
        })?
    };
    let cannot = || format!("cannot read {}", path.display());
    let contents = file::read(&path, Accept::Regular).with_context(cannot)?;
    if let Some(owner) = trust::foreign_owner(&contents.metadata) {
        let reason = UntrustedReason::Owner(owner);
        return Err(Error::Refused(format!(
            "{} cannot be trusted, because {reason}; {}",
            path.display(),
            reason.help()
        )));
    }
    let layer = Layer::from_bytes(path.display().to_string(), contents.bytes.clone())?;
    // A file with mistakes would be left out.
    unstuck_config::load(&[layer], None)?;
    Ok((path, contents.bytes))
}

/// Notifications that the user wants. A file that cannot be used asks for none.
pub fn notify_of_user() -> NotifySettings {
    let user = user_file().filter(|path| file::is_regular(path));
    let layer = user.and_then(|path| read(&path, Accept::Regular, |_| Origin::User).ok());
    layer.map_or_else(NotifySettings::default, |read| read.notify())
}

/// The user's file, whether it exists or not.
pub fn user_file() -> Option<PathBuf> {
    if let Some(home) = env::var_os(HOME_VARIABLE).filter(|home| !home.is_empty()) {
        return Some(PathBuf::from(home).join(FILE));
    }
    let platform = etcetera::choose_base_strategy().ok()?;
    Some(platform.config_dir().join("unstuck").join(FILE))
}
