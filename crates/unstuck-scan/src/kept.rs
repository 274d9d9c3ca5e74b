//! Events of a file that excerpts may need, kept while the file is replayed.

use std::{collections::VecDeque, mem};

use super::{seen::Seen, work::Excerpts};

/// Bytes of events that are kept of one file. Where a loop needs older ones, the file is read again.
const MOST: usize = 8 << 20;

/// The latest events of a file.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) excerpts: Excerpts,
    pub(crate) events: VecDeque<KeptEvent>,
    bytes: usize,
    /// What is not kept any more, by the number of the run in the file.
    dropped: Vec<Dropped>,
}

/// An event of a run.
#[derive(Debug)]
pub(crate) struct KeptEvent {
    /// Number of the run in the file.
    pub(crate) run: usize,
    /// Number of the event in its run, counted from one.
    pub(crate) number: u64,
    pub(crate) seen: Seen,
}

/// Events of a run that are not kept any more: all up to the last one that was dropped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dropped {
    /// Number of the last event.
    pub(crate) event: u64,
    /// Number of calls.
    pub(crate) calls: u64,
}

impl Kept {
    pub(crate) fn new(excerpts: Excerpts) -> Self {
        Self {
            excerpts,
            events: VecDeque::new(),
            bytes: 0,
            dropped: Vec::new(),
        }
    }

    pub(crate) fn keep(&mut self, event: KeptEvent) {
        self.bytes += event.bytes();
        self.events.push_back(event);
        while self.bytes > MOST
            && let Some(oldest) = self.events.pop_front()
        {
            self.bytes -= oldest.bytes();
            if self.dropped.len() <= oldest.run {
                self.dropped.resize(oldest.run + 1, Dropped::default());
            }
            let dropped = &mut self.dropped[oldest.run];
            dropped.event = oldest.number;
            dropped.calls += u64::from(oldest.seen.is_call());
        }
    }

    /// What is not kept any more of a run.
    pub(crate) fn dropped(&self, run: usize) -> Dropped {
        self.dropped.get(run).copied().unwrap_or_default()
    }
}

impl KeptEvent {
    fn bytes(&self) -> usize {
        mem::size_of::<Self>() + self.seen.bytes()
    }
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;
