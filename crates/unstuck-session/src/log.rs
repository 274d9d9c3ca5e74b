//! The log of the hooks: faults, and what was answered to which session.
//!
//! A hook has no output but its answer to the host, so faults and decisions are written to one file of bounded size: when
//! it is full it is renamed, and one such old file is kept. Arguments and results are not written to it, nor is the environment.

use std::{fs, io::Write as _, path::PathBuf, time::Duration};

use unstuck_store::{Lock, open_log, private_directory, regular};
use unstuck_text::Shown;

use crate::{clock, state_dir::StateDir};

/// The name of the log file.
const FILE: &str = "hook.log";
const OLD_FILE: &str = "hook.log.1";
const LOCK: &str = "hook.log.lock";

/// A log of this size makes room for a new one. Two of them, and the lines that processes write meanwhile, stay within
/// two megabytes.
const FULL: u64 = 900 << 10;

/// Characters of a line; longer ones are cut.
const LONGEST: usize = 1_000;

/// Characters of the host and session that a line is about.
const LONGEST_NAME: usize = 200;

/// Bytes at the end of the log in which a line about a lasting condition is not repeated.
const RECENT: u64 = 64 << 10;

/// The log of the hooks.
#[derive(Clone, Debug)]
pub struct Log {
    state: StateDir,
}

impl Log {
    /// The log in a state directory.
    pub fn of(state: &StateDir) -> Self {
        Self {
            state: state.clone(),
        }
    }

    /// The file of the log.
    pub fn path(&self) -> PathBuf {
        self.state.path(FILE)
    }

    /// Adds a line about a host or session. Where that is not possible it goes to the fallback of the state directory.
    pub fn line(&self, who: &str, what: &str) {
        let who = Shown::line(who).at_most(LONGEST_NAME);
        let what = Shown::line(what).at_most(LONGEST);
        let line = format!("{} {who} {what}\n", clock::utc(clock::now()));
        if let Err(error) = self.append(line.as_bytes()) {
            let path = self.path();
            let path = Shown::line(path.display());
            let line = format!("{who} {what} (and {path} cannot be written: {error})");
            self.state.fall_back(&line);
        }
    }

    /// Adds a line about a condition that every hook meets until a person changes it, unless the end of the log has it
    /// already for this host or session.
    pub fn lasting(&self, who: &str, what: &str) {
        let known = format!(
            "Z {} {}\n",
            Shown::line(who).at_most(LONGEST_NAME),
            Shown::line(what).at_most(LONGEST)
        );
        let recent = regular::read_end(&self.path(), RECENT).unwrap_or_default();
        if !String::from_utf8_lossy(&recent).contains(&known) {
            self.line(who, what);
        }
    }

    fn append(&self, line: &[u8]) -> std::io::Result<()> {
        let path = self.path();
        let (mut file, found) = open_log(&path).or_else(|error| {
            let parent = path.parent().ok_or(error)?;
            private_directory(parent).map_err(std::io::Error::other)?;
            open_log(&path)
        })?;
        if found.len() > FULL {
            self.make_room();
            (file, _) = open_log(&path)?;
        }
        file.write_all(line)
    }

    /// One process does it; the others write on for that moment.
    fn make_room(&self) {
        if let Ok(_lock) = Lock::take(&self.state.path(LOCK), Duration::ZERO) {
            let path = self.path();
            if fs::metadata(&path).is_ok_and(|found| found.len() > FULL) {
                let _ = fs::rename(&path, self.state.path(OLD_FILE));
            }
        }
    }
}
