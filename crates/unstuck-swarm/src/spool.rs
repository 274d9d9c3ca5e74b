//! Copies of entries that the store has not acknowledged, in files that outlive their process.
//!
//! One file for each writer, and a lock that its process holds. A process that starts takes over the files of those that
//! have ended, together with their writers, so that the store recognises entries that it has applied already.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use unstuck::swarm::Worker;
use unstuck_store::{Lock, StoreError, open_log, read_trusted};

use crate::{
    backlog::Kept,
    batch::{Entry, Writer},
    keys::{CallKey, SwarmKey},
};

/// Bytes of one entry: the entry, and the beginning of its hash.
const RECORD: usize = 60 + CHECK;
const CHECK: usize = 4;

/// No file is larger: a backlog is bounded.
const LARGEST: u64 = 64 << 20;

const EXTENSION: &str = "spool";

/// The file of one writer. Removed with it if nothing is left to send.
#[derive(Debug)]
pub(crate) struct Spool {
    writer: Writer,
    path: PathBuf,
    file: File,
    _lock: Lock,
}

impl Spool {
    /// Opens the file of a writer. An error if another process has it.
    pub(crate) fn open(directory: &Path, writer: Writer) -> Result<Self, StoreError> {
        let path = directory.join(format!("{:016x}.{EXTENSION}", writer.to_bits()));
        let lock = Lock::take(&path.with_extension("lock"), Duration::ZERO)?;
        let (file, _) = open_log(&path).map_err(|cause| StoreError::Io {
            what: "open",
            path: path.clone(),
            cause,
        })?;
        Ok(Self {
            writer,
            path,
            file,
            _lock: lock,
        })
    }

    /// The files of processes that have ended, with what they hold.
    pub(crate) fn abandoned(directory: &Path) -> Vec<(Self, Vec<Kept>)> {
        let Ok(files) = fs::read_dir(directory) else {
            return Vec::new();
        };
        let writers = files.flatten().filter_map(|file| {
            let name = file.file_name();
            let (stem, extension) = name.to_str()?.split_once('.')?;
            let bits = u64::from_str_radix(stem, 16).ok()?;
            (extension == EXTENSION).then(|| Writer::from_bits(bits))
        });
        writers
            .filter_map(|writer| {
                let spool = Self::open(directory, writer).ok()?;
                let bytes = read_trusted(&spool.path, LARGEST).ok()??;
                Some((spool, parse(&bytes)))
            })
            .collect()
    }

    pub(crate) fn writer(&self) -> Writer {
        self.writer
    }

    /// Adds an entry at the end.
    pub(crate) fn add(&mut self, kept: &Kept) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        let torn = length % RECORD as u64;
        if torn != 0 {
            // An entry that its process could not write to the end would hide those behind it.
            self.file.set_len(length - torn)?;
        }
        self.file.write_all(&record(kept))
    }

    /// Forgets all entries.
    pub(crate) fn empty(&mut self) {
        // What stays is sent again, and the store knows it.
        let _ = self.file.set_len(0);
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if self.file.metadata().is_ok_and(|found| found.len() == 0) {
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_file(self.path.with_extension("lock"));
        }
    }
}

fn record(kept: &Kept) -> [u8; RECORD] {
    let Kept { swarm, entry, at } = kept;
    let mut bytes = [0; RECORD];
    let parts: [&[u8]; 6] = [
        swarm.as_bytes(),
        &at.to_be_bytes(),
        &entry.number.to_be_bytes(),
        entry.call.as_bytes(),
        &entry.worker.to_bits().to_be_bytes(),
        &entry.calls.to_be_bytes(),
    ];
    let mut rest = bytes.as_mut_slice();
    for part in parts {
        let (place, behind) = rest.split_at_mut(part.len());
        place.copy_from_slice(part);
        rest = behind;
    }
    let (body, check) = bytes.split_at_mut(RECORD - CHECK);
    check.copy_from_slice(&blake3::hash(body).as_bytes()[..CHECK]);
    bytes
}

/// The entries of a file, in the order of their numbers. One that is damaged is left out.
fn parse(bytes: &[u8]) -> Vec<Kept> {
    let mut all: Vec<_> = bytes.chunks_exact(RECORD).filter_map(read).collect();
    all.sort_by_key(|kept| kept.entry.number);
    all
}

fn read(record: &[u8]) -> Option<Kept> {
    let (body, check) = record.split_at_checked(RECORD - CHECK)?;
    if blake3::hash(body).as_bytes()[..CHECK] != *check {
        return None;
    }
    let (swarm, body) = body.split_first_chunk::<16>()?;
    let (at, body) = body.split_first_chunk::<8>()?;
    let (number, body) = body.split_first_chunk::<8>()?;
    let (call, body) = body.split_first_chunk::<16>()?;
    let (worker, body) = body.split_first_chunk::<8>()?;
    let (calls, _) = body.split_first_chunk::<4>()?;
    Some(Kept {
        swarm: SwarmKey::from_bytes(*swarm),
        at: u64::from_be_bytes(*at),
        entry: Entry {
            number: u64::from_be_bytes(*number),
            call: CallKey::from_bytes(*call),
            worker: Worker::from_bits(u64::from_be_bytes(*worker)),
            calls: u32::from_be_bytes(*calls),
        },
    })
}

#[cfg(test)]
#[path = "spool_tests.rs"]
mod tests;
