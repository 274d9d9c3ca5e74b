//! The head file: how far a log goes, kept beside it.
//!
//! One record of a fixed width, written in place with one write, so that nothing of an older record is left behind a
//! shorter one. The file is also what writers lock. It is created with a new log and never again, except to record that
//! the log is broken.

use std::{
    cell::Cell,
    fmt::Write as _,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

use crate::{
    chain::Head,
    files::{Create, FileId, Writes, head_path, open, open_log},
};

/// Bytes of a record. It fits into one sector of any disk.
const WIDTH: usize = 256;

/// Longest wait for the lock. Writers hold it for microseconds, or for milliseconds if every line is synced.
const PATIENCE: Duration = Duration::from_secs(2);

/// Longest wait for a lock that was not released within [`PATIENCE`] the last time, so that calls are denied promptly.
const SHORT_PATIENCE: Duration = Duration::from_millis(50);

/// Longest pause between two attempts to take the lock.
const PAUSE: Duration = Duration::from_millis(2);

/// Why a log is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Break {
    /// The file is not at its path any more.
    #[error("the log was removed or moved away")]
    Removed,
    /// The path leads to another file.
    #[error("the log was replaced by another file")]
    Replaced,
    /// Lines at the end are missing.
    #[error("lines at the end of the log were removed")]
    Cut,
    /// Lines at the end were not written by a proxy.
    #[error("the last lines of the log do not continue its chain")]
    Chain,
    /// The head file is missing.
    #[error("the head file of the log was removed")]
    HeadRemoved,
    /// The path of the head file leads to another file.
    #[error("the head file of the log was replaced by another file")]
    HeadReplaced,
    /// The head file was not written by a proxy, or is an older copy.
    #[error("the head file of the log was changed")]
    HeadChanged,
    /// `unstuck audit close` was run.
    #[error("a person closed the log")]
    Closed,
}

impl Break {
    const ALL: [Self; 8] = [
        Self::Removed,
        Self::Replaced,
        Self::Cut,
        Self::Chain,
        Self::HeadRemoved,
        Self::HeadReplaced,
        Self::HeadChanged,
        Self::Closed,
    ];

    /// Name in files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Replaced => "replaced",
            Self::Cut => "cut",
            Self::Chain => "chain",
            Self::HeadRemoved => "head-removed",
            Self::HeadReplaced => "head-replaced",
            Self::HeadChanged => "head-changed",
            Self::Closed => "closed",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == text)
    }
}

/// Record that a log is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) why: Break,
    /// When it was noticed, in milliseconds since 1970.
    pub(crate) at: u64,
    /// Lines that could not be written since.
    pub(crate) lost: u64,
}

impl Mark {
    pub(crate) fn now(why: Break) -> Self {
        Self {
            why,
            at: now(),
            lost: 0,
        }
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(0))
}

/// What a head file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) head: Head,
    /// Bytes of the log up to the end of that line. Older versions did not record it.
    pub(crate) length: Option<u64>,
    /// Highest number that a full file ever had.
    pub(crate) files: u32,
    /// First line after a person closed a broken log; 0 if that never happened.
    pub(crate) resumed: u64,
    pub(crate) broken: Option<Mark>,
}

impl Kept {
    /// Head of a log without lines.
    pub(crate) const NEW: Self = Self {
        head: Head::START,
        length: Some(0),
        files: 0,
        resumed: 0,
        broken: None,
    };

    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let head = Head::parse(&format!("{} {}", words.next()?, words.next()?))?;
        let mut kept = Self {
            head,
            length: None,
            ..Self::NEW
        };
        let mut mark = Mark {
            why: Break::Removed,
            at: 0,
            lost: 0,
        };
        for word in words {
            let (name, value) = word.split_once('=')?;
            match name {
                "bytes" => kept.length = Some(value.parse().ok()?),
                "files" => kept.files = value.parse().ok()?,
                "resumed" => kept.resumed = value.parse().ok()?,
                "broken" => {
                    mark.why = Break::parse(value)?;
                    kept.broken = Some(mark);
                }
                "at" => kept.broken.as_mut()?.at = value.parse().ok()?,
                "lost" => kept.broken.as_mut()?.lost = value.parse().ok()?,
                _ => return None,
            }
        }
        // A log that was resumed has that line.
        (kept.resumed <= kept.head.line).then_some(kept)
    }

    fn record(&self) -> String {
        let mut text = format!("{}", self.head);
        if let Some(length) = self.length {
            let _ = write!(text, " bytes={length}");
        }
        let _ = write!(text, " files={} resumed={}", self.files, self.resumed);
        if let Some(Mark { why, at, lost }) = self.broken {
            let _ = write!(text, " broken={} at={at} lost={lost}", why.as_str());
        }
        format!("{text:<width$}\n", width = WIDTH - 1)
    }
}

/// What was found in a head file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing: a new log, or one whose head was removed.
    Nothing,
    /// Something that is not a record. It is never overwritten.
    Damaged,
    Kept(Kept),
}

impl Found {
    fn parse(bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return Self::Nothing;
        }
        let kept = std::str::from_utf8(bytes).ok().and_then(Kept::parse);
        kept.map_or(Self::Damaged, Self::Kept)
    }
}

/// Reads the head file of a log. `None` where there is none.
pub(crate) fn read_kept(path: &Path) -> io::Result<Option<Found>> {
    let file = match open_log(&head_path(path)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = [0; 2 * WIDTH];
    let read = read_start(&file, &mut bytes)?;
    Ok(Some(Found::parse(&bytes[..read])))
}

/// An open head file.
#[derive(Debug)]
pub(crate) struct HeadFile {
    path: PathBuf,
    file: File,
    id: FileId,
    /// Bytes that were read or written last.
    seen: Vec<u8>,
    /// Longest wait for the lock.
    patience: Cell<Duration>,
}

impl HeadFile {
    /// Opens the head file of a log.
    pub(crate) fn open(log: &Path, create: Create) -> io::Result<Self> {
        let path = head_path(log);
        let file = open(&path, create, Writes::Anywhere)?;
        Ok(Self {
            id: FileId::of(&file.metadata()?),
            path,
            file,
            seen: Vec::new(),
            patience: Cell::new(PATIENCE),
        })
    }

    /// Another handle of the same open file, with the same lock.
    pub(crate) fn share(&self) -> io::Result<Self> {
        Ok(Self {
            path: self.path.clone(),
            file: self.file.try_clone()?,
            id: self.id,
            seen: self.seen.clone(),
            patience: self.patience.clone(),
        })
    }

    /// Takes the lock that writers share. Any program may hold it, so the wait is bounded.
    pub(crate) fn lock(&self) -> io::Result<()> {
        let mut pause = Duration::from_micros(20);
        let mut began = None;
        loop {
            match self.file.try_lock() {
                Ok(()) => {
                    self.patience.set(PATIENCE);
                    return Ok(());
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            if began.get_or_insert_with(Instant::now).elapsed() >= self.patience.get() {
                self.patience.set(SHORT_PATIENCE);
                let path = self.path.display();
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    format!("another program holds a lock on {path}"),
                ));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(PAUSE);
        }
    }

    pub(crate) fn unlock(&self) -> io::Result<()> {
        self.file.unlock()
    }

    /// Whether the path still leads to this file.
    pub(crate) fn is_in_place(&self) -> io::Result<Result<(), Break>> {
        match fs::symlink_metadata(&self.path) {
            Ok(there) if FileId::of(&there) == self.id => Ok(Ok(())),
            Ok(_) => Ok(Err(Break::HeadReplaced)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Err(Break::HeadRemoved)),
            Err(error) => Err(error),
        }
    }

    /// Reads the record if it is not the one that was read or written last.
    pub(crate) fn news(&mut self) -> io::Result<Option<Found>> {
        let mut bytes = [0; 2 * WIDTH];
        let read = read_start(&self.file, &mut bytes)?;
        if self.seen == bytes[..read] {
            return Ok(None);
        }
        self.seen.clear();
        self.seen.extend_from_slice(&bytes[..read]);
        Ok(Some(Found::parse(&self.seen)))
    }

    /// Reads the record.
    pub(crate) fn read(&mut self) -> io::Result<Found> {
        let news = self.news()?;
        Ok(news.unwrap_or_else(|| Found::parse(&self.seen)))
    }

    pub(crate) fn write(&mut self, kept: &Kept) -> io::Result<()> {
        let record = kept.record();
        write_start(&self.file, record.as_bytes())?;
        self.seen.clear();
        self.seen.extend_from_slice(record.as_bytes());
        Ok(())
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

#[cfg(unix)]
fn read_start(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, 0)
}

#[cfg(unix)]
fn write_start(file: &File, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, 0)
}

#[cfg(not(unix))]
fn read_start(mut file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    io::Seek::seek(&mut file, io::SeekFrom::Start(0))?;
    io::Read::read(&mut file, bytes)
}

#[cfg(not(unix))]
fn write_start(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    io::Seek::seek(&mut file, io::SeekFrom::Start(0))?;
    io::Write::write_all(&mut file, bytes)
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;
