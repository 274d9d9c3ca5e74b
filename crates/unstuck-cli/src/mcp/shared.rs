//! The guard and the audit, for all who carry messages.

use std::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use unstuck_mcp::{AuditError, AuditFile, Guard, Journal, Micros};

use super::release::Release;
use crate::{clock, lock::lock};

/// What becomes of calls that cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnFailure {
    /// They do not run.
    Deny,
    /// They run.
    Allow,
}

/// What all who carry messages share.
///
/// Whoever needs both locks takes the one of the audit first.
pub(crate) struct Shared {
    guard: Mutex<Guard>,
    audit: Mutex<Audit>,
    /// How often the audit could not be written.
    failures: AtomicU64,
    clock: Clock,
    longest: usize,
    on_failure: OnFailure,
    pub(super) release: Release,
}

struct Audit {
    file: Option<AuditFile>,
    /// What is being written, so that the guard can go on meanwhile.
    lines: Journal,
    /// Whether the last attempt failed.
    failing: bool,
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
    ) -> Self {
        Self {
            guard: Mutex::new(guard),
            audit: Mutex::new(Audit {
                file: audit,
                lines: Journal::default(),
                failing: false,
            }),
            failures: AtomicU64::new(0),
            clock: Clock {
                start: Instant::now(),
                at_start: clock::now().saturating_mul(1_000),
            },
            longest,
            on_failure,
            release: Release::default(),
        }
    }

    /// Works on the guard.
    pub(crate) fn with_guard<T>(&self, work: impl FnOnce(&mut Guard) -> T) -> T {
        work(&mut self.guard())
    }

    /// Records what can wait, and gives memory back. To be called often.
    pub(crate) fn catch_up(&self) {
        self.commit();
        self.release.tick();
    }

    /// The connection has ended: what is left is recorded.
    pub(crate) fn close(&self) {
        let now = self.now();
        self.guard().close(now);
        self.commit();
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

    /// How often the audit could not be written. Ask before something is judged and after it was committed: whoever
    /// wrote its lines, if that failed the number has changed.
    pub(super) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Acquire)
    }

    /// Whether a call may run, given how often the audit had failed before it was judged.
    pub(super) fn may_run(&self, failures_before: u64) -> bool {
        self.on_failure == OnFailure::Allow || self.failures() == failures_before
    }

    /// Writes down everything.
    pub(super) fn commit(&self) {
        self.record(AuditFile::commit);
    }

    /// Writes down what a call needs before it is passed on; the rest follows when somebody has time for it.
    pub(super) fn commit_lines(&self) {
        self.record(AuditFile::commit_lines);
    }

    fn record(&self, write: impl FnOnce(&mut AuditFile, &mut Journal) -> Result<(), AuditError>) {
        let mut audit = lock(&self.audit);
        let Audit {
            file,
            lines,
            failing,
        } = &mut *audit;
        // Lines are taken in the order in which they are written, and the guard is free again before they are.
        lines.clear();
        std::mem::swap(lines, self.guard().journal());
        let Some(file) = file else { return };
        match write(file, lines) {
            Ok(()) => *failing = false,
            Err(error) => {
                self.failures.fetch_add(1, Ordering::Release);
                if !*failing {
                    let error = anyhow::Error::from(error);
                    anstream::eprintln!("unstuck: {error:#}");
                }
                *failing = true;
            }
        }
    }
}
