//! An open log and its head file: compared with each other and with what is at their paths before every write.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

use crate::{
    chain::{Head, hex},
    file::{AuditOptions, Sync},
    files::{Create, FileId, Writes, bytes_of_full_files, numbered, numbers, open},
    follow::{
        ends_at, follow, last_head, last_head_at, mark_line, open_existing, size, with_length,
    },
    kept::{Break, Found, HeadFile, Kept},
};

/// First member of the last line of a full file.
pub(crate) const ROTATED: &str = "\"event\":\"rotated\"";

/// First member of the line that marks a log as broken.
pub(crate) const BROKEN: &str = "\"event\":\"broken\"";

/// First member of the first line after a person closed a broken log.
pub(crate) const RESUMED: &str = "\"event\":\"resumed\"";

/// First member of the first line of a file that continues a full one.
pub(crate) const CONTINUES: &str = "\"event\":\"continues\"";

/// A log that turned out to be broken, and the last that was known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fallen {
    pub(crate) why: Break,
    pub(crate) last: Kept,
}

/// Why nothing was written.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The next attempt may succeed.
    Io(io::Error),
    /// Nothing is written until a person closes the log.
    Broken(Fallen),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A log that agrees with its head file.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    options: AuditOptions,
    file: File,
    id: FileId,
    head_file: HeadFile,
    /// What the head file says.
    kept: Kept,
    head: Head,
    /// Bytes of the file up to the last line that this process has seen.
    length: u64,
    files: u32,
    /// Whether the last line says that the file is full, and the next file has not been made yet.
    is_full: bool,
    /// Bytes of the full files, if there is a budget.
    full_bytes: u64,
    synced: Instant,
}

impl Log {
    /// Opens a log, or begins one where there is none.
    pub(crate) fn open(path: &Path, options: AuditOptions) -> Result<Self, Fault> {
        loop {
            let head_file = match HeadFile::open(path, Create::Never) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    // Nothing is created beside a file that is not a log.
                    if let Some(mut log) = open_existing(path)? {
                        last_head(&mut log)?;
                    }
                    HeadFile::open(path, Create::IfMissing)?
                }
                opened => opened?,
            };
            head_file.lock()?;
            if head_file.is_in_place()?.is_err() {
                // It was replaced between the two steps.
                continue;
            }
            let settled = Self::settle(path, options, head_file.share()?);
            head_file.unlock()?;
            return settled;
        }
    }

    /// Compares the log with its head file, which is locked, and completes what a killed process left unfinished.
    fn settle(path: &Path, options: AuditOptions, mut head_file: HeadFile) -> Result<Self, Fault> {
        let found = head_file.read()?;
        let mut existing = open_existing(path)?;
        let broken = |why, last| Err(Fault::Broken(Fallen { why, last }));
        let kept = match found {
            Found::Kept(kept) => kept,
            Found::Nothing if existing.as_ref().map_or(Ok(0), size)? == 0 => {
                if let Some(newest) = numbers(path).last() {
                    let head = last_head_at(&numbered(path, *newest));
                    let last = Kept {
                        head: head.unwrap_or(Head::START),
                        files: *newest,
                        ..Kept::NEW
                    };
                    return broken(Break::HeadRemoved, last);
                }
                head_file.write(&Kept::NEW)?;
                Kept::NEW
            }
            Found::Nothing | Found::Damaged => {
                let head = existing.as_mut().map(last_head).transpose()?.flatten();
                let last = Kept {
                    head: head.unwrap_or(Head::START),
                    length: None,
                    files: numbers(path).last().copied().unwrap_or(0),
                    ..Kept::NEW
                };
                let why = match found {
                    Found::Nothing => Break::HeadRemoved,
                    _ => Break::HeadChanged,
                };
                return broken(why, last);
            }
        };
        if let Some(mark) = kept.broken {
            return broken(mark.why, kept);
        }
        let kept = match (kept.length, &existing) {
            (None, Some(log)) => match with_length(kept, log, path)? {
                Some(kept) => kept,
                None => return broken(Break::Cut, kept),
            },
            _ => kept,
        };
        // A process that was killed while it rotated the log has not recorded the new number yet.
        let full = match open_existing(&numbered(path, kept.files.saturating_add(1)))? {
            None => None,
            Some(full) => follow(&full, kept.length.unwrap_or(0), kept.head)?
                .filter(|followed| followed.rotated && followed.torn == 0),
        };
        let (start, from, files) = match &full {
            Some(full) => (0, full.head, kept.files.saturating_add(1)),
            None => (kept.length.unwrap_or(0), kept.head, kept.files),
        };
        let file = match existing.take() {
            Some(file) => file,
            None if full.is_some() || (kept.head.line == 0 && kept.files == 0) => {
                open(path, Create::IfMissing, Writes::AtEnd)?
            }
            None => return broken(Break::Removed, kept),
        };
        if size(&file)? < start || (start > 0 && !ends_at(&file, start, from)?) {
            return broken(Break::Cut, kept);
        }
        let mut log = Self {
            path: path.to_owned(),
            options,
            id: FileId::of(&file.metadata()?),
            file,
            head_file,
            kept,
            head: from,
            length: start,
            files,
            is_full: false,
            full_bytes: 0,
            synced: Instant::now(),
        };
        if options.budget.is_some() {
            log.full_bytes = bytes_of_full_files(path);
        }
        log.catch_up()?;
        if log.head.line > kept.head.line {
            log.write_head()?;
        }
        Ok(log)
    }

    /// Runs this while no other process writes to the log.
    pub(crate) fn locked<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.head_file.lock()?;
        let done = work(self);
        self.head_file.unlock()?;
        done
    }

    /// Whether the open log is the one at its path, and its last line is the last one that this process has seen.
    pub(crate) fn is_as_left(&self) -> bool {
        fs::symlink_metadata(&self.path)
            .is_ok_and(|there| FileId::of(&there) == self.id && there.len() == self.length)
    }

    /// Compares the open files with each other and with what is at the log's path, and follows other writers.
    pub(crate) fn check(&mut self) -> Result<(), Fault> {
        match self.head_file.news()? {
            None => {}
            Some(Found::Kept(kept)) => {
                if let Some(mark) = kept.broken {
                    return self.broken(mark.why);
                }
                if kept.head.line < self.kept.head.line || kept.resumed != self.kept.resumed {
                    return self.broken(Break::HeadChanged);
                }
                self.kept = kept;
            }
            Some(_) => return self.broken(Break::HeadChanged),
        }
        let there = match fs::symlink_metadata(&self.path) {
            Ok(there) => there,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.follow_rotation(Break::Removed);
            }
            Err(error) => return Err(error.into()),
        };
        if FileId::of(&there) != self.id {
            return self.follow_rotation(Break::Replaced);
        }
        if there.len() < self.length {
            return self.broken(Break::Cut);
        }
        if there.len() > self.length {
            self.catch_up()?;
        }
        if self.kept.head.line > self.head.line {
            return self.broken(Break::Cut);
        }
        let is_other = self.kept.head.line == self.head.line && self.kept.head != self.head;
        if is_other || self.kept.files > self.files {
            return self.broken(Break::HeadChanged);
        }
        Ok(())
    }

    /// Compares the head file with what is at its path.
    pub(crate) fn check_head(&self) -> Result<(), Fault> {
        match self.head_file.is_in_place()? {
            Ok(()) => Ok(()),
            Err(why) => self.broken(why),
        }
    }

    /// Appends lines. The files were compared before.
    pub(crate) fn append<'a>(
        &mut self,
        lines: impl IntoIterator<Item = &'a str>,
        sealed: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        if self.is_full {
            self.make_room()?;
        } else if self.length >= self.options.rotate_bytes {
            self.rotate()?;
        }
        if self.length == 0 && self.head.line > 0 {
            self.begin()?;
        }
        let mut head = self.head;
        sealed.clear();
        head.seal(lines, sealed);
        self.spend(sealed.len() as u64)?;
        self.write(sealed, head)?;
        match self.options.sync {
            Sync::Never => {}
            Sync::Every(interval) if self.synced.elapsed() < interval => {}
            Sync::Every(_) | Sync::Always => self.sync()?,
        }
        Ok(())
    }

    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }

    /// Writes down how far the log goes.
    pub(crate) fn write_head(&mut self) -> Result<(), Fault> {
        self.check_head()?;
        let kept = self.now();
        self.head_file.write(&kept)?;
        self.kept = kept;
        Ok(())
    }

    /// Whether the head file does not cover all lines yet.
    pub(crate) fn head_is_behind(&self) -> bool {
        self.kept.head != self.head
    }

    pub(crate) fn head(&self) -> Head {
        self.head
    }

    /// Number of the last full file.
    pub(crate) fn files(&self) -> u32 {
        self.files
    }

    /// Bytes of the log and its full files.
    pub(crate) fn used(&self) -> u64 {
        self.full_bytes + self.length
    }

    /// What is known of the log.
    pub(crate) fn now(&self) -> Kept {
        Kept {
            head: self.head,
            length: Some(self.length),
            files: self.files,
            ..self.kept
        }
    }

    /// Appends the line that marks the log as broken to the file that this process has open, wherever it is by now.
    pub(crate) fn mark(&mut self, why: Break) {
        mark_line(&mut self.file, why, self.head);
    }

    fn broken<T>(&self, why: Break) -> Result<T, Fault> {
        let last = self.now();
        Err(Fault::Broken(Fallen { why, last }))
    }

    /// Checks that the budget allows so many more bytes.
    fn spend(&mut self, bytes: u64) -> io::Result<()> {
        let Some(budget) = self.options.budget else {
            return Ok(());
        };
        if self.used() + bytes <= budget {
            return Ok(());
        }
        // Full files may have been moved to an archive.
        self.full_bytes = bytes_of_full_files(&self.path);
        if self.used() + bytes <= budget {
            return Ok(());
        }
        Err(io::Error::other(format!(
            "it would exceed its budget of {budget} bytes; move full files to another directory, or raise --audit-budget"
        )))
    }

    fn write(&mut self, sealed: &[u8], head: Head) -> io::Result<()> {
        if let Err(error) = self.file.write_all(sealed) {
            // A part of a line would break the chain. If it cannot be taken off now, the next writer does it.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += sealed.len() as u64;
        self.head = head;
        Ok(())
    }

    fn write_line(&mut self, members: &str) -> io::Result<()> {
        let mut sealed = Vec::new();
        let mut head = self.head;
        head.seal([members], &mut sealed);
        self.write(&sealed, head)
    }

    /// Continues after the lines that other processes have written.
    fn catch_up(&mut self) -> Result<(), Fault> {
        let Some(followed) = follow(&self.file, self.length, self.head)? else {
            return self.broken(Break::Chain);
        };
        self.head = followed.head;
        self.length = followed.end;
        if followed.torn > 0 {
            // A process was killed, or the machine went down, while this was written.
            self.file.set_len(self.length)?;
            self.write_line(&format!("\"event\":\"torn\",\"bytes\":{}", followed.torn))?;
        }
        if followed.rotated {
            // A process was killed between the last line and the new file.
            self.is_full = true;
            self.make_room()?;
        }
        Ok(())
    }

    /// Continues in the new file, if another process has rotated the log.
    fn follow_rotation(&mut self, why: Break) -> Result<(), Fault> {
        let Some(followed) = follow(&self.file, self.length, self.head)? else {
            return self.broken(why);
        };
        let is_full = followed.rotated || (self.is_full && followed.end == self.length);
        if !is_full || self.head_file.is_in_place()?.is_err() {
            return self.broken(why);
        }
        let settled = Self::settle(&self.path, self.options, self.head_file.share()?);
        match settled {
            Ok(log) if log.files > self.files && log.head.line >= followed.head.line => {
                *self = log;
                Ok(())
            }
            Ok(_) => self.broken(why),
            Err(Fault::Broken(fallen)) => self.broken(fallen.why),
            Err(fault) => Err(fault),
        }
    }

    fn rotate(&mut self) -> Result<(), Fault> {
        self.next_name()?;
        self.write_line(ROTATED)?;
        self.is_full = true;
        self.make_room()
    }

    fn make_room(&mut self) -> Result<(), Fault> {
        fs::rename(&self.path, self.next_name()?)?;
        self.file = open(&self.path, Create::New, Writes::AtEnd)?;
        self.id = FileId::of(&self.file.metadata()?);
        self.files += 1;
        self.full_bytes += self.length;
        self.length = 0;
        self.is_full = false;
        self.begin()
    }

    /// Name of the next full file. Numbers only grow, so no file has it yet.
    fn next_name(&self) -> io::Result<PathBuf> {
        let full = numbered(&self.path, self.files.saturating_add(1));
        if fs::symlink_metadata(&full).is_err() && self.files < u32::MAX {
            return Ok(full);
        }
        Err(io::Error::other(format!(
            "{} exists already, and the full file needs that name; move it away",
            full.display()
        )))
    }

    /// Writes the first line of a file that continues a full one.
    fn begin(&mut self) -> Result<(), Fault> {
        let full = numbered(&self.path, self.files);
        let name = full.file_name().unwrap_or_default().to_string_lossy();
        self.write_line(&format!(
            "{CONTINUES},\"file\":{},\"previous\":\"{}\"",
            unstuck_json::Json::string(&name),
            hex(&self.head.hash)
        ))?;
        self.write_head()
    }
}
