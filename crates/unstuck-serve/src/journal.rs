//! What one shard observed, in files: a snapshot of its agents, and a journal of everything since.
//!
//! A record is in the file before its event is answered. The system keeps it when this process is killed; a loss of power
//! may lose the last seconds.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use unstuck::swarm::Tally;
use unstuck_store::{regular, replace};

/// Bytes before a record: its length, and the beginning of its hash.
const HEAD: usize = 12;
const CHECK: usize = 8;

/// One entry of a journal.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Record<'a> {
    /// An event was taken in. `at` is the time it was given, where it had none.
    Event {
        /// Its JSON.
        text: &'a str,
        at: Option<i64>,
    },
    /// The question with this number was answered, with a tally or without.
    Tally { question: u64, tally: Option<Tally> },
}

/// Most bytes that wait for a disk that is full. Beyond it a restart goes on from an earlier state.
const MOST_WAITING: usize = 16 << 20;

/// The files of one shard.
#[derive(Debug)]
pub(crate) struct Journal {
    directory: PathBuf,
    name: String,
    /// Number of the snapshot that the journal goes on from.
    generation: u64,
    file: File,
    length: u64,
    /// Records that are not in the file yet.
    buffer: Vec<u8>,
}

/// What the files of a shard hold.
pub(crate) struct Found {
    pub(crate) journal: Journal,
    /// The last snapshot. `None` if there is none.
    pub(crate) snapshot: Option<Vec<u8>>,
    /// The records since then.
    pub(crate) records: Vec<u8>,
}

impl Journal {
    /// Opens the files of a shard, which are made if they are missing.
    pub(crate) fn open(directory: &Path, shard: usize) -> io::Result<Found> {
        let name = format!("shard-{shard:02}");
        let mut generations: Vec<u64> = fs::read_dir(directory)?
            .flatten()
            .filter_map(|file| {
                let file = file.file_name().into_string().ok()?;
                let (number, kind) = file
                    .strip_prefix(&name)?
                    .strip_prefix('.')?
                    .split_once('.')?;
                (kind == "snapshot").then(|| number.parse().ok())?
            })
            .collect();
        generations.sort_unstable();
        // A snapshot that is damaged was not written to its end, and the one before it is still there.
        let found = generations.into_iter().rev().find_map(|generation| {
            let path = path_of(directory, &name, generation, "snapshot");
            Some((generation, parse(&read(&path).ok()?).next()?.to_vec()))
        });
        let (generation, snapshot) = match found {
            Some((generation, snapshot)) => (generation, Some(snapshot)),
            None => (0, None),
        };
        let path = path_of(directory, &name, generation, "journal");
        let records = match read(&path) {
            Ok(records) => records,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let file = open(&path)?;
        // What was cut off would hide the records behind it.
        let length = parse(&records)
            .map(|record| HEAD + record.len())
            .sum::<usize>() as u64;
        file.set_len(length)?;
        let journal = Self {
            directory: directory.to_owned(),
            name,
            generation,
            file,
            length,
            buffer: Vec::new(),
        };
        journal.remove_others();
        Ok(Found {
            journal,
            snapshot,
            records,
        })
    }

    /// Adds a record. It is kept once [`flush`](Self::flush) has returned.
    pub(crate) fn add(&mut self, record: &Record<'_>) {
        // Writing plain data into a vector has no way to fail.
        let body = postcard::to_allocvec(record).unwrap_or_default();
        frame(&mut self.buffer, &body);
    }

    /// Writes what was added.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let written = self.file.write_all(&self.buffer);
        if written.is_err() {
            if self.buffer.len() > MOST_WAITING {
                self.buffer.clear();
            }
            // A part of a record would hide those behind it.
            self.file.set_len(self.length)?;
        } else {
            self.length += self.buffer.len() as u64;
            self.buffer.clear();
        }
        if self.buffer.capacity() > 1 << 20 {
            self.buffer.shrink_to(64 << 10);
        }
        written
    }

    /// Bytes of the journal.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Starts a new journal from a snapshot of everything that the old one led to.
    pub(crate) fn restart(&mut self, snapshot: &[u8]) -> io::Result<()> {
        let next = self.generation + 1;
        let path = |kind| path_of(&self.directory, &self.name, next, kind);
        let mut bytes = Vec::with_capacity(snapshot.len() + HEAD);
        frame(&mut bytes, snapshot);
        let file = open(&path("journal"))?;
        file.set_len(0)?;
        replace(&path("snapshot"), &bytes).map_err(io::Error::other)?;
        self.file = file;
        self.length = 0;
        self.generation = next;
        self.buffer.clear();
        self.remove_others();
        Ok(())
    }

    /// Removes the files of other generations.
    fn remove_others(&self) {
        let Ok(files) = fs::read_dir(&self.directory) else {
            return;
        };
        let own = format!("{}.{}.", self.name, self.generation);
        for file in files.flatten() {
            let name = file.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&format!("{}.", self.name)) && !name.starts_with(&own) {
                let _ = fs::remove_file(file.path());
            }
        }
    }
}

/// The records of a journal, in order, up to the first that is damaged.
pub(crate) fn records(bytes: &[u8]) -> impl Iterator<Item = Record<'_>> {
    parse(bytes).map_while(|body| postcard::from_bytes(body).ok())
}

fn parse(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (length, behind) = rest.split_first_chunk::<4>()?;
        let (check, behind) = behind.split_first_chunk::<CHECK>()?;
        let (body, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = behind;
        (blake3::hash(body).as_bytes()[..CHECK] == *check).then_some(body)
    })
    .fuse()
}

fn frame(to: &mut Vec<u8>, body: &[u8]) {
    to.extend_from_slice(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    to.extend_from_slice(&blake3::hash(body).as_bytes()[..CHECK]);
    to.extend_from_slice(body);
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // The directory is this user's alone; the check is that it is a file.
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut regular::open(path)?, &mut bytes)?;
    Ok(bytes)
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn path_of(directory: &Path, name: &str, generation: u64, kind: &str) -> PathBuf {
    directory.join(format!("{name}.{generation}.{kind}"))
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
