//! The files of a configuration, each with its origin, and how they become settings.

use std::{
    env,
    path::{Path, PathBuf},
};

use unstuck::Preset;
use unstuck_config::{Diagnostic, Fail, Layer, Loaded, NotifySettings};
use unstuck_text::Shown;

use super::{
    Applied, Configuration, FILE, Files, FoundFiles, Origin, Source, Trust,
    file::{self, Accept},
    user_file,
};
use crate::{
    error::{Context as _, Error, Result},
    state_dir::{StateDir, Trusted},
};

/// Most bytes of a project's file that is not trusted. It is read and checked before every call of an agent.
const UNTRUSTED_LIMIT: usize = 8 << 10;

/// What to do about a file of the user that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Faults {
    /// The command ends with an error.
    Stop,
    /// The file is left out, and a notice says so: a hook must never break its agent.
    LeaveOut,
}

/// Which files to read.
pub(super) struct Request<'a> {
    /// Whether the user's and the project's files are read.
    pub(super) found: bool,
    /// The directory whose project it is.
    pub(super) directory: Option<&'a Path>,
    /// A file that a person named.
    pub(super) named: Option<&'a Path>,
    pub(super) preset: Option<Preset>,
    pub(super) faults: Faults,
}

/// One file, as it was read.
pub(super) struct Read {
    pub(super) source: Source,
    pub(super) layer: Layer,
}

/// All files, by what they may do.
#[derive(Default)]
pub(super) struct Layers {
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

impl Read {
    /// Notifications by this file alone.
    pub(super) fn notify(&self) -> NotifySettings {
        let loaded = unstuck_config::load(std::slice::from_ref(&self.layer), None);
        loaded.map_or_else(|_| NotifySettings::default(), |loaded| loaded.notify)
    }
}

impl<'a> Request<'a> {
    pub(super) fn of_command(files: &Files<'a>, here: Option<&'a Path>) -> Self {
        Self {
            found: files.found == FoundFiles::Read,
            directory: here,
            named: files.named,
            preset: files.preset,
            faults: Faults::Stop,
        }
    }
}

pub(super) fn layers(request: &Request<'_>, state: Option<&StateDir>) -> Result<Layers> {
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
    pub(super) fn in_order(&self, with_untrusted: bool) -> Vec<&Read> {
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

    pub(super) fn settle(mut self, request: &Request<'_>) -> Result<Configuration> {
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
            spending: loaded.spending,
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
        if after.spending.is_looser_than(&before.spending)
            || after.spending.warn_percent != before.spending.warn_percent
        {
            return Err(ignored("`spending` is looser".to_owned()));
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

pub(super) fn read_named(path: &Path) -> Result<Read> {
    read(path, Accept::AlsoPipes, |_| Origin::CommandLine)
}

pub(super) fn read(
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
    let message = format!("the configuration is ignored: {}", summary(error));
    Diagnostic::warning(message, "see `unstuck config check`")
}

/// An error in one line: what is wrong, and the place in its file.
fn summary(error: &Error) -> String {
    let text = error.with_causes();
    let place = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("--> "));
    let line = first_line(error);
    one_line(&place.map_or_else(|| line.clone(), |place| format!("{line} ({place})")))
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
