//! Opens an SQLite database of another program, so that nothing beside it is created or changed and nothing in it is
//! trusted.
//!
//! | found | how it is read |
//! |---|---|
//! | no write-ahead log | as an immutable file, which must be the same afterwards; with a rollback journal under SQLite's locks |
//! | a log and its index (`-wal`, `-shm`): a program has it open | in place under SQLite's locks, the index read-only |
//! | a log without its index | as a copy of both in a private directory |
//!
//! An ordinary read-only connection to a database with a write-ahead log would create the index file beside it.

use std::{
    ffi::OsString,
    fmt::Write as _,
    fs::{self, Metadata},
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig, limits::Limit};
use tempfile::TempDir;
use unstuck_store::regular;

use super::input::Stop;

/// How long to wait for a program that holds a lock.
const LOCK: Duration = Duration::from_secs(2);

/// How long SQLite may work on one row.
const ROW: Duration = Duration::from_secs(10);

/// Steps of SQLite's virtual machine between two looks at the clock.
const STEPS: i32 = 10_000;

/// Bytes of one value or row, as of a line of other transcripts.
const LONGEST: i32 = 64 << 20;

/// A database and its log are copied up to this size.
const LARGEST_COPY: u64 = 2 << 30;

/// How often a copy is tried of files that are being written, and the pause between.
const COPIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(50);

/// The version bytes in the header of a database that has a write-ahead log.
const WRITE_AHEAD: [u8; 2] = [2, 2];

/// An open database.
pub(super) struct DatabaseFile {
    pub(super) connection: Connection,
    /// Bytes of the database and its log.
    pub(super) size: u64,
    clock: Arc<Clock>,
    /// The file and its stamp, where it was read without locks and must not have changed.
    unlocked: Option<(PathBuf, Stamp)>,
    /// Where a copy is kept until the connection is closed.
    copy: Option<TempDir>,
}

/// When SQLite was last asked for a row, in milliseconds since the database was opened.
struct Clock {
    start: Instant,
    last: AtomicU64,
}

/// Differs where a file was written.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    inode: u64,
    #[cfg(unix)]
    changed: (i64, i64),
}

impl DatabaseFile {
    /// Opens the database at a path; the error says why it cannot be read.
    pub(super) fn open(path: &Path, stop: &Stop) -> Result<Self, String> {
        let found = fs::metadata(path).map_err(in_words)?;
        if !found.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        let [has_log, has_index, _] = neighbours(path)?;
        let log = beside(path, "-wal");
        let log_size = fs::metadata(&log).map_or(0, |found| found.len());
        let size = found.len() + log_size;
        if has_log && has_index {
            return match connect(path, "mode=ro&readonly_shm=1", size, stop) {
                // The index cannot be read.
                Err(error) if is_unusable(&error) => Self::copy(path, &log, stop),
                opened => opened.map_err(in_words),
            };
        }
        if log_size > 0 {
            return Self::copy(path, &log, stop);
        }
        if header(path).map_err(in_words)? != WRITE_AHEAD {
            // Locks are all that SQLite needs here, and those make no files.
            return connect(path, "mode=ro", size, stop).map_err(|error| {
                if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) {
                    return "a write to it was interrupted; open it once with its own program"
                        .to_owned();
                }
                in_words(error)
            });
        }
        let stamp = Stamp::of(&found);
        let mut opened = connect(path, "mode=ro&immutable=1", size, stop).map_err(in_words)?;
        opened.unlocked = Some((path.to_owned(), stamp));
        Ok(opened)
    }

    /// Whether what was read is one state of the database.
    pub(super) fn is_sound(&self) -> bool {
        self.unlocked.as_ref().is_none_or(|(path, stamp)| {
            fs::metadata(path).is_ok_and(|found| Stamp::of(&found) == *stamp)
        })
    }

    /// Starts the time limit anew, before SQLite is asked for a row.
    pub(super) fn restart_limit(&self) {
        self.clock.note();
    }

    /// Copies a database and its log, which nothing seems to have open, and opens the copy.
    fn copy(path: &Path, log: &Path, stop: &Stop) -> Result<Self, String> {
        let directory = TempDir::new().map_err(in_words)?;
        let target = directory.path().join("copy.db");
        for attempt in 0..COPIES {
            if attempt > 0 {
                thread::sleep(PAUSE);
            }
            let Some(before) = Stamp::of_both(path, log) else {
                return Err("it was moved or removed while it was read".to_owned());
            };
            // Writes within one tick of the file system's clock have the same time, so a file that was written just
            // now is not settled.
            if before.iter().any(Stamp::is_fresh) {
                continue;
            }
            let size: u64 = before.iter().map(|stamp| stamp.length).sum();
            if size > LARGEST_COPY {
                return Err(format!(
                    "its log was not written back, and both have more than {} GiB; open it once with its own program",
                    LARGEST_COPY >> 30
                ));
            }
            copy_file(path, &target).map_err(in_words)?;
            copy_file(log, &beside(&target, "-wal")).map_err(in_words)?;
            if Stamp::of_both(path, log) == Some(before) {
                let mut opened = connect(&target, "mode=ro", size, stop).map_err(in_words)?;
                // All files of the copy are open, and a name for them is only a chance to leave them behind.
                #[cfg(unix)]
                let _ = fs::remove_dir_all(directory.path());
                opened.copy = Some(directory);
                return Ok(opened);
            }
        }
        Err("it is being written; scan it again later".to_owned())
    }
}

fn connect(path: &Path, options: &str, size: u64, stop: &Stop) -> rusqlite::Result<DatabaseFile> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(address(path, options), flags)?;
    let clock = Arc::new(Clock {
        start: Instant::now(),
        last: AtomicU64::new(0),
    });
    harden(&mut connection, &clock, stop)?;
    // Files are opened with the first query, and not before.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(DatabaseFile {
        connection,
        size,
        clock,
        unlocked: None,
        copy: None,
    })
}

/// Nothing in the file is trusted: no function, view or trigger of its schema runs, and sizes and times are limited.
fn harden(connection: &mut Connection, clock: &Arc<Clock>, stop: &Stop) -> rusqlite::Result<()> {
    for (setting, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ] {
        connection.set_db_config(setting, on)?;
    }
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_LENGTH, LONGEST),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
        (Limit::SQLITE_LIMIT_COLUMN, 500),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 50),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 3),
        (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
        (Limit::SQLITE_LIMIT_FUNCTION_ARG, 8),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, most)?;
    }
    connection.busy_timeout(LOCK)?;
    let (clock, stop) = (Arc::clone(clock), stop.clone());
    let give_up = move || stop.is_set() || clock.has_waited();
    connection.progress_handler(STEPS, Some(give_up))?;
    connection.execute_batch("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;")
}

impl Clock {
    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn note(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
    }

    fn has_waited(&self) -> bool {
        let since = self.now().saturating_sub(self.last.load(Ordering::Relaxed));
        since > ROW.as_millis() as u64
    }
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt as _;

        Self {
            length: found.len(),
            modified: found.modified().ok(),
            #[cfg(unix)]
            inode: found.ino(),
            #[cfg(unix)]
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }

    fn of_both(path: &Path, log: &Path) -> Option<[Self; 2]> {
        let of = |path: &Path| fs::metadata(path).ok().map(|found| Self::of(&found));
        Some([of(path)?, of(log)?])
    }

    fn is_fresh(&self) -> bool {
        let age = self.modified.and_then(|time| time.elapsed().ok());
        // A time in the future says nothing.
        age.is_some_and(|age| age < PAUSE / 2)
    }
}

/// Which of the log, its index and the rollback journal exist. SQLite would wait for a pipe in their place.
fn neighbours(path: &Path) -> Result<[bool; 3], String> {
    let mut there = [false; 3];
    for (there, ending) in there.iter_mut().zip(["-wal", "-shm", "-journal"]) {
        let name = beside(path, ending);
        *there = match fs::symlink_metadata(&name) {
            Ok(found) if found.is_file() => true,
            Ok(_) => return Err(format!("{} is not a regular file", name.display())),
            Err(_) => false,
        };
    }
    Ok(there)
}

fn header(path: &Path) -> io::Result<[u8; 2]> {
    let mut header = [0; 20];
    regular::open(path)?.read_exact(&mut header)?;
    Ok([header[18], header[19]])
}

/// Copies at most what the file is allowed to have.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = regular::open(from)?.take(LARGEST_COPY);
    io::copy(&mut source, &mut fs::File::create(to)?)?;
    Ok(())
}

/// Errors that say nothing of locks or of the content.
fn is_unusable(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    )
}

pub(super) fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The name of a file that SQLite keeps beside a database.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The address of a database, with options.
fn address(path: &Path, options: &str) -> String {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                address.push(char::from(*byte));
            }
            byte => {
                // Writing to a string does not fail.
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address + "?" + options
}

#[cfg(all(test, unix))]
#[path = "database_file_tests.rs"]
mod tests;
