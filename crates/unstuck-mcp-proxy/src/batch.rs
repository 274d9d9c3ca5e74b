//! Lines that arrived together: judged, recorded, and made ready to be passed on.
//!
//! What has arrived is judged together, recorded with one write, and passed on with one write: nothing is held back, and
//! many callers at once do not pay for each other.

use std::ops::Range;

use unstuck_mcp::{Codec, Line, Origin, Ticket, ToClient, ToServer};

use super::guard_handle::SharedGuard;

/// A batch of so many bytes is passed on before more is judged.
pub(super) const FULL: usize = 1 << 20;

/// Lines of the audit that may wait to be written.
const MOST_UNRECORDED: usize = 1_024;

/// Judges what a client sends.
pub(super) struct FromClient<'a> {
    shared: &'a SharedGuard,
    codec: Codec,
    batch: Batch,
}

/// Messages of a client that were judged and not yet passed on.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) to_server: Vec<u8>,
    pub(super) to_client: Vec<u8>,
    /// The calls among them, and where they stand.
    calls: Vec<(Ticket, Range<usize>)>,
    /// How often the audit had failed before the first of them.
    failures: Option<u64>,
}

impl<'a> FromClient<'a> {
    pub(super) fn new(shared: &'a SharedGuard) -> Self {
        Self {
            shared,
            codec: Codec::with_limit(shared.longest()),
            batch: Batch::default(),
        }
    }

    pub(super) fn judge(&mut self, line: Line<'_>) {
        let Self {
            shared,
            codec,
            batch,
        } = self;
        batch.failures.get_or_insert(shared.failures());
        let (said, line) = match line {
            Line::Whole(line) if is_blank(line) => (ToServer::Forward, line),
            Line::Whole(line) => {
                shared.release.passed(line.len());
                let message = codec.read_line(line);
                let said = shared.judge_client_line(Origin::default(), message, line);
                (said, line)
            }
            Line::TooLong { beginning, end } => {
                let refusal = Err(codec.too_long(beginning, end));
                let longest = shared.longest();
                let said = shared.guard().from_client(refusal, longest, shared.now());
                (said, beginning)
            }
            _ => (ToServer::Drop, &[][..]),
        };
        match said {
            ToServer::Forward => push_line(line, &mut batch.to_server),
            ToServer::ForwardCall(ticket) => {
                let start = batch.to_server.len();
                push_line(line, &mut batch.to_server);
                batch.calls.push((ticket, start..batch.to_server.len()));
            }
            ToServer::Replace(line) => batch.to_server.extend_from_slice(&line),
            ToServer::Answer(line) => batch.to_client.extend_from_slice(&line),
            _ => {}
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.batch.to_server.len() >= FULL
    }

    /// Records what was judged, and hands it over to be passed on.
    pub(super) fn settle<T>(&mut self, pass_on: impl FnOnce(&Batch) -> T) -> T {
        self.batch.record(self.shared);
        let passed_on = pass_on(&self.batch);
        self.batch.clear();
        passed_on
    }
}

impl Batch {
    /// Records what was judged. Calls that could not be recorded are taken out.
    fn record(&mut self, shared: &SharedGuard) {
        shared.commit_lines();
        // Another thread may have tried, and failed, to write the lines of this batch.
        if self.failures.is_none_or(|before| shared.may_run(before)) {
            return;
        }
        let now = shared.now();
        let mut guard = shared.guard();
        for (ticket, range) in self.calls.drain(..).rev() {
            if let ToServer::Answer(line) = guard.unaudited(ticket, now) {
                self.to_client.extend_from_slice(&line);
            }
            self.to_server.drain(range);
        }
        drop(guard);
        shared.commit();
    }

    fn clear(&mut self) {
        self.to_server.clear();
        self.to_server.shrink_to(FULL);
        self.to_client.clear();
        self.calls.clear();
        self.failures = None;
    }
}

/// Judges what a server sends.
///
/// A client that waits for an answer does not wait for the audit: that the call was passed on is on record. How it ended is
/// recorded with the next calls, or at the next tick.
pub(super) struct FromServer<'a> {
    shared: &'a SharedGuard,
    codec: Codec,
    to_client: Vec<u8>,
}

impl<'a> FromServer<'a> {
    pub(super) fn new(shared: &'a SharedGuard) -> Self {
        Self {
            shared,
            codec: Codec::with_limit(shared.longest()),
            to_client: Vec::new(),
        }
    }

    /// The reply to the server goes to `answer`.
    pub(super) fn judge(&mut self, line: Line<'_>, answer: impl FnOnce(Vec<u8>)) {
        let Self {
            shared,
            codec,
            to_client,
        } = self;
        let (said, line, readable) = match line {
            Line::Whole(line) if is_blank(line) => (ToClient::Forward, line, true),
            Line::Whole(line) => {
                shared.release.passed(line.len());
                let message = codec.read_line(line);
                let readable = message.is_ok();
                let said = shared.judge_server_line(Origin::default(), message, line);
                (said, line, readable)
            }
            Line::TooLong { beginning, end } => {
                let refusal = Err(codec.too_long(beginning, end));
                let said = shared.guard().from_server(refusal, &[], shared.now());
                (said, &[][..], false)
            }
            _ => (ToClient::Drop, &[][..], false),
        };
        match said {
            ToClient::Forward => push_line(line, to_client),
            ToClient::Replace(line) => push_line(&line, to_client),
            ToClient::Answer(line) => answer(line),
            // An answer that no request waits for. The audit has it.
            _ if readable => {}
            _ => shared.note_dropped(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.to_client.len() >= FULL
    }

    /// Hands over what was judged, to be passed on.
    pub(super) fn settle<T>(&mut self, pass_on: impl FnOnce(&[u8]) -> T) -> T {
        let unrecorded = self.shared.guard().journal().len();
        let passed_on = pass_on(&self.to_client);
        if unrecorded >= MOST_UNRECORDED {
            self.shared.commit_lines();
        }
        self.to_client.clear();
        self.to_client.shrink_to(FULL);
        passed_on
    }
}

/// A line that says nothing. One with a carriage return in a place of its own is read like any other, and refused.
fn is_blank(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r\n").unwrap_or(line);
    line.iter()
        .all(|byte| byte.is_ascii_whitespace() && *byte != b'\r')
}

/// Adds a line. The last one of a stream may have no line feed; another line could follow from elsewhere.
fn push_line(line: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(line);
    if line.last().is_some_and(|last| *last != b'\n') {
        out.push(b'\n');
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
