//! Answers that no request waits for, and requests that no answer is expected for any more.
//!
//! A client that pairs answers by other rules than the guard could take such an answer for that of a call that was denied,
//! or of one that is still to come. So it is not passed on, and it is recorded as a refused message.

use std::fmt::Write as _;

use super::{Guard, Micros, ToClient, record::push_start, refusals::Sender};
use crate::codec::{Id, Refusal, RefusalKind};

impl Guard {
    /// Whether a request with this id waits for its answer.
    pub fn waits_for(&self, id: &Id<'_>) -> bool {
        self.waiting.has(id)
    }

    /// Records an answer of so many bytes that no request waits for. It is not passed on.
    pub fn unasked(&mut self, bytes: usize, at: Micros) -> ToClient {
        let refusal = Refusal::new(RefusalKind::Unasked);
        self.refusals
            .add(Sender::Server, &refusal, bytes, at, &mut self.journal);
        ToClient::Drop
    }

    /// Makes room for another call that takes so many bytes. The oldest calls without an answer are recorded as such; an
    /// answer that comes later is not passed on.
    pub(super) fn give_up_old_calls(&mut self, cost: usize, at: Micros) {
        for calling in self.waiting.old_calls(cost) {
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
