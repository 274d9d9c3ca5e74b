//! A writer with the entries that the store has not acknowledged.

use std::collections::VecDeque;

use crate::{
    batch::{Entry, Writer},
    keys::SwarmKey,
    spool::Spool,
};

/// An entry that the store has not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) swarm: SwarmKey,
    pub(crate) entry: Entry,
    /// When it was counted, in milliseconds since 1970.
    pub(crate) at: u64,
}

/// A writer, used by one caller at a time.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(crate) writer: Writer,
    /// Number of the last entry.
    number: u64,
    /// In the order of their numbers.
    backlog: VecDeque<Kept>,
    /// Copy of the backlog that outlives the process.
    pub(crate) spool: Option<Spool>,
}

impl Lane {
    pub(crate) fn new(writer: Writer) -> Self {
        Self {
            writer,
            number: 0,
            backlog: VecDeque::new(),
            spool: None,
        }
    }

    /// The lane of a process that has ended.
    pub(crate) fn of_spool(spool: Spool, backlog: Vec<Kept>) -> Self {
        Self {
            writer: spool.writer(),
            number: backlog.last().map_or(0, |kept| kept.entry.number),
            backlog: backlog.into(),
            spool: Some(spool),
        }
    }

    pub(crate) fn next_number(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    pub(crate) fn len(&self) -> usize {
        self.backlog.len()
    }

    /// The swarm of the oldest entry.
    pub(crate) fn oldest_swarm(&self) -> Option<SwarmKey> {
        self.backlog.front().map(|kept| kept.swarm)
    }

    /// The oldest entries of a swarm, at most `most`.
    pub(crate) fn oldest(&self, swarm: SwarmKey, most: usize) -> Vec<Entry> {
        let of_swarm = self.backlog.iter().filter(|kept| kept.swarm == swarm);
        of_swarm.take(most).map(|kept| kept.entry).collect()
    }

    /// Adds an entry. Returns an error if no copy of it could be written; then it is kept in memory alone.
    pub(crate) fn keep(&mut self, kept: Kept) -> std::io::Result<()> {
        self.backlog.push_back(kept);
        self.spool.as_mut().map_or(Ok(()), |spool| spool.add(&kept))
    }

    /// Removes the entries of a swarm up to a number. Returns how many there were.
    pub(crate) fn remove(&mut self, swarm: SwarmKey, up_to: u64) -> usize {
        self.remove_where(|kept| kept.swarm == swarm && kept.entry.number <= up_to)
    }

    /// Removes the entries that were counted before a time. Returns how many there were.
    pub(crate) fn remove_before(&mut self, time: u64) -> usize {
        self.remove_where(|kept| kept.at < time)
    }

    fn remove_where(&mut self, is_removed: impl Fn(&Kept) -> bool) -> usize {
        let before = self.backlog.len();
        if before == 0 {
            return 0;
        }
        self.backlog.retain(|kept| !is_removed(kept));
        if self.backlog.is_empty()
            && let Some(spool) = &mut self.spool
        {
            spool.empty();
        }
        before - self.backlog.len()
    }
}
