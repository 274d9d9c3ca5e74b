//! Closes a broken log and starts a new one that refers to it.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use crate::{
    chain::{Head, hex},
    files::{Create, Writes, closed_path, head_path, numbered, numbers, open, with_suffix},
    follow::last_head_at,
    kept::{Break, Found, HeadFile, Kept, Mark, now},
    log::RESUMED,
    verify::{Start, verify},
};

/// A broken log that was closed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Closed {
    /// Where the broken log is now. Its full files and its head file were moved along.
    pub moved_to: PathBuf,
    /// Last line that is known to have been written to it.
    pub last: Head,
    /// First line of the new log.
    pub head: Head,
}

/// Why a log cannot be closed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CloseError {
    /// There is nothing to close.
    #[error("{path} is whole, so there is nothing to close")]
    Whole {
        /// The log.
        path: PathBuf,
    },
    /// Neither the log nor its head file nor a full file exists.
    #[error("there is no audit log {path}")]
    Missing {
        /// The log.
        path: PathBuf,
    },
    /// A file cannot be moved or written.
    #[error("{path} cannot be closed")]
    Io {
        /// The log.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Closes a broken log: moves its files to `FILE.closed-N`, and starts a new log whose first line refers to the old one.
/// Line numbers and the numbers of full files continue. Proxies that are running continue with the new log.
///
/// The old head file is marked before anything is moved, so a process that is killed here leaves a broken log.
pub fn close(path: &Path) -> Result<Closed, CloseError> {
    let failed = |source| CloseError::Io {
        path: path.to_owned(),
        source,
    };
    let exists = |path: &Path| fs::symlink_metadata(path).is_ok();
    let full = numbers(path);
    if !exists(path) && !exists(&head_path(path)) && full.is_empty() {
        return Err(CloseError::Missing {
            path: path.to_owned(),
        });
    }
    // A head file that is a link or a directory is moved like any other.
    let mut head_file = HeadFile::open(path, Create::Never).ok();
    if let Some(head_file) = &head_file {
        head_file.lock().map_err(failed)?;
    }
    // Older full files may have been moved to an archive.
    if verify(path, None, Start::AnyFile, |_| {}).is_ok() {
        return Err(CloseError::Whole {
            path: path.to_owned(),
        });
    }
    let closed = move_away(path, head_file.as_mut(), &full).map_err(failed);
    if let Some(head_file) = &head_file {
        head_file.unlock().map_err(failed)?;
    }
    closed
}

fn move_away(path: &Path, head_file: Option<&mut HeadFile>, full: &[u32]) -> io::Result<Closed> {
    let mut kept = Kept {
        files: full.last().copied().unwrap_or(0),
        ..Kept::NEW
    };
    let mut was_marked = false;
    if let Some(head_file) = head_file
        && let Found::Kept(found) = head_file.read()?
    {
        kept = Kept {
            files: found.files.max(kept.files),
            ..found
        };
        was_marked = kept.broken.is_some();
        kept.broken.get_or_insert_with(|| Mark::now(Break::Closed));
        head_file.write(&kept)?;
        head_file.sync()?;
    }
    // A proxy that marks a log records its last line. Without that, the log itself is asked.
    let read = last_head_at(path).filter(|read| !was_marked && read.line > kept.head.line);
    let last = read.unwrap_or(kept.head);

    let is_free = |number: &u32| {
        let closed = closed_path(path, *number);
        let is_free = |path: &Path| fs::symlink_metadata(path).is_err();
        is_free(&closed) && is_free(&head_path(&closed))
    };
    let number = (1..u32::MAX).find(is_free).unwrap_or(u32::MAX);
    let moved_to = closed_path(path, number);
    for number in full {
        fs::rename(numbered(path, *number), numbered(&moved_to, *number))?;
    }
    let there = fs::symlink_metadata(path).is_ok();
    if there {
        fs::rename(path, &moved_to)?;
    }

    let name = moved_to.file_name().unwrap_or_default().to_string_lossy();
    let mark = kept.broken.unwrap_or(Mark::now(Break::HeadRemoved));
    let members = format!(
        "{RESUMED},\"at\":{},\"file\":{},\"last_line\":{},\"previous\":\"{}\",\"what\":\"{}\",\"lost\":{}",
        now(),
        unstuck_json::Json::string(&name),
        last.line,
        hex(&last.hash),
        mark.why.as_str(),
        mark.lost,
    );
    let mut head = last;
    let mut sealed = Vec::new();
    head.seal([&*members], &mut sealed);
    let mut log = open(path, Create::New, Writes::AtEnd)?;
    log.write_all(&sealed)?;
    log.sync_data()?;

    // The new head file replaces the old one in one step, once everything it says is true.
    let old = head_path(path);
    let kept_old = head_path(&moved_to);
    if fs::symlink_metadata(&old).is_err() {
        HeadFile::open(&moved_to, Create::New)?.write(&Kept {
            head: last,
            length: None,
            broken: Some(mark),
            ..kept
        })?;
    } else if fs::hard_link(&old, &kept_old).is_err() {
        fs::rename(&old, &kept_old)?;
    }
    let fresh = with_suffix(path, ".new");
    let _ = fs::remove_file(head_path(&fresh));
    let mut new = HeadFile::open(&fresh, Create::New)?;
    new.write(&Kept {
        head,
        length: Some(sealed.len() as u64),
        files: kept.files,
        resumed: head.line,
        broken: None,
    })?;
    new.sync()?;
    fs::rename(head_path(&fresh), &old)?;
    Ok(Closed {
        moved_to,
        last,
        head,
    })
}
