//! A log that is being written, by this process and others.

use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::{
    chain::Head,
    files::{Create, Writes, open, private_directory},
    follow::{mark_line, resumes_at},
    journal::Journal,
    kept::{Found, HeadFile, Kept, Mark, read_kept},
    log::{Fallen, Fault, Log},
};

/// An idle log is compared with its path this often.
const IDLE_CHECK: Duration = Duration::from_secs(1);

/// When lines are forced to the disk. Lines that were written survive the end of the process in any case; this is about
/// the end of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sync {
    /// When the system does it.
    #[default]
    Never,
    /// When so much time has passed since the last time.
    Every(Duration),
    /// Before a call runs whose line was written.
    Always,
}

/// How a log is written.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AuditOptions {
    /// When lines are forced to the disk.
    pub sync: Sync,
    /// Size in bytes at which a file is full, and the log continues in a new one. No file is ever removed.
    pub rotate_bytes: u64,
    /// Most bytes of the log and its full files together. Without it there is no limit.
    pub budget: Option<u64>,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            sync: Sync::Never,
            rotate_bytes: 64 << 20,
            budget: None,
        }
    }
}

/// Why a log cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("the audit {path} cannot be {doing}")]
#[non_exhaustive]
pub struct AuditError {
    /// The log.
    pub path: PathBuf,
    /// What was tried.
    pub doing: &'static str,
    #[source]
    source: io::Error,
}

/// A log that is being written. Several processes may write one.
#[derive(Debug)]
pub struct AuditFile {
    path: PathBuf,
    options: AuditOptions,
    state: State,
    /// Lines that could not be written and are not recorded as lost yet.
    lost: u64,
    sealed: Vec<u8>,
    checked: Instant,
}

#[derive(Debug)]
enum State {
    Open(Box<Log>),
    /// Nothing is written until a person closes the log.
    Broken(Fallen),
}

/// When the head file is brought up to date.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AndHead {
    Now,
    Later,
}

impl AuditFile {
    /// Opens a log, or begins one where there is none. A log that does not agree with its head file is marked as broken;
    /// nothing can be written to it, but a log that a person starts in its place is noticed.
    pub fn open(path: &Path, options: AuditOptions) -> Result<Self, AuditError> {
        let fail = |source| AuditError {
            path: path.to_owned(),
            doing: "opened",
            source,
        };
        if let Some(parent) = path.parent() {
            private_directory(parent).map_err(fail)?;
        }
        let state = match Log::open(path, options) {
            Ok(log) => State::Open(Box::new(log)),
            Err(Fault::Io(error)) => return Err(fail(error)),
            Err(Fault::Broken(fallen)) => {
                if let Ok(mut file) = open(path, Create::Never, Writes::AtEnd) {
                    mark_line(&mut file, fallen.why, fallen.last.head);
                }
                State::Broken(fallen)
            }
        };
        let mut audit = Self {
            path: path.to_owned(),
            options,
            state,
            lost: 0,
            sealed: Vec::new(),
            checked: Instant::now(),
        };
        audit.record_break();
        Ok(audit)
    }

    /// Writes lines and empties the journal. After an error none of them is there, and the log will say how many were
    /// lost once it can be written again.
    pub fn commit(&mut self, journal: &mut Journal) -> Result<(), AuditError> {
        self.put(journal, AndHead::Now)
    }

    /// Does the first part of [`Self::commit`], for a call that waits for its line. The second part should follow soon:
    /// until then it is not noticed if these lines are cut off and this process is killed.
    pub fn commit_lines(&mut self, journal: &mut Journal) -> Result<(), AuditError> {
        self.put(journal, AndHead::Later)
    }

    /// Writes down how far the log goes, if that has changed. Now and then an idle log is compared with its path.
    pub fn commit_head(&mut self) -> Result<(), AuditError> {
        self.put(&mut Journal::default(), AndHead::Now)
    }

    /// Forces what is written to the disk.
    pub fn sync(&mut self) -> Result<(), AuditError> {
        match &mut self.state {
            State::Open(log) => log.sync().map_err(|source| AuditError {
                path: self.path.clone(),
                doing: "synced",
                source,
            }),
            State::Broken(_) => Ok(()),
        }
    }

    /// Last line of the log, as far as this process knows.
    pub fn head(&self) -> Head {
        match &self.state {
            State::Open(log) => log.head(),
            State::Broken(fallen) => fallen.last.head,
        }
    }

    /// Number of the last full file; 0 if there is none.
    pub fn full_files(&self) -> u32 {
        match &self.state {
            State::Open(log) => log.files(),
            State::Broken(fallen) => fallen.last.files,
        }
    }

    /// Path of the log.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether less than a sixteenth of the budget is left.
    pub fn is_tight(&self) -> bool {
        let (Some(budget), State::Open(log)) = (self.options.budget, &self.state) else {
            return false;
        };
        log.used() >= budget - budget / 16
    }

    fn put(&mut self, journal: &mut Journal, and_head: AndHead) -> Result<(), AuditError> {
        let mut written = self.try_put(journal, and_head);
        if let Err(Fault::Broken(fallen)) = written {
            written = if self.resume(fallen) {
                self.try_put(journal, and_head)
            } else {
                Err(Fault::Broken(fallen))
            };
        }
        // Lines that are still there could not be written.
        self.lost += journal.len() as u64;
        journal.clear();
        let source = match written {
            Ok(()) => return Ok(()),
            Err(Fault::Io(error)) => error,
            Err(Fault::Broken(fallen)) => {
                self.fall(fallen);
                self.record_break();
                let path = self.path.display();
                io::Error::other(format!(
                    "{} (its last known line is {}); a person can close it and start a new log with `unstuck audit close {path}`",
                    fallen.why, fallen.last.head.line
                ))
            }
        };
        Err(AuditError {
            path: self.path.clone(),
            doing: "written",
            source,
        })
    }

    fn try_put(&mut self, journal: &mut Journal, and_head: AndHead) -> Result<(), Fault> {
        let log = match &mut self.state {
            State::Open(log) => log,
            State::Broken(fallen) => return Err(Fault::Broken(*fallen)),
        };
        let is_due = and_head == AndHead::Now
            && (log.head_is_behind() || self.checked.elapsed() >= IDLE_CHECK);
        if journal.is_empty() && !is_due {
            return Ok(());
        }
        let (lost, sealed) = (&mut self.lost, &mut self.sealed);
        log.locked(|log| {
            // The head is compared when it is written, a tenth of a second later.
            if and_head == AndHead::Now || !log.is_as_left() {
                log.check()?;
            }
            if !journal.is_empty() {
                let gap = (*lost > 0).then(|| format!("\"event\":\"gap\",\"lost\":{lost}"));
                log.append(gap.as_deref().into_iter().chain(journal.lines()), sealed)?;
                *lost = 0;
                journal.clear();
            }
            if and_head == AndHead::Later {
                return Ok(());
            }
            if log.head_is_behind() {
                log.write_head()
            } else {
                log.check_head()
            }
        })?;
        if and_head == AndHead::Now {
            self.checked = Instant::now();
        }
        Ok(())
    }

    /// Continues with the log that a person has started in place of the broken one.
    fn resume(&mut self, fallen: Fallen) -> bool {
        let Ok(Some(Found::Kept(kept))) = read_kept(&self.path) else {
            return false;
        };
        if kept.broken.is_some() || !is_resumed(&self.path, kept, fallen) {
            return false;
        }
        match Log::open(&self.path, self.options) {
            Ok(log) => {
                self.state = State::Open(Box::new(log));
                true
            }
            Err(_) => false,
        }
    }

    fn fall(&mut self, fallen: Fallen) {
        if let State::Open(log) = &mut self.state {
            log.mark(fallen.why);
            self.state = State::Broken(fallen);
        }
    }

    /// Records in the head file that the log is broken, and how many lines were lost since.
    fn record_break(&mut self) {
        let State::Broken(fallen) = &self.state else {
            return;
        };
        // After an error the next attempt records it.
        if record_break(&self.path, *fallen, self.lost).is_ok() {
            self.lost = 0;
        }
    }
}

/// Whether a person has started this log after the one that turned out to be broken.
fn is_resumed(path: &Path, kept: Kept, fallen: Fallen) -> bool {
    kept.resumed > fallen.last.head.line && resumes_at(path, kept.resumed)
}

fn record_break(path: &Path, fallen: Fallen, lost: u64) -> io::Result<()> {
    // The directory may have gone with everything in it.
    if let Some(parent) = path.parent() {
        private_directory(parent)?;
    }
    let mut head_file = HeadFile::open(path, Create::IfMissing)?;
    head_file.lock()?;
    let (mut kept, is_new) = match head_file.read()? {
        Found::Kept(kept) => (kept, kept.broken.is_none()),
        // The head file was removed, with the mark that it may have had.
        Found::Nothing => (fallen.last, true),
        Found::Damaged => return Err(io::ErrorKind::InvalidData.into()),
    };
    if head_file.is_in_place()?.is_err() {
        return Err(io::ErrorKind::NotFound.into());
    }
    if is_new && is_resumed(path, kept, fallen) {
        // A person has started a new log a moment ago.
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    if !is_new && lost == 0 {
        return Ok(());
    }
    if fallen.last.head.line > kept.head.line {
        kept = Kept {
            resumed: kept.resumed,
            broken: kept.broken,
            ..fallen.last
        };
    }
    let mark = kept.broken.get_or_insert_with(|| Mark::now(fallen.why));
    mark.lost = mark.lost.saturating_add(lost);
    head_file.write(&kept)?;
    if is_new {
        head_file.sync()?;
    }
    Ok(())
}

impl Drop for AuditFile {
    fn drop(&mut self) {
        // Nothing more can be done about an error.
        let _ = self.commit_head();
        if self.options.sync != Sync::Never {
            let _ = self.sync();
        }
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
