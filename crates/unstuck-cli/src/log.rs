//! The log of the hooks: what went wrong, and what was said to whom.
//!
//! A hook has nobody to talk to but its host. What is worth knowing goes into one file that is bounded: full, it makes
//! room for a new one, and one old one is kept. Arguments and results are not written to it, nor is the environment.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::PathBuf,
    time::Duration,
};

use unstuck_store::Lock;
use unstuck_text::Shown;

use crate::{clock, home::Home};

/// The name of the log file.
pub(crate) const FILE: &str = "hook.log";
const OLD_FILE: &str = "hook.log.1";
const LOCK: &str = "hook.log.lock";

/// A log of this size makes room for a new one.
const FULL: u64 = 1 << 20;

/// Characters of a line; longer ones are cut.
const LONGEST: usize = 1_000;

/// Characters of the host and session that a line is about.
const LONGEST_NAME: usize = 200;

#[derive(Clone, Debug)]
pub(crate) struct Log {
    home: Home,
}

impl Log {
    pub(crate) fn in_home(home: &Home) -> Self {
        Self { home: home.clone() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.home.path(FILE)
    }

    /// Adds a line; where that is not possible it goes to standard error.
    pub(crate) fn line(&self, who: &str, what: &str) {
        let who = Shown::line(who).at_most(LONGEST_NAME);
        let what = Shown::line(what).at_most(LONGEST);
        let line = format!("{} {who} {what}\n", clock::utc(clock::now()));
        let path = self.path();
        if fs::metadata(&path).is_ok_and(|found| found.len() > FULL) {
            self.make_room();
        }
        let open = || OpenOptions::new().create(true).append(true).open(&path);
        let file = open().or_else(|error| {
            let parent = path.parent().ok_or(error)?;
            fs::create_dir_all(parent)?;
            open()
        });
        if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
            let path = Shown::line(path.display());
            anstream::eprintln!("unstuck: {who} {what} (and {path} cannot be written: {error})");
        }
    }

    /// One process does it; the others write on for that moment.
    fn make_room(&self) {
        if let Ok(_lock) = Lock::take(&self.home.path(LOCK), Duration::ZERO) {
            let path = self.path();
            if fs::metadata(&path).is_ok_and(|found| found.len() > FULL) {
                let _ = fs::rename(&path, self.home.path(OLD_FILE));
            }
        }
    }
}
