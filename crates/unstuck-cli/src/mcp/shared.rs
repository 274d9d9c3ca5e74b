//! The guard and the audit, shared by all threads that carry messages.

use std::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use unstuck_audit::{AuditFile, AuditWriter, Extent, HeadPace, HeadTarget, OnFailure};
use unstuck_mcp::{Guard, Micros};
use unstuck_session::{clock, sync::lock};
use unstuck_text::Notify;

use super::{notices::Notices, release::Release};

/// State that all threads share.
///
/// A thread that needs both locks takes the one of the audit first.
pub(crate) struct Shared {
    guard: Mutex<Guard>,
    audit: Mutex<AuditWriter>,
    /// How often the audit could not be written.
    failures: AtomicU64,
    clock: Clock,
    longest: usize,
    on_failure: OnFailure,
    dropped: Notices,
    pub(super) release: Release,
}

/// The time of day when it was made, and from then on a clock that never jumps.
struct Clock {
    start: Instant,
    at_start: i64,
}

impl Clock {
    fn now(&self) -> Micros {
        let since = i64::try_from(self.start.elapsed().as_micros()).unwrap_or(i64::MAX);
        Micros(self.at_start.saturating_add(since))
    }
}

impl Shared {
    pub(crate) fn new(
        guard: Guard,
        audit: Option<AuditFile>,
        on_failure: OnFailure,
        longest: usize,
        notify: Notify,
    ) -> Self {
        Self {
            guard: Mutex::new(guard),
            audit: Mutex::new(AuditWriter::new(audit, on_failure, notify)),
            failures: AtomicU64::new(0),
            clock: Clock {
                start: Instant::now(),
                at_start: clock::now().saturating_mul(1_000),
            },
            longest,
            on_failure,
            dropped: Notices::new(
                "a line of the server was not passed on, because it is not an MCP message",
            ),
            release: Release::default(),
        }
    }

    /// Sends heads of the audit to these targets from now on.
    pub(crate) fn send_heads(&self, targets: Vec<HeadTarget>, pace: HeadPace) {
        lock(&self.audit).send_heads(targets, pace);
    }

    /// Works on the guard.
    pub(crate) fn with_guard<T>(&self, work: impl FnOnce(&mut Guard) -> T) -> T {
        work(&mut self.guard())
    }

    /// Records what can wait, and gives memory back. To be called often.
    pub(crate) fn catch_up(&self) {
        let now = self.now();
        self.guard().tick(now);
        self.dropped.tick();
        self.commit();
        self.release.tick();
    }

    /// Records what is left after the connection has ended.
    pub(crate) fn close(&self) {
        let now = self.now();
        self.guard().close(now);
        self.dropped.end();
        self.commit();
        let heads = lock(&self.audit).take_heads();
        if let Some(mut heads) = heads {
            heads.end();
        }
    }

    /// Prints that a line of the server was dropped. Many of them are counted.
    pub(super) fn note_dropped(&self) {
        self.dropped.add();
    }

    /// The most bytes that a message may have.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    pub(super) fn now(&self) -> Micros {
        self.clock.now()
    }

    pub(super) fn guard(&self) -> MutexGuard<'_, Guard> {
        // A thread that panicked left the guard between two messages, or in the midst of one that was not passed on.
        lock(&self.guard)
    }

    /// Number of times that the audit could not be written. If it differs before a call is judged and after its lines
    /// were committed, by whichever thread, the lines may be missing.
    pub(super) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Acquire)
    }

    /// Whether a call may run, given how often the audit had failed before it was judged.
    pub(super) fn may_run(&self, failures_before: u64) -> bool {
        self.on_failure == OnFailure::Allow || self.failures() == failures_before
    }

    /// Writes down everything.
    pub(super) fn commit(&self) {
        self.record(Extent::LinesAndHead);
    }

    /// Writes the lines that a call needs before it is passed on; the head follows later.
    pub(super) fn commit_lines(&self) {
        self.record(Extent::Lines);
    }

    fn record(&self, extent: Extent) {
        let mut audit = lock(&self.audit);
        // Lines are taken in the order in which they are written, and the guard is free again before they are.
        let written = audit.write(extent, |lines| {
            std::mem::swap(lines, self.guard().journal());
        });
        if written.failed {
            self.failures.fetch_add(1, Ordering::Release);
        }
        if let Some(is_tight) = written.tight {
            self.guard().only_count_refusals(is_tight);
        }
    }
}
