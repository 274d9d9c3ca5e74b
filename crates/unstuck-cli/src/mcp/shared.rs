//! The guard and the audit, shared by all threads that carry messages.

use std::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use unstuck_mcp::{AuditError, AuditFile, Guard, Journal, Micros};
use unstuck_session::{clock, sync::lock};
use unstuck_text::Shown;

use super::{
    heads::{HeadPace, HeadSender, HeadTarget},
    notices::Notices,
    release::Release,
};

/// What becomes of calls that cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnFailure {
    /// They do not run.
    Deny,
    /// They run.
    Allow,
}

/// State that all threads share.
///
/// A thread that needs both locks takes the one of the audit first.
pub(crate) struct Shared {
    guard: Mutex<Guard>,
    audit: Mutex<Audit>,
    /// How often the audit could not be written.
    failures: AtomicU64,
    clock: Clock,
    longest: usize,
    on_failure: OnFailure,
    dropped: Notices,
    pub(super) release: Release,
}

struct Audit {
    file: Option<AuditFile>,
    /// Lines that are being written, so that the guard is free meanwhile.
    lines: Journal,
    /// Whether the last attempt failed.
    failing: bool,
    /// Whether little of the budget is left.
    is_tight: bool,
    heads: Option<HeadSender>,
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
                is_tight: false,
                heads: None,
            }),
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
        let mut audit = lock(&self.audit);
        if let Some(file) = &audit.file {
            audit.heads = HeadSender::start(file, targets, pace);
        }
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
        let heads = lock(&self.audit).heads.take();
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
        self.record(AuditFile::commit);
    }

    /// Writes the lines that a call needs before it is passed on; the head follows later.
    pub(super) fn commit_lines(&self) {
        self.record(AuditFile::commit_lines);
    }

    fn record(&self, write: impl FnOnce(&mut AuditFile, &mut Journal) -> Result<(), AuditError>) {
        let mut audit = lock(&self.audit);
        let Audit {
            file,
            lines,
            failing,
            is_tight,
            heads,
        } = &mut *audit;
        // Lines are taken in the order in which they are written, and the guard is free again before they are.
        lines.clear();
        std::mem::swap(lines, self.guard().journal());
        let Some(file) = file else { return };
        let has_lines = !lines.is_empty();
        match write(file, lines) {
            // Without a line nothing shows that it can be written again.
            Ok(()) if *failing && has_lines => {
                let path = Shown::line(file.path().display()).to_string();
                anstream::eprintln!("unstuck: the audit {path} is written again");
                *failing = false;
            }
            Ok(()) => {}
            Err(error) => {
                self.failures.fetch_add(1, Ordering::Release);
                if !*failing {
                    let error = anyhow::Error::from(error);
                    let calls = match self.on_failure {
                        OnFailure::Deny => "calls are denied",
                        OnFailure::Allow => "calls run without a record",
                    };
                    let error = Shown::line(format_args!("{error:#}")).to_string();
                    anstream::eprintln!(
                        "unstuck: {error}; {calls} as long as it cannot be written"
                    );
                }
                *failing = true;
            }
        }
        if let Some(heads) = heads {
            heads.note(file);
        }
        if file.is_tight() != *is_tight {
            *is_tight = !*is_tight;
            self.guard().only_count_refusals(*is_tight);
        }
    }
}
