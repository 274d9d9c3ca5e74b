//! The guard and the audit, shared by all threads that carry messages.

use std::{
    panic::{self, AssertUnwindSafe},
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use unstuck_audit::{AuditFile, AuditWriter, Extent, HeadPace, HeadTarget, OnFailure};
use unstuck_mcp::{
    Codec, Guard, Message, Micros, Origin, Refusal, ToClient, ToServer, refusal_for_fault,
};
use unstuck_session::{clock, fault_of_a_test, sync::lock};
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
        self.tick();
        self.commit();
    }

    /// Prepares what can wait to be recorded, and gives memory back. To be called often.
    pub(super) fn tick(&self) {
        let now = self.now();
        self.guard().tick(now);
        self.dropped.tick();
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

    /// Judges a client's message, which is `line`. If the guard fails at it, the message is passed on or refused, as calls
    /// are that cannot be recorded.
    pub(super) fn judge_client_line(
        &self,
        origin: Origin<'_>,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
    ) -> ToServer {
        let now = self.now();
        let judge = |guard: &mut Guard| guard.from_client(message, line.len(), now);
        if let Some(said) = self.shielded(origin, judge) {
            return said;
        }
        let mut codec = Codec::with_limit(self.longest);
        let Ok(Message::Request(request)) = codec.read_line(line) else {
            return match self.on_failure {
                OnFailure::Allow => ToServer::Forward,
                OnFailure::Deny => ToServer::Drop,
            };
        };
        if self.on_failure == OnFailure::Deny {
            return ToServer::Answer(refusal_for_fault(&request));
        }
        // Its answer must not be taken for one that no request waits for.
        let expect = |guard: &mut Guard| guard.expect_unjudged(&request.id);
        self.guard().within(origin, expect);
        ToServer::Forward
    }

    /// Judges a server's message, which is `line`. If the guard fails at it, the message is passed on: what it answers has
    /// run already.
    pub(super) fn judge_server_line(
        &self,
        origin: Origin<'_>,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
    ) -> ToClient {
        let now = self.now();
        let judge = |guard: &mut Guard| guard.from_server(message, line, now);
        self.shielded(origin, judge).unwrap_or(ToClient::Forward)
    }

    /// Works on the guard. `None` if that panicked; the messages after this one are judged again.
    fn shielded<T>(&self, origin: Origin<'_>, work: impl FnOnce(&mut Guard) -> T) -> Option<T> {
        let work = AssertUnwindSafe(|| {
            fault_of_a_test();
            self.guard().within(origin, work)
        });
        let done = panic::catch_unwind(work);
        if done.is_err() {
            let what = match self.on_failure {
                OnFailure::Deny => "a call among them is denied",
                OnFailure::Allow => "a call among them runs without being judged",
            };
            let line = format!("there was a fault in unstuck at one message; {what}");
            self.notify.line(line);
        }
        done.ok()
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

    /// Writes the lines of the journal. Blocks while the audit is locked or its disk is slow.
    pub(super) fn record(&self, extent: Extent) {
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
