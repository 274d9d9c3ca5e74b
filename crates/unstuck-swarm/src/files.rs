//! A store in files, for processes of one user on one machine.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use serde::{Serialize, de::DeserializeOwned};
use unstuck::swarm::{Tally, Worker};
use unstuck_store::{Lock, StoreError, private_directory, read_trusted, replace};

use crate::{
    batch::{Batch, Entry},
    dead::{CallNews, DeadCall, DeadCallStore, DeadLimits},
    dead_book::DeadBook,
    error::TallyError,
    generations::{Generations, now_ms},
    keys::{CallKey, SwarmKey},
    memory::MemoryTallies,
    store::{CallTally, TallyLimits, TallyStore},
};

/// A store in a directory that only its user may use.
///
/// The calls of a swarm are spread over 16 files, each with a lock of its own, so that one step reads and writes a small
/// part of them. A batch with calls of several files is applied file by file; each file remembers its writers, so a batch
/// that is repeated is still counted once.
#[derive(Clone, Debug)]
pub struct FileTallies {
    root: PathBuf,
    limits: TallyLimits,
    dead_limits: DeadLimits,
}

/// Files of one swarm.
const SHARDS: u8 = 16;

/// No file is larger.
const LARGEST: u64 = 64 << 20;

const MAGIC: &[u8; 8] = b"unstally";
const VERSION: u8 = 1;

/// Bytes of the checksum.
const CHECK: usize = 16;

impl FileTallies {
    /// Opens the store under a directory, which is made if it is missing. Files of swarms that are over are removed.
    pub fn open(root: impl Into<PathBuf>, limits: TallyLimits) -> Result<Self, TallyError> {
        let store = Self {
            root: root.into(),
            limits,
            dead_limits: DeadLimits::default(),
        };
        private_directory(&store.root)?;
        store.tidy();
        Ok(store)
    }

    /// Changes when a call is dead.
    #[must_use]
    pub fn with_dead_limits(mut self, limits: DeadLimits) -> Self {
        self.dead_limits = limits;
        self
    }

    /// Applies the entries of one file. Returns the tally of the last one.
    fn apply_in(&self, shard: u8, batch: &Batch<'_>, until: Instant) -> Result<Tally, TallyError> {
        let file = self.open_shard(batch.swarm, shard, until)?;
        let mut generations: Generations = file.read()?;
        let tally = generations.apply(batch, &self.limits, now_ms())?;
        file.write(&generations)?;
        Ok(tally)
    }

    fn open_shard(
        &self,
        swarm: SwarmKey,
        shard: u8,
        until: Instant,
    ) -> Result<TallyFile, TallyError> {
        self.open_file(swarm, &format!("{shard:x}"), until)
    }

    fn open_file(
        &self,
        swarm: SwarmKey,
        name: &str,
        until: Instant,
    ) -> Result<TallyFile, TallyError> {
        let directory = self.root.join(swarm.to_string());
        let wait = until.saturating_duration_since(Instant::now());
        let lock = directory.join(format!("{name}.lock"));
        let lock = match Lock::take(&lock, wait) {
            Err(StoreError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
                let swarms = fs::read_dir(&self.root).map(Iterator::count);
                if swarms.is_ok_and(|swarms| swarms >= MemoryTallies::MOST_SWARMS) {
                    self.tidy();
                    let swarms = fs::read_dir(&self.root).map(Iterator::count);
                    if swarms.is_ok_and(|swarms| swarms >= MemoryTallies::MOST_SWARMS) {
                        return Err(TallyError::Full);
                    }
                }
                private_directory(&directory)?;
                Lock::take(&lock, wait)?
            }
            lock => lock?,
        };
        Ok(TallyFile {
            path: directory.join(format!("{name}.tally")),
            _lock: lock,
        })
    }

    /// Removes directories of swarms in which nothing was counted for two windows.
    fn tidy(&self) {
        let Ok(swarms) = fs::read_dir(&self.root) else {
            return;
        };
        let oldest = SystemTime::now().checked_sub(self.limits.window.saturating_mul(2));
        for swarm in swarms.flatten() {
            let path = swarm.path();
            let is_over = || newest(&path).is_some_and(|newest| Some(newest) < oldest);
            // A process that counts at this very moment makes the directory again.
            if path.is_dir() && is_over() {
                let _ = fs::remove_dir_all(&path);
            }
        }
    }
}

/// When the newest file of a directory was written, or the directory itself.
fn newest(directory: &Path) -> Option<SystemTime> {
    let files = fs::read_dir(directory).ok()?.flatten();
    let own = fs::metadata(directory).and_then(|found| found.modified());
    files
        .filter_map(|file| file.metadata().ok()?.modified().ok())
        .chain(own.ok())
        .max()
}

impl TallyStore for FileTallies {
    fn apply(&self, batch: &Batch<'_>, within: Duration) -> Result<Tally, TallyError> {
        let until = Instant::now() + within;
        let shard = |entry: &Entry| entry.call.as_bytes()[0] % SHARDS;
        let Some(last) = batch.entries.last() else {
            return Ok(Tally::default());
        };
        let mut answer = Tally::default();
        for each in 0..SHARDS {
            let entries: Vec<_> = batch
                .entries
                .iter()
                .filter(|entry| shard(entry) == each)
                .copied()
                .collect();
            if entries.is_empty() {
                continue;
            }
            let part = Batch {
                entries: &entries,
                ..*batch
            };
            let tally = self.apply_in(each, &part, until)?;
            if shard(last) == each {
                answer = tally;
            }
        }
        Ok(answer)
    }

    fn tallies(&self, swarm: SwarmKey, within: Duration) -> Result<Vec<CallTally>, TallyError> {
        let until = Instant::now() + within;
        if !self.root.join(swarm.to_string()).exists() {
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        for shard in 0..SHARDS {
            let mut generations: Generations = self.open_shard(swarm, shard, until)?.read()?;
            all.append(&mut generations.tallies(&self.limits, now_ms()));
        }
        all.sort_by_key(|counted| counted.call);
        Ok(all)
    }

    fn clear(&self, swarm: SwarmKey, within: Duration) -> Result<(), TallyError> {
        let until = Instant::now() + within;
        if !self.root.join(swarm.to_string()).exists() {
            return Ok(());
        }
        for shard in 0..SHARDS {
            let file = self.open_shard(swarm, shard, until)?;
            let mut generations: Generations = file.read()?;
            generations.clear();
            file.write(&generations)?;
        }
        Ok(())
    }

    fn limits(&self) -> TallyLimits {
        self.limits
    }
}

impl DeadCallStore for FileTallies {
    fn news(
        &self,
        (swarm, call): (SwarmKey, CallKey),
        worker: Worker,
        news: &CallNews<'_>,
        within: Duration,
    ) -> Result<Option<DeadCall>, TallyError> {
        if *news != CallNews::Planned || self.root.join(swarm.to_string()).exists() {
            let file = self.open_file(swarm, "dead", Instant::now() + within)?;
            let before: DeadBook = file.read()?;
            let mut book = before.clone();
            let dead = book.news(call, worker, news, &self.dead_limits, now_ms());
            if book != before {
                file.write(&book)?;
            }
            return Ok(dead);
        }
        Ok(None)
    }
}

/// A file of one swarm, locked until it is dropped.
struct TallyFile {
    path: PathBuf,
    _lock: Lock,
}

impl TallyFile {
    /// The content. A file that is damaged or of another version is forgotten, as if its window were over.
    fn read<T: Default + DeserializeOwned>(&self) -> Result<T, TallyError> {
        let bytes = read_trusted(&self.path, LARGEST)?;
        Ok(bytes.and_then(|bytes| parse(&bytes)).unwrap_or_default())
    }

    fn write(&self, content: &impl Serialize) -> Result<(), TallyError> {
        // Writing plain data into a vector has no way to fail.
        let body = postcard::to_allocvec(content).unwrap_or_default();
        let mut bytes = Vec::with_capacity(MAGIC.len() + 1 + CHECK + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(VERSION);
        bytes.extend_from_slice(&blake3::hash(&body).as_bytes()[..CHECK]);
        bytes.extend_from_slice(&body);
        Ok(replace(&self.path, &bytes)?)
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let rest = bytes.strip_prefix(MAGIC)?.strip_prefix(&[VERSION])?;
    let (check, body) = rest.split_first_chunk::<CHECK>()?;
    if blake3::hash(body).as_bytes()[..CHECK] != *check {
        return None;
    }
    postcard::from_bytes(body).ok()
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
