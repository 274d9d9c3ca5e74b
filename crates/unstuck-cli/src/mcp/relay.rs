//! Lines from one side to the other, judged on the way.
//!
//! What has arrived is judged together, recorded with one write, and passed on with one write: nothing is held back, and
//! many callers at once do not pay for each other.

use std::{
    io::{self, Read, Write},
    ops::Range,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender},
    },
    time::Instant,
};

use unstuck_mcp::{
    AuditError, AuditFile, Codec, Guard, Journal, Line, Lines, Micros, Ticket, ToClient, ToServer,
};

use crate::clock;

/// A batch of so many bytes is passed on before more is judged.
const FULL: usize = 1 << 20;

/// Lines of the audit that may wait for somebody to write them.
const MOST_UNRECORDED: usize = 1_024;

/// A message of so many bytes is read in less time than it takes to sleep and wake up.
const QUICKLY_READ: usize = 8 << 10;

/// What becomes of calls that cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnFailure {
    /// They do not run.
    Deny,
    /// They run.
    Allow,
}

/// What both directions share.
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
        }
    }

    /// Works on the guard.
    pub(crate) fn with_guard<T>(&self, work: impl FnOnce(&mut Guard) -> T) -> T {
        work(&mut self.guard())
    }

    /// Records what can wait.
    pub(crate) fn catch_up(&self) {
        self.commit();
    }

    /// The connection has ended: what is left is recorded.
    pub(crate) fn close(&self) {
        let now = self.now();
        self.guard().close(now);
        self.commit();
    }

    pub(super) fn now(&self) -> Micros {
        self.clock.now()
    }

    pub(super) fn guard(&self) -> MutexGuard<'_, Guard> {
        // A thread that panicked left the guard between two messages, or in the midst of one that was not passed on.
        self.guard.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut audit = self.audit.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Passes on what a client sends, until it sends no more.
    pub(crate) fn client_to_server(
        &self,
        client: impl Read,
        server: &Mutex<impl Write>,
        answers: &Mutex<impl Write>,
    ) -> io::Result<()> {
        let mut lines = Lines::new(client, self.longest);
        let mut codec = Codec::with_limit(self.longest);
        let mut turn = Turn::of(self);
        let mut batch = Batch::default();
        while let Some(line) = lines.next_line()? {
            self.judge(line, &mut codec, &mut turn, &mut batch);
            if lines.has_line() && batch.to_server.len() < FULL {
                continue;
            }
            turn.end();
            self.settle(&mut batch);
            send(answers, &batch.to_client)?;
            send(server, &batch.to_server)?;
            batch.clear();
        }
        Ok(())
    }

    /// Passes on what a server sends, until it sends no more.
    ///
    /// Whoever waits for an answer does not wait for the audit: that the call was passed on is on record. How it ended is
    /// recorded with the next calls, or when somebody catches up.
    pub(crate) fn server_to_client(
        &self,
        server: impl Read,
        client: &Mutex<impl Write>,
        refused: &SyncSender<Vec<u8>>,
    ) -> io::Result<()> {
        let mut lines = Lines::new(server, self.longest);
        let mut codec = Codec::with_limit(self.longest);
        let mut turn = Turn::of(self);
        let mut out = Vec::new();
        while let Some(line) = lines.next_line()? {
            let (said, line) = match line {
                Line::Whole(line) if is_blank(line) => (ToClient::Forward, line),
                Line::Whole(line) => {
                    turn.yield_to_others(line);
                    let message = codec.read(line);
                    let said = turn.guard().from_server(message, line, self.now());
                    (said, line)
                }
                Line::TooLong { beginning, end } => {
                    let refusal = Err(codec.too_long(beginning, end));
                    let said = turn.guard().from_server(refusal, &[], self.now());
                    (said, &[][..])
                }
                _ => (ToClient::Drop, &[][..]),
            };
            match said {
                ToClient::Forward => out.extend_from_slice(line),
                ToClient::Replace(line) => out.extend_from_slice(&line),
                // A server that reads too slowly does without: to wait for it here may be to wait for ever.
                ToClient::Answer(line) => drop(refused.try_send(line)),
                _ => anstream::eprintln!(
                    "unstuck: a line of the server was not passed on, because it is no message of MCP"
                ),
            }
            if lines.has_line() && out.len() < FULL {
                continue;
            }
            let unrecorded = turn.guard().journal().len();
            turn.end();
            send(client, &out)?;
            if unrecorded >= MOST_UNRECORDED {
                self.commit_lines();
            }
            out.clear();
            out.shrink_to(FULL);
        }
        Ok(())
    }

    fn judge(&self, line: Line<'_>, codec: &mut Codec, turn: &mut Turn<'_>, batch: &mut Batch) {
        batch.failures.get_or_insert(self.failures());
        let (said, line) = match line {
            Line::Whole(line) if is_blank(line) => (ToServer::Forward, line),
            Line::Whole(line) => {
                turn.yield_to_others(line);
                let message = codec.read(line);
                let said = turn.guard().from_client(message, line.len(), self.now());
                (said, line)
            }
            Line::TooLong { beginning, end } => {
                let refusal = Err(codec.too_long(beginning, end));
                let said = turn.guard().from_client(refusal, self.longest, self.now());
                (said, beginning)
            }
            _ => (ToServer::Drop, &[][..]),
        };
        match said {
            ToServer::Forward => batch.to_server.extend_from_slice(line),
            ToServer::ForwardCall(ticket) => {
                let start = batch.to_server.len();
                batch.to_server.extend_from_slice(line);
                batch.calls.push((ticket, start..batch.to_server.len()));
            }
            ToServer::Replace(line) => batch.to_server.extend_from_slice(&line),
            ToServer::Answer(line) => batch.to_client.extend_from_slice(&line),
            _ => {}
        }
    }

    /// Records a batch. Calls that could not be recorded are taken out of it.
    fn settle(&self, batch: &mut Batch) {
        self.commit_lines();
        // The other direction may have tried, and failed, to write down what belongs to this batch.
        if batch.failures.is_none_or(|before| self.may_run(before)) {
            return;
        }
        let now = self.now();
        let mut guard = self.guard();
        for (ticket, range) in batch.calls.drain(..).rev() {
            if let ToServer::Answer(line) = guard.unaudited(ticket, now) {
                batch.to_client.extend_from_slice(&line);
            }
            batch.to_server.drain(range);
        }
        drop(guard);
        self.commit();
    }
}

/// The guard, kept for all messages that arrived together: the other direction waits once for them, not once for each.
struct Turn<'a> {
    shared: &'a Shared,
    guard: Option<MutexGuard<'a, Guard>>,
}

impl<'a> Turn<'a> {
    fn of(shared: &'a Shared) -> Self {
        Self {
            shared,
            guard: None,
        }
    }

    fn guard(&mut self) -> &mut Guard {
        self.guard.get_or_insert_with(|| self.shared.guard())
    }

    /// Lets others have the guard while this line is read, if that takes longer than waiting for the guard again.
    fn yield_to_others(&mut self, line: &[u8]) {
        if line.len() > QUICKLY_READ {
            self.end();
        }
    }

    fn end(&mut self) {
        self.guard = None;
    }
}

/// Messages of a client that were judged and not yet passed on.
#[derive(Default)]
struct Batch {
    to_server: Vec<u8>,
    to_client: Vec<u8>,
    /// The calls among them, and where they stand.
    calls: Vec<(Ticket, Range<usize>)>,
    /// How often the audit had failed before the first of them.
    failures: Option<u64>,
}

impl Batch {
    fn clear(&mut self) {
        self.to_server.clear();
        self.to_server.shrink_to(FULL);
        self.to_client.clear();
        self.calls.clear();
        self.failures = None;
    }
}

/// Tells a server which of its messages were refused.
pub(crate) fn back_to_server(refused: &Receiver<Vec<u8>>, server: &Mutex<impl Write>) {
    for line in refused {
        // One that reads no more does not miss it.
        let _ = send(server, &line);
    }
}

/// Whole lines, which those of the other direction must not cut in two.
fn send(to: &Mutex<impl Write>, lines: &[u8]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut to = to.lock().unwrap_or_else(PoisonError::into_inner);
    to.write_all(lines)?;
    to.flush()
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}
