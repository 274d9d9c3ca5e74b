//! Messages one at a time, each with its own origin: what a transport with many clients needs of the guard.

use unstuck::Json;
use unstuck_mcp::{Guard, Id, Lost, Message, Origin, Refusal, ToClient, ToServer};

use super::shared::Shared;

impl Shared {
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
