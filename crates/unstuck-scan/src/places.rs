//! Where agents keep what they recorded, on this machine.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use unstuck_hosts::Host;
use unstuck_transcript::{Format, Root};

/// A place on this machine, whether there is anything or not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The name of the format that is written there, or of the agent where its format is not known.
    pub format: &'static str,
    /// The directory or file.
    pub path: PathBuf,
    title: &'static str,
}

impl Place {
    /// The name of the agent, for people.
    pub fn title(&self) -> &'static str {
        self.title
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

/// All places: those of every format, and those of hosts whose format is not known.
pub fn places(surroundings: &Surroundings<'_>) -> Vec<Place> {
    let read = Format::ALL.iter().flat_map(|format| {
        let locations = format.locations().iter();
        locations.map(|place| Place {
            format: format.name(),
            path: surroundings.root(place.root).join(place.under),
            title: place.title.unwrap_or(format.title()),
        })
    });
    let unread = Host::ALL.into_iter().flat_map(|host| {
        let paths = host.unread_recordings(&unstuck_hosts::Surroundings {
            home: surroundings.home,
            config: &surroundings.applications(),
            project: surroundings.here,
            variable: surroundings.variable,
            read: &|_| None,
        });
        paths.into_iter().map(move |path| Place {
            format: host.name(),
            path,
            title: host.title(),
        })
    });
    read.chain(unread).collect()
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
