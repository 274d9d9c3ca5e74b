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
mod trust;

use std::{
    env,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy as _;
use unstuck::{Mode, Preset, Settings};
use unstuck_config::{Diagnostic, Fail, Layer, Loaded, NotifySettings, Prices};
use unstuck_text::Shown;

use crate::{
    error::{Context as _, Error, Result},
    fail::fail_from_environment,
    state_dir::{StateDir, Trusted, mode_from_environment},
};
use file::Accept;
pub use trust::{Trust, UntrustedReason};

/// The name of every configuration file.
pub const FILE: &str = "unstuck.toml";

/// The directory of the user's file, in place of the platform's.
const HOME_VARIABLE: &str = "UNSTUCK_CONFIG_HOME";

/// Most bytes of a project's file that is not trusted. It is read and checked before every call of an agent.
const UNTRUSTED_LIMIT: usize = 8 << 10;

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

/// What to do about a file of the user that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Faults {
    /// The command ends with an error.
    Stop,
    /// The file is left out, and a notice says so: a hook must never break its agent.
    LeaveOut,
}

/// Which files to read.
struct Request<'a> {
    /// Whether the user's and the project's files are read.
    found: bool,
    /// The directory whose project it is.
    directory: Option<&'a Path>,
    /// A file that a person named.
    named: Option<&'a Path>,
    preset: Option<Preset>,
    faults: Faults,
}

/// One file, as it was read.
struct Read {
    source: Source,
    layer: Layer,
}

/// All files, by what they may do.
#[derive(Default)]
struct Layers {
    user: Option<Read>,
    trusted: Option<Read>,
    untrusted: Option<Read>,
    named: Option<Read>,
    notices: Vec<Diagnostic>,
    /// Whether a file of a person was left out.
    is_incomplete: bool,
    /// What a file that was left out says of `fail`.
    broken_fail: Option<Fail>,
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

impl Read {
    /// Notifications by this file alone.
    fn notify(&self) -> NotifySettings {
        let loaded = unstuck_config::load(std::slice::from_ref(&self.layer), None);
        loaded.map_or_else(|_| NotifySettings::default(), |loaded| loaded.notify)
    }
}

impl<'a> Request<'a> {
    fn of_command(files: &Files<'a>, here: Option<&'a Path>) -> Self {
        Self {
            found: files.found == FoundFiles::Read,
            directory: here,
            named: files.named,
            preset: files.preset,
            faults: Faults::Stop,
        }
    }
}

fn layers(request: &Request<'_>, state: Option<&StateDir>) -> Result<Layers> {
    let mut layers = Layers::default();
    if let Some(path) = request.named {
        layers.named = Some(read_named(path)?);
    }
    if !request.found {
        return Ok(layers);
    }
    let is_named = |path: &Path| {
        request
            .named
            .is_some_and(|named| file::is_same(named, path))
    };
    let user = user_file().filter(|path| file::is_regular(path) && !is_named(path));
    if let Some(path) = &user {
        match read(path, Accept::Regular, |_| Origin::User) {
            Ok(read) => layers.user = Some(read),
            Err(error) if request.faults == Faults::Stop => return Err(error),
            Err(error) => {
                layers.notices.push(left_out(&error));
                layers.is_incomplete = true;
            }
        }
    }
    if let Some(directory) = request.directory {
        let is_known = |path: &Path| {
            let is_user = user.as_ref().is_some_and(|user| file::is_same(user, path));
            is_user || is_named(path)
        };
        layers.find_project(directory, state, is_known);
    }
    Ok(layers)
}

impl Layers {
    /// Takes the nearest file, and if that is not trusted, the nearest one that is: a file that the agent writes into a
    /// directory below must not hide the trusted one above.
    fn find_project(
        &mut self,
        directory: &Path,
        state: Option<&StateDir>,
        is_known: impl Fn(&Path) -> bool,
    ) {
        let mut trusted = None;
        for (index, path) in file::of_project(directory).enumerate() {
            let trusted = trusted
                .get_or_insert_with(|| state.map_or_else(Trusted::default, StateDir::trusted));
            // Only the nearest file is read without a reason.
            if index > 0 && !trusted.names(&path) {
                continue;
            }
            // A link to a file that is applied anyway is not a file of the project, and hides none above it.
            if is_known(&path) {
                continue;
            }
            // Close by, the short name is the clearer one.
            let is_near =
                index == 0 && env::current_dir().is_ok_and(|here| path == here.join(FILE));
            let shown = if is_near {
                PathBuf::from(FILE)
            } else {
                path.clone()
            };
            let judge =
                |contents: &file::Contents| Origin::Project(Trust::of(&path, contents, trusted));
            match read(&shown, Accept::Regular, judge) {
                Ok(read) if read.source.origin == Origin::Project(Trust::Trusted) => {
                    self.trusted = Some(read);
                    return;
                }
                Ok(read) if self.untrusted.is_none() => self.untrusted = Some(read),
                Ok(_) => {}
                Err(error) => self.notices.push(left_out(&error)),
            }
        }
    }

    /// From the weakest to the strongest.
    fn in_order(&self, with_untrusted: bool) -> Vec<&Read> {
        let untrusted = self.untrusted.as_ref().filter(|_| with_untrusted);
        [
            self.user.as_ref(),
            self.trusted.as_ref(),
            untrusted,
            self.named.as_ref(),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn merged(&self, request: &Request<'_>, with_untrusted: bool) -> Result<Loaded> {
        let layers = self.in_order(with_untrusted);
        let texts: Vec<_> = layers.iter().map(|read| read.layer.clone()).collect();
        Ok(unstuck_config::load(&texts, request.preset)?)
    }

    fn settle(mut self, request: &Request<'_>) -> Result<Configuration> {
        let mut loaded = match self.merged(request, false) {
            Ok(loaded) => loaded,
            Err(error) if request.faults == Faults::Stop => return Err(error),
            Err(_) => {
                self.leave_out_broken();
                self.merged(request, false)?
            }
        };
        if let Some(untrusted) = &self.untrusted {
            match self.tightened(untrusted, &loaded, request) {
                Ok(tightened) => loaded = tightened,
                Err(notice) => {
                    self.notices.push(*notice);
                    if let Some(untrusted) = &mut self.untrusted {
                        untrusted.source.applied = Applied::Nothing;
                    }
                }
            }
        }
        let notify = self.notify(&loaded.notify);
        let sources = self.in_order(true).into_iter();
        let sources = sources.map(|read| read.source.clone()).collect();
        Ok(Configuration {
            settings: loaded.settings,
            prices: loaded.prices,
            warnings: loaded.warnings,
            notices: self.notices,
            sources,
            notify,
            mode: None,
            fail: loaded.fail.or(self.broken_fail),
            is_incomplete: self.is_incomplete,
        })
    }

    /// Notifications without what a project's file says about them, trusted or not.
    fn notify(&mut self, merged: &NotifySettings) -> NotifySettings {
        if *merged == NotifySettings::default() {
            return NotifySettings::default();
        }
        let own = self.named.iter().chain(&self.user).map(Read::notify);
        let mut own = own.filter(|notify| *notify != NotifySettings::default());
        let own = own.next().unwrap_or_default();
        if own != *merged {
            let message = "`notify` in a project's file is ignored";
            let help = "write it into your own file: `unstuck config edit`";
            self.notices.push(Diagnostic::warning(message, help));
        }
        own
    }

    /// Leaves out the files that have mistakes, each by itself.
    fn leave_out_broken(&mut self) {
        for slot in [&mut self.user, &mut self.trusted, &mut self.named] {
            let Some(read) = slot else { continue };
            if let Err(error) = unstuck_config::load(std::slice::from_ref(&read.layer), None) {
                self.notices.push(left_out(&error.into()));
                self.is_incomplete = true;
                let fail = Fail::of_broken(&read.layer.text);
                self.broken_fail = self.broken_fail.or(fail);
                *slot = None;
            }
        }
    }

    /// The settings with a file that is not trusted, if that makes nothing looser; or else why not.
    fn tightened(
        &self,
        untrusted: &Read,
        before: &Loaded,
        request: &Request<'_>,
    ) -> Result<Loaded, Box<Diagnostic>> {
        let ignored = |why: String| {
            let path = untrusted.source.path.display();
            let (reason, help) = match &untrusted.source.origin {
                Origin::Project(Trust::Untrusted(reason)) => {
                    (format!(" ({reason})"), reason.help())
                }
                _ => (String::new(), String::new()),
            };
            let message = format!("{path} is not trusted and ignored: {why}{reason}");
            Box::new(Diagnostic::warning(one_line(&message), help))
        };
        if untrusted.layer.text.len() > UNTRUSTED_LIMIT {
            return Err(ignored(format!(
                "it is larger than {UNTRUSTED_LIMIT} bytes"
            )));
        }
        let after = self
            .merged(request, true)
            .map_err(|error| ignored(format!("it has mistakes: {}", first_line(&error))))?;
        if let Some(loosened) = after.settings.loosens(&before.settings) {
            return Err(ignored(loosened.to_string()));
        }
        if after.notify != before.notify {
            return Err(ignored("`notify` is changed".to_owned()));
        }
        if after.prices != before.prices {
            return Err(ignored("`prices` is changed".to_owned()));
        }
        if after.fail != before.fail && after.fail != Some(Fail::Closed) {
            return Err(ignored("`fail` is looser".to_owned()));
        }
        Ok(after)
    }
}

fn read_named(path: &Path) -> Result<Read> {
    read(path, Accept::AlsoPipes, |_| Origin::CommandLine)
}

fn read(
    path: &Path,
    accept: Accept,
    origin: impl FnOnce(&file::Contents) -> Origin,
) -> Result<Read> {
    let name = path.display().to_string();
    let contents = file::read(path, accept)
        .with_context(|| format!("cannot read the configuration {name}"))?;
    let source = Source {
        origin: origin(&contents),
        path: path.to_owned(),
        applied: Applied::Whole,
    };
    let layer = Layer::from_bytes(name, contents.bytes)?;
    Ok(Read { source, layer })
}

fn left_out(error: &Error) -> Diagnostic {
    let message = format!(
        "the configuration is ignored: {}",
        one_line(&error.with_causes())
    );
    Diagnostic::warning(message, "see `unstuck config check`")
}

/// The first line of an error, without the word `error`, cut to 200 characters.
fn first_line(error: &Error) -> String {
    let text = error.with_causes();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ")
        .chars()
        .take(200)
        .collect()
}

/// Text that may quote a stranger's file, for one line of a terminal or log.
fn one_line(text: &str) -> String {
    Shown::line(text).at_most(1_000).to_string()
}
