//! Messages one at a time, each with its own origin: what a transport with many clients needs of the guard.

use unstuck::Json;
use unstuck_mcp::{Lost, Message, Origin, Refusal, ToClient, ToServer};

use super::relay::{OnFailure, Shared};

impl Shared {
    /// Judges and records a client's message. A call that cannot be recorded does not run.
    pub(super) fn judge_client(
        &self,
        origin: Origin<'_>,
        message: Result<Message<'_>, Refusal>,
        bytes: usize,
    ) -> ToServer {
        let now = self.now();
        let mut state = self.lock();
        let failures = state.failures;
        let judge = |guard: &mut unstuck_mcp::Guard| guard.from_client(message, bytes, now);
        let said = state.guard.within(origin, judge);
        // What a call needs before it is passed on; the rest is written with its result.
        state.commit_lines();
        let ToServer::ForwardCall(ticket) = said else {
            return said;
        };
        if state.failures == failures || self.on_failure == OnFailure::Allow {
            return said;
        }
        let said = state
            .guard
            .within(origin, |guard| guard.unaudited(ticket, now));
        state.commit();
        said
    }

    /// Judges and records a server's message.
    pub(super) fn judge_server(
        &self,
        origin: Origin<'_>,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
    ) -> ToClient {
        let now = self.now();
        let mut state = self.lock();
        let judge = |guard: &mut unstuck_mcp::Guard| guard.from_server(message, line, now);
        let said = state.guard.within(origin, judge);
        state.commit();
        said
    }

    /// Records that a call will never be answered, if it was not.
    pub(super) fn lost(&self, origin: Origin<'_>, id: &Json, lost: Lost) {
        let now = self.now();
        let mut state = self.lock();
        state
            .guard
            .within(origin, |guard| guard.lost(id, lost, now));
        state.commit();
    }

    /// Records that nothing that waits within this scope will be answered.
    pub(super) fn close_scope(&self, scope: &str) {
        let now = self.now();
        let mut state = self.lock();
        state.guard.close_scope(scope, now);
        state.commit();
    }
}
