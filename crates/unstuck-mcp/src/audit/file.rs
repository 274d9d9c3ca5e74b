//! The log on disk: appended to, shared between processes, rotated.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    chain::{Head, hex, last_sealed},
    journal::Journal,
    verify::kept_head,
};

/// The last line is looked for in so much of the end; no line is longer.
const LONGEST_LINE: u64 = 1 << 20;

/// The member that the last line of a full file has.
const ROTATED: &str = "\"event\":\"rotated\"";

/// When lines are forced to the disk. What is written survives the end of the process in any case; this is about the
/// end of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sync {
    /// When the system does it.
    #[default]
    Never,
    /// When so much time has passed since the last time.
    Every(Duration),
    /// Before anything is done that a line tells of.
    Always,
}

/// How a log is written.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AuditOptions {
    /// When lines are forced to the disk.
    pub sync: Sync,
    /// A file of this size makes room for a new one. No file is ever removed.
    pub rotate_bytes: u64,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            sync: Sync::Never,
            rotate_bytes: 64 << 20,
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
    file: File,
    /// How far the log goes; also what writers lock.
    head_file: File,
    head: Head,
    /// The size that the file has if nobody else wrote to it.
    length: u64,
    options: AuditOptions,
    synced: Instant,
    /// Lines that could not be written; the log will say so.
    lost: usize,
    sealed: Vec<u8>,
    /// The head file does not yet tell of all lines.
    head_is_behind: bool,
}

impl AuditFile {
    /// Opens a log, or begins one. The chain goes on where it ended.
    pub fn open(path: &Path, options: AuditOptions) -> Result<Self, AuditError> {
        let fail = |source| AuditError {
            path: path.to_owned(),
            doing: "opened",
            source,
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(fail)?;
        }
        let head_path = head_path(path);
        let head_file = private().write(true).open(&head_path).map_err(fail)?;
        let mut audit = Self {
            file: open_log(path).map_err(fail)?,
            path: path.to_owned(),
            head_file,
            head: Head::START,
            length: 0,
            options,
            synced: Instant::now(),
            lost: 0,
            sealed: Vec::new(),
            head_is_behind: false,
        };
        audit
            .locked(|audit| {
                audit.catch_up()?;
                audit.mend_head()
            })
            .map_err(fail)?;
        Ok(audit)
    }

    /// Writes the head that a process left unwritten when it was killed. One that goes further than the log stays, for
    /// it tells of lines that are missing.
    fn mend_head(&mut self) -> io::Result<()> {
        let kept = kept_head(&self.path).map_or(0, |kept| kept.line);
        if self.head.line > kept {
            self.write_head()?;
            self.head_is_behind = false;
        }
        Ok(())
    }

    /// Writes lines and empties the journal. After an error none of them is there, and the log will tell how many were
    /// lost once it can be written again.
    pub fn commit(&mut self, journal: &mut Journal) -> Result<(), AuditError> {
        self.put(journal, AndHead::Now)
    }

    /// Does the first part of [`Self::commit`]: for somebody who waits for the lines. The second should follow soon,
    /// for until then nobody misses these lines if they are cut off.
    pub fn commit_lines(&mut self, journal: &mut Journal) -> Result<(), AuditError> {
        self.put(journal, AndHead::Later)
    }

    fn put(&mut self, journal: &mut Journal, and_head: AndHead) -> Result<(), AuditError> {
        if journal.is_empty() {
            return match and_head {
                AndHead::Now => self.commit_head(),
                AndHead::Later => Ok(()),
            };
        }
        let written = self.locked(|audit| {
            audit.append(journal)?;
            journal.clear();
            if and_head == AndHead::Now {
                audit.write_head()?;
                audit.head_is_behind = false;
            }
            Ok(())
        });
        // What is still there could not be written.
        self.lost += journal.len();
        journal.clear();
        written.map_err(|source| self.unwritten(source))
    }

    /// Writes down how far the log goes, if that has changed.
    pub fn commit_head(&mut self) -> Result<(), AuditError> {
        if !self.head_is_behind {
            return Ok(());
        }
        let written = self.locked(|audit| {
            // Whoever has gone on with the log sees to its head.
            if size(&audit.file)? == audit.length {
                audit.write_head()?;
            }
            audit.head_is_behind = false;
            Ok(())
        });
        written.map_err(|source| self.unwritten(source))
    }

    fn unwritten(&self, source: io::Error) -> AuditError {
        AuditError {
            path: self.path.clone(),
            doing: "written",
            source,
        }
    }

    /// Forces what is written to the disk.
    pub fn sync(&mut self) -> Result<(), AuditError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|source| AuditError {
            path: self.path.clone(),
            doing: "synced",
            source,
        })
    }

    /// How far the log goes, as far as this process knows.
    pub fn head(&self) -> Head {
        self.head
    }

    fn locked<T>(&mut self, work: impl FnOnce(&mut Self) -> io::Result<T>) -> io::Result<T> {
        self.head_file.lock()?;
        let done = work(self);
        self.head_file.unlock()?;
        done
    }

    fn append(&mut self, journal: &Journal) -> io::Result<()> {
        if size(&self.file)? != self.length {
            self.catch_up()?;
        }
        if self.length >= self.options.rotate_bytes {
            self.rotate()?;
        }
        let mut head = self.head;
        let mut sealed = std::mem::take(&mut self.sealed);
        sealed.clear();
        let gap = (self.lost > 0).then(|| format!("\"event\":\"gap\",\"lost\":{}", self.lost));
        head.seal(
            gap.as_deref().into_iter().chain(journal.lines()),
            &mut sealed,
        );
        let written = self.write(&sealed, head);
        self.sealed = sealed;
        written?;
        self.lost = 0;
        match self.options.sync {
            Sync::Never => Ok(()),
            Sync::Every(interval) if self.synced.elapsed() < interval => Ok(()),
            Sync::Every(_) | Sync::Always => {
                self.synced = Instant::now();
                self.file.sync_data()
            }
        }
    }

    fn write(&mut self, sealed: &[u8], head: Head) -> io::Result<()> {
        if let Err(error) = self.file.write_all(sealed) {
            // A part of a line would break the chain. Where it cannot be taken off now, whoever goes on does it.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += sealed.len() as u64;
        self.head = head;
        self.head_is_behind = true;
        Ok(())
    }

    fn write_head(&mut self) -> io::Result<()> {
        // Numbers only grow, so that nothing of an older text is left behind it.
        let text = format!("{}\n", self.head);
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::write_all_at(&self.head_file, text.as_bytes(), 0);
        #[cfg(not(unix))]
        {
            self.head_file.seek(SeekFrom::Start(0))?;
            io::Write::write_all(&mut self.head_file, text.as_bytes())
        }
    }

    /// Goes on where the file ends, whoever wrote that.
    fn catch_up(&mut self) -> io::Result<()> {
        loop {
            let length = self.file.metadata()?.len();
            let tail = tail(&mut self.file, length)?;
            let foreign = || io::Error::other("its last line is no line of an audit log");
            let (last, end) = last_sealed(&tail).ok_or_else(foreign)?;
            self.head = match last {
                // Only a log that had just begun has none.
                None if length > LONGEST_LINE => return Err(foreign()),
                None => Head::START,
                Some(line) => Head::of_last(line).ok_or_else(foreign)?,
            };
            let torn = tail.len() - end;
            if torn > 0 {
                // The machine went down while this was written.
                self.file.set_len(length - torn as u64)?;
            }
            self.length = length - torn as u64;
            let rotated =
                last.is_some_and(|line| memchr::memmem::find(line, ROTATED.as_bytes()).is_some());
            if torn > 0 {
                let mut sealed = Vec::new();
                let mut head = self.head;
                let line = format!("\"event\":\"torn\",\"bytes\":{torn}");
                head.seal([&*line], &mut sealed);
                self.write(&sealed, head)?;
            }
            if !rotated {
                return Ok(());
            }
            // Another process has made room, or died while it did.
            let full = self.head;
            self.file = open_log(&self.path)?;
            if self.file.metadata()?.len() == 0 {
                return self.begin_after(full, &newest_rotated(&self.path));
            }
            if last_head(&mut self.file)? == Some(full) {
                return self.make_room(full);
            }
        }
    }

    fn rotate(&mut self) -> io::Result<()> {
        let mut sealed = Vec::new();
        let mut head = self.head;
        head.seal([ROTATED], &mut sealed);
        self.write(&sealed, head)?;
        self.make_room(head)
    }

    fn make_room(&mut self, full: Head) -> io::Result<()> {
        let mut number = 1_u32;
        while numbered(&self.path, number).exists() {
            number += 1;
        }
        let old = numbered(&self.path, number);
        fs::rename(&self.path, &old)?;
        self.file = open_log(&self.path)?;
        self.begin_after(full, &old)
    }

    fn begin_after(&mut self, full: Head, old: &Path) -> io::Result<()> {
        self.length = 0;
        let name = old.file_name().unwrap_or_default().to_string_lossy();
        let mut sealed = Vec::new();
        let mut head = full;
        let line = format!(
            "\"event\":\"continues\",\"file\":{},\"previous\":\"{}\"",
            unstuck::Json::string(&name),
            hex(&full.hash)
        );
        head.seal([&*line], &mut sealed);
        self.write(&sealed, head)
    }
}

/// When it is written down how far the log goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AndHead {
    Now,
    Later,
}

impl Drop for AuditFile {
    fn drop(&mut self) {
        // Nobody is left to tell, neither here nor below.
        let _ = self.commit_head();
        if self.options.sync != Sync::Never {
            let _ = self.file.sync_data();
        }
    }
}

/// Where it is kept how far a log goes.
pub(super) fn head_path(path: &Path) -> PathBuf {
    with_suffix(path, ".head")
}

/// A full file of a log; the oldest is number 1.
pub(super) fn numbered(path: &Path, number: u32) -> PathBuf {
    with_suffix(path, &format!(".{number}"))
}

fn newest_rotated(path: &Path) -> PathBuf {
    let mut number = 1_u32;
    while numbered(path, number + 1).exists() {
        number += 1;
    }
    numbered(path, number)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Only its owner may read what agents do.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

fn open_log(path: &Path) -> io::Result<File> {
    private().append(true).open(path)
}

/// How long a file is. Every write asks, so nothing else is asked for.
fn size(mut file: &File) -> io::Result<u64> {
    file.seek(SeekFrom::End(0))
}

fn tail(file: &mut File, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_LINE)))?;
    let mut tail = Vec::new();
    file.take(LONGEST_LINE.min(length)).read_to_end(&mut tail)?;
    Ok(tail)
}

fn last_head(file: &mut File) -> io::Result<Option<Head>> {
    let length = file.metadata()?.len();
    let tail = tail(file, length)?;
    let last = last_sealed(&tail).and_then(|(line, _)| line);
    Ok(last.and_then(Head::of_last))
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
