//! The guard and the audit, shared by all threads that carry messages.

use std::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use unstuck::Json;
use unstuck_audit::{AuditFile, AuditWriter, Extent, HeadPace, HeadTarget, OnFailure};
use unstuck_mcp::{Guard, Id, Lost, Message, Micros, Origin, Refusal, ToClient, ToServer};
use unstuck_session::{clock, sync::lock};
use unstuck_text::Notify;

use super::{notices::Notices, release::Release};

/// State that all threads share.
///
/// A thread that needs both locks takes the one of the audit first.
pub struct SharedGuard {
    guard: Mutex<Guard>,
    audit: Mutex<AuditWriter>,
    /// How often the audit could not be written.
    failures: AtomicU64,
    clock: Clock,
    longest: usize,
    on_failure: OnFailure,
    dropped: Notices,
    notify: Notify,
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

impl SharedGuard {
    /// A guard with its audit, if there is one, for messages of at most `longest` bytes.
    pub fn new(
        guard: Guard,
        audit: Option<AuditFile>,
        on_failure: OnFailure,
        longest: usize,
        notify: Notify,
    ) -> Self {
        Self {
            guard: Mutex::new(guard),
            audit: Mutex::new(AuditWriter::new(audit, on_failure, notify.clone())),
            failures: AtomicU64::new(0),
            clock: Clock {
                start: Instant::now(),
                at_start: clock::now().saturating_mul(1_000),
            },
            longest,
            on_failure,
            dropped: Notices::new(
                "a line of the server was not passed on, because it is not an MCP message",
                notify.clone(),
            ),
            notify,
            release: Release::default(),
        }
    }

    /// Sends heads of the audit to these targets from now on.
    pub fn send_heads(&self, targets: Vec<HeadTarget>, pace: HeadPace) {
        lock(&self.audit).send_heads(targets, pace);
    }

    /// Works on the guard.
    pub fn with_guard<T>(&self, work: impl FnOnce(&mut Guard) -> T) -> T {
        work(&mut self.guard())
    }

    /// Records what can wait, and gives memory back. To be called often.
    pub fn catch_up(&self) {
        let now = self.now();
        self.guard().tick(now);
        self.dropped.tick();
        self.commit();
        self.release.tick();
    }

    /// Records what is left after the connection has ended.
    pub fn close(&self) {
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

    /// Gets lines for the person who runs the proxy.
    pub(super) fn notify(&self) -> &Notify {
        &self.notify
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

/// Messages one at a time, each with its own origin: what a transport with many clients needs of the guard.
impl SharedGuard {
    /// Judges and records a client's message. A call that cannot be recorded does not run.
    pub(super) fn judge_client(
        &self,
        origin: Origin<'_>,
        message: Result<Message<'_>, Refusal>,
        bytes: usize,
    ) -> ToServer {
        self.release.passed(bytes);
        let now = self.now();
        let failures = self.failures();
        let judge = |guard: &mut Guard| guard.from_client(message, bytes, now);
        let said = self.guard().within(origin, judge);
        // What a call needs before it is passed on; the rest is written with its result.
        self.commit_lines();
        let ToServer::ForwardCall(ticket) = said else {
            return said;
        };
        if self.may_run(failures) {
            return said;
        }
        let revoke = |guard: &mut Guard| guard.unaudited(ticket, now);
        let said = self.guard().within(origin, revoke);
        self.commit();
        said
    }

    /// Judges and records a server's message.
    pub(super) fn judge_server(
        &self,
        origin: Origin<'_>,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
    ) -> ToClient {
        self.release.passed(line.len());
        let now = self.now();
        let judge = |guard: &mut Guard| guard.from_server(message, line, now);
        let said = self.guard().within(origin, judge);
        self.commit();
        said
    }

    /// Whether a request with this id waits for its answer.
    pub(super) fn waits_for(&self, origin: Origin<'_>, id: &Id<'_>) -> bool {
        self.guard().within(origin, |guard| guard.waits_for(id))
    }

    /// Records an answer of so many bytes that no request waits for.
    pub(super) fn unasked(&self, bytes: usize) {
        let now = self.now();
        self.guard().unasked(bytes, now);
        self.commit();
    }

    /// Records that a call will never be answered, if it was not.
    pub(super) fn lost(&self, origin: Origin<'_>, id: &Json, lost: Lost) {
        let now = self.now();
        self.guard()
            .within(origin, |guard| guard.lost(id, lost, now));
        self.commit();
    }

    /// Records that nothing that waits within this scope will be answered.
    pub(super) fn close_scope(&self, scope: &str) {
        let now = self.now();
        self.guard().close_scope(scope, now);
        self.commit();
    }
}
