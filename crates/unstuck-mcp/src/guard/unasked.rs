//! Answers that no request waits for.
//!
//! A client that pairs answers by other rules than the guard could take such an answer for that of a call that was denied,
//! or of one that is still to come. So it is not passed on. How many there were is recorded: the first at once, the others
//! with one line a second, so that a server cannot fill the disk with them.

use std::fmt::Write as _;

use unstuck::Json;

use super::{Guard, Micros, ToClient, record::push_start};
use crate::{
    audit::Journal,
    codec::{Id, RefusalKind},
};

/// Longest time in microseconds between an answer and the line that has it.
const LONGEST: i64 = 1_000_000;

/// Refused answers that were counted and not yet written.
#[derive(Clone, Debug, Default)]
pub(super) struct Unasked {
    count: u64,
    /// When the last line was written.
    written: Option<Micros>,
}

impl Unasked {
    fn add(&mut self, at: Micros, journal: &mut Journal) {
        self.count += 1;
        if self.is_due(at) {
            self.write(at, journal);
        }
    }

    fn is_due(&self, at: Micros) -> bool {
        self.written
            .is_none_or(|written| at.0.saturating_sub(written.0) >= LONGEST)
    }

    /// Writes what has been counted long enough.
    pub(super) fn pass(&mut self, at: Micros, journal: &mut Journal) {
        if self.count > 0 && self.is_due(at) {
            self.write(at, journal);
        }
    }

    /// Writes what is left.
    pub(super) fn write(&mut self, at: Micros, journal: &mut Journal) {
        let count = std::mem::take(&mut self.count);
        if count == 0 {
            return;
        }
        self.written = Some(at);
        let reason = Json::string(&RefusalKind::Unasked.to_string());
        journal.push(|out| {
            push_start(at, "refused", out);
            // Writing to a string cannot fail.
            let _ = write!(
                out,
                "\"from\":\"server\",\"count\":{count},\"reason\":{reason}"
            );
        });
    }
}

impl Guard {
    /// Whether a request with this id waits for its answer.
    pub fn waits_for(&self, id: &Id<'_>) -> bool {
        self.waiting.has(id)
    }

    /// Counts an answer that no request waits for. It is not passed on.
    pub fn unasked(&mut self, at: Micros) -> ToClient {
        self.unasked.add(at, &mut self.journal);
        ToClient::Drop
    }

    /// Makes room for another call. The oldest calls without an answer are recorded as such; an answer that comes later
    /// is not passed on.
    pub(super) fn give_up_old_calls(&mut self, at: Micros) {
        for calling in self.waiting.old_calls() {
            self.give_up(calling, at);
        }
    }

    /// Makes room for another request that is not a call.
    pub(super) fn give_up_old_requests(&mut self, at: Micros) {
        let count = self.waiting.old_others();
        if count == 0 {
            return;
        }
        self.journal.push(|out| {
            push_start(at, "refused", out);
            let _ = write!(
                out,
                "\"from\":\"client\",\"count\":{count},\"reason\":\"the oldest requests without an answer were given up\""
            );
        });
    }
}
