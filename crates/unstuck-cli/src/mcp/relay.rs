//! Lines from one side to the other, judged on the way.
//!
//! What has arrived is judged together, recorded with one write, and passed on with one write: nothing is held back, and
//! many callers at once do not pay for each other.

use std::{
    io::{self, Read, Write},
    ops::Range,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use unstuck_mcp::{
    AuditError, AuditFile, Codec, Guard, Journal, Line, Lines, Micros, Ticket, ToClient, ToServer,
};

use crate::clock;

/// A batch of so many bytes is passed on before more is judged.
const FULL: usize = 1 << 20;

/// What becomes of calls that cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnFailure {
    /// They do not run.
    Deny,
    /// They run.
    Allow,
}

/// What both directions share.
pub(crate) struct Shared {
    state: Mutex<State>,
    clock: Clock,
    longest: usize,
    pub(super) on_failure: OnFailure,
}

pub(super) struct State {
    pub(super) guard: Guard,
    audit: Option<AuditFile>,
    /// How often the audit could not be written.
    pub(super) failures: u64,
    /// Whether the last time was such a time.
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
            state: Mutex::new(State {
                guard,
                audit,
                failures: 0,
                failing: false,
            }),
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
        work(&mut self.lock().guard)
    }

    /// Records what can wait.
    pub(crate) fn catch_up(&self) {
        self.lock().commit();
    }

    /// The connection has ended: what is left is recorded.
    pub(crate) fn close(&self) {
        let now = self.clock.now();
        let mut state = self.lock();
        state.guard.close(now);
        state.commit();
    }

    pub(super) fn now(&self) -> Micros {
        self.clock.now()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked left the guard between two messages, or in the midst of one that was not passed on.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes on what a client sends, until it sends no more.
    pub(crate) fn client_to_server(
        &self,
        client: impl Read,
        mut server: impl Write,
        answers: &Mutex<impl Write>,
    ) -> io::Result<()> {
        let mut lines = Lines::new(client, self.longest);
        let mut codec = Codec::with_limit(self.longest);
        let mut batch = Batch::default();
        while let Some(line) = lines.next_line()? {
            self.judge(line, &mut codec, &mut batch);
            if lines.has_line() && batch.to_server.len() < FULL {
                continue;
            }
            self.settle(&mut batch);
            send(answers, &batch.to_client)?;
            if !batch.to_server.is_empty() {
                server.write_all(&batch.to_server)?;
                server.flush()?;
            }
            batch.clear();
        }
        Ok(())
    }

    /// Passes on what a server sends, until it sends no more.
    pub(crate) fn server_to_client(
        &self,
        server: impl Read,
        client: &Mutex<impl Write>,
    ) -> io::Result<()> {
        let mut lines = Lines::new(server, self.longest);
        let mut codec = Codec::with_limit(self.longest);
        let mut out = Vec::new();
        while let Some(line) = lines.next_line()? {
            let (said, line) = match line {
                Line::Whole(line) if is_blank(line) => (ToClient::Forward, line),
                Line::Whole(line) => {
                    let message = codec.read(line);
                    let now = self.clock.now();
                    (self.lock().guard.from_server(message, line, now), line)
                }
                Line::TooLong { beginning, end } => {
                    let refusal = Err(codec.too_long(beginning, end));
                    let now = self.clock.now();
                    (self.lock().guard.from_server(refusal, &[], now), &[][..])
                }
                _ => (ToClient::Drop, &[][..]),
            };
            match said {
                ToClient::Forward => out.extend_from_slice(line),
                ToClient::Replace(line) => out.extend_from_slice(&line),
                _ => anstream::eprintln!(
                    "unstuck: a line of the server was not passed on, because it is no message of MCP"
                ),
            }
            if lines.has_line() && out.len() < FULL {
                continue;
            }
            // Whoever waits for the answer need not wait for the audit: that the call was passed on is on record.
            let sent = send(client, &out);
            self.lock().commit();
            sent?;
            out.clear();
            out.shrink_to(FULL);
        }
        Ok(())
    }

    fn judge(&self, line: Line<'_>, codec: &mut Codec, batch: &mut Batch) {
        let now = self.clock.now();
        let (said, line) = match line {
            Line::Whole(line) if is_blank(line) => (ToServer::Forward, line),
            Line::Whole(line) => {
                let message = codec.read(line);
                let mut state = self.lock();
                batch.begin(state.failures);
                (state.guard.from_client(message, line.len(), now), line)
            }
            Line::TooLong { beginning, end } => {
                let refusal = Err(codec.too_long(beginning, end));
                let said = self.lock().guard.from_client(refusal, self.longest, now);
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
        let now = self.clock.now();
        let mut state = self.lock();
        state.commit_lines();
        // The other direction may have tried, and failed, to write down what belongs to this batch.
        let failed = batch
            .failures
            .is_some_and(|before| before != state.failures);
        if !failed || self.on_failure == OnFailure::Allow {
            return;
        }
        for (ticket, range) in batch.calls.drain(..).rev() {
            if let ToServer::Answer(line) = state.guard.unaudited(ticket, now) {
                batch.to_client.extend_from_slice(&line);
            }
            batch.to_server.drain(range);
        }
        state.commit();
    }
}

impl State {
    pub(super) fn commit(&mut self) {
        self.record(AuditFile::commit);
    }

    /// What a call needs before it is passed on; the rest follows with its result, or when somebody has time for it.
    pub(super) fn commit_lines(&mut self) {
        self.record(AuditFile::commit_lines);
    }

    fn record(
        &mut self,
        write: impl FnOnce(&mut AuditFile, &mut Journal) -> Result<(), AuditError>,
    ) {
        let Some(audit) = &mut self.audit else {
            self.guard.journal().clear();
            return;
        };
        match write(audit, self.guard.journal()) {
            Ok(()) => self.failing = false,
            Err(error) => {
                self.failures += 1;
                if !self.failing {
                    let error = anyhow::Error::from(error);
                    anstream::eprintln!("unstuck: {error:#}");
                }
                self.failing = true;
            }
        }
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
    fn begin(&mut self, failures: u64) {
        self.failures.get_or_insert(failures);
    }

    fn clear(&mut self) {
        self.to_server.clear();
        self.to_server.shrink_to(FULL);
        self.to_client.clear();
        self.calls.clear();
        self.failures = None;
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
