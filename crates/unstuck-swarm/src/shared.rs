//! Tallies of a store that may be slow or away.

use std::{
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use unstuck::swarm::{Delta, SwarmBook, SwarmStore as _, Tally};
use unstuck_store::private_directory;

use crate::{
    backlog::{Kept, Lane},
    batch::{Batch, Entry, Writer},
    error::TallyError,
    generations::now_ms,
    health::Health,
    keys::{Keys, SwarmKey},
    spool::Spool,
    store::TallyStore,
};

/// Tallies that processes share through a store, for any number of threads.
///
/// A call is answered within [`SharedOptions::within`]. If the store does not answer by then, the tally is that of this
/// process alone, and the call is added to the store later, exactly once: each entry has a writer and a number, and the store
/// skips numbers that it has seen. After a failure one caller tries the store after each pause, and the others do not wait.
#[derive(Debug)]
pub struct SharedTallies<S> {
    store: S,
    keys: Keys,
    options: SharedOptions,
    /// Writers that no caller uses at the moment.
    lanes: Mutex<Vec<Lane>>,
    health: Mutex<Health>,
    /// What this process alone has counted.
    local: Mutex<SwarmBook>,
    kept: AtomicUsize,
    counts: Counts,
}

/// How [`SharedTallies`] uses its store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SharedOptions {
    /// Longest wait for the store, for one call.
    pub within: Duration,
    /// Most entries that wait for a store that is away. Further calls are counted in this process alone.
    pub most_kept: usize,
    /// Directory for copies of the waiting entries, so that they outlive this process. `None` keeps them in memory alone.
    pub spool: Option<PathBuf>,
    /// Different calls that this process counts for the time without a store.
    pub local: std::num::NonZeroU32,
}

/// The tally of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The tally of all processes.
    Shared(Tally),
    /// The tally of this process alone: the store did not answer in time.
    Local(Tally),
}

/// Numbers of calls since the start of this process, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Answered by the store.
    pub shared: u64,
    /// Answered without it.
    pub local: u64,
    /// Added to the store later.
    pub merged: u64,
    /// Never added to the store: too many were waiting, they waited for longer than half a window, or the swarm was full.
    pub dropped: u64,
    /// Waiting now.
    pub kept: u64,
    /// Waiting entries of which no copy could be written.
    pub without_copy: u64,
}

#[derive(Debug, Default)]
struct Counts {
    shared: AtomicU64,
    local: AtomicU64,
    merged: AtomicU64,
    dropped: AtomicU64,
    without_copy: AtomicU64,
}

impl<S: TallyStore> SharedTallies<S> {
    /// Uses a store. Entries that an earlier process left in the spool are taken over.
    pub fn new(store: S, keys: Keys, options: SharedOptions) -> Result<Self, TallyError> {
        let mut lanes = Vec::new();
        if let Some(spool) = &options.spool {
            private_directory(spool)?;
            let abandoned = Spool::abandoned(spool).into_iter();
            lanes.extend(abandoned.map(|(spool, kept)| Lane::of_spool(spool, kept)));
        }
        Ok(Self {
            kept: AtomicUsize::new(lanes.iter().map(Lane::len).sum()),
            lanes: Mutex::new(lanes),
            health: Mutex::default(),
            local: Mutex::new(SwarmBook::new(options.local)),
            counts: Counts::default(),
            store,
            keys,
            options,
        })
    }

    /// Counts a call. Returns the tally of the swarm, or that of this process if the store does not answer in time.
    pub fn apply(&self, delta: &Delta) -> Answer {
        let until = Instant::now() + self.options.within;
        let local = lock(&self.local).apply(delta);
        let Some(mut lane) = self.take_lane() else {
            self.counts.dropped.fetch_add(1, Relaxed);
            self.counts.local.fetch_add(1, Relaxed);
            return Answer::Local(local);
        };
        let swarm = self.keys.swarm(&delta.swarm);
        let entry = Entry {
            number: lane.next_number(),
            call: self.keys.call(&delta.fingerprint),
            worker: self.keys.worker(delta.worker),
            calls: u32::try_from(delta.calls).unwrap_or(u32::MAX),
        };
        let sent = if lock(&self.health).admit(Instant::now()) {
            let sent = self.send(&mut lane, swarm, Some(entry), until);
            self.report(sent.as_ref().err());
            sent
        } else {
            Err(TallyError::Away("it failed a moment ago".into()))
        };
        match &sent {
            Err(error) if error.is_temporary() => self.keep(&mut lane, swarm, entry),
            Err(_) => {
                self.counts.dropped.fetch_add(1, Relaxed);
            }
            Ok(_) => {}
        }
        lock(&self.lanes).push(lane);
        if let Ok(tally) = sent {
            self.counts.shared.fetch_add(1, Relaxed);
            self.merge_some(until);
            return Answer::Shared(tally);
        }
        self.counts.local.fetch_add(1, Relaxed);
        Answer::Local(local)
    }

    /// Adds what is waiting to the store. Returns the number of entries that still wait after `within`.
    pub fn flush(&self, within: Duration) -> usize {
        let until = Instant::now() + within;
        while self.kept.load(Relaxed) > 0 && Instant::now() < until {
            let Some(mut lane) = self.take_waiting() else {
                // Another caller has it.
                std::thread::yield_now();
                continue;
            };
            let mut sent = Ok(());
            while let Some(swarm) = lane.oldest_swarm()
                && sent.is_ok()
            {
                sent = self.send(&mut lane, swarm, None, until).map(drop);
            }
            self.report(sent.as_ref().err());
            lock(&self.lanes).push(lane);
            if sent.is_err() {
                let left = until.saturating_duration_since(Instant::now());
                std::thread::sleep(left.min(Duration::from_millis(20)));
            }
        }
        self.kept.load(Relaxed)
    }

    /// What became of the calls so far.
    pub fn counters(&self) -> Counters {
        Counters {
            shared: self.counts.shared.load(Relaxed),
            local: self.counts.local.load(Relaxed),
            merged: self.counts.merged.load(Relaxed),
            dropped: self.counts.dropped.load(Relaxed),
            kept: self.kept.load(Relaxed) as u64,
            without_copy: self.counts.without_copy.load(Relaxed),
        }
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The keys under which the store knows swarms, calls and workers.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Sends what waits for a swarm, then the new entry, in batches and in the order of their numbers. Returns the tally of
    /// the last entry.
    fn send(
        &self,
        lane: &mut Lane,
        swarm: SwarmKey,
        new: Option<Entry>,
        until: Instant,
    ) -> Result<Tally, TallyError> {
        // A store forgets the numbers of a writer after a window, so what is older could be counted twice. Half of it
        // leaves time for the sending.
        let oldest = now_ms().saturating_sub(self.store.limits().window_ms() / 2);
        self.forget(lane.remove_before(oldest), &self.counts.dropped);
        loop {
            let mut entries = lane.oldest(swarm, Batch::MOST);
            let is_last = entries.len() < Batch::MOST;
            if is_last {
                entries.extend(new);
            }
            let Some(last) = entries.last().copied() else {
                return Ok(Tally::default());
            };
            let batch = Batch {
                swarm,
                writer: lane.writer,
                entries: &entries,
            };
            let within = until.saturating_duration_since(Instant::now());
            let applied = if within.is_zero() {
                Err(TallyError::Away("no time is left".into()))
            } else {
                self.store.apply(&batch, within)
            };
            match &applied {
                Ok(_) => self.forget(lane.remove(swarm, last.number), &self.counts.merged),
                Err(error) if error.is_temporary() => {}
                Err(_) => self.forget(lane.remove(swarm, last.number), &self.counts.dropped),
            }
            if is_last || applied.is_err() {
                return applied;
            }
        }
    }

    /// Counts entries that no longer wait.
    fn forget(&self, entries: usize, count: &AtomicU64) {
        if entries > 0 {
            self.kept.fetch_sub(entries, Relaxed);
            count.fetch_add(entries as u64, Relaxed);
        }
    }

    fn keep(&self, lane: &mut Lane, swarm: SwarmKey, entry: Entry) {
        let at = now_ms();
        if self.kept.fetch_add(1, Relaxed) >= self.options.most_kept {
            self.forget(1, &self.counts.dropped);
            return;
        }
        if lane.spool.is_none()
            && let Some(directory) = &self.options.spool
        {
            lane.spool = Spool::open(directory, lane.writer).ok();
        }
        let has_copy = lane.spool.is_some();
        if lane.keep(Kept { swarm, entry, at }).is_err() || !has_copy {
            self.counts.without_copy.fetch_add(1, Relaxed);
        }
    }

    /// Sends one batch of what another caller had to leave.
    fn merge_some(&self, until: Instant) {
        if self.kept.load(Relaxed) == 0 || Instant::now() >= until {
            return;
        }
        let Some(mut lane) = self.take_waiting() else {
            return;
        };
        if let Some(swarm) = lane.oldest_swarm() {
            let sent = self.send(&mut lane, swarm, None, until);
            self.report(sent.as_ref().err());
        }
        lock(&self.lanes).push(lane);
    }

    fn report(&self, error: Option<&TallyError>) {
        let mut health = lock(&self.health);
        match error {
            Some(error) if error.is_temporary() => health.failed(Instant::now()),
            _ => health.succeeded(),
        }
    }

    /// A writer for this caller alone. There are as many as callers at the same time.
    fn take_lane(&self) -> Option<Lane> {
        let free = lock(&self.lanes).pop();
        free.or_else(|| Writer::random().ok().map(Lane::new))
    }

    /// A writer with waiting entries that no other caller uses.
    fn take_waiting(&self) -> Option<Lane> {
        let mut lanes = lock(&self.lanes);
        let at = lanes.iter().position(|lane| lane.len() > 0)?;
        Some(lanes.swap_remove(at))
    }
}

impl Answer {
    /// The tally.
    pub fn tally(&self) -> &Tally {
        match self {
            Self::Shared(tally) | Self::Local(tally) => tally,
        }
    }
}

/// 20 ms for a call, 10,000 waiting entries, no copies on disk.
impl Default for SharedOptions {
    fn default() -> Self {
        Self {
            within: Duration::from_millis(20),
            most_kept: 10_000,
            spool: None,
            local: std::num::NonZeroU32::MIN.saturating_add(16_383),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "shared_tests.rs"]
mod tests;
