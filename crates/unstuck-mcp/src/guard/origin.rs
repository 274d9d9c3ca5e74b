//! Transports that many clients share: whose a message is, and what becomes of calls that nobody waits for any more.

use unstuck::{Fingerprint, Json, Status};

use super::{
    Ending, Guard, Micros,
    pending::{Calling, Pending},
};

/// Whose a message is, where one guard serves several clients.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// Ids are unique within it: clients count from the same numbers.
    pub scope: &'a str,
    /// The session of calls whose client names none.
    pub session: Option<&'a str>,
}

/// Why a call will never be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lost {
    /// The server could not be reached, or answered with something else.
    ByServer,
    /// The client closed the connection that its answer would have come on.
    ByClient,
}

impl Guard {
    /// Works on the messages of one origin. Without it all messages are of one client.
    pub fn within<T>(&mut self, origin: Origin<'_>, work: impl FnOnce(&mut Self) -> T) -> T {
        self.waiting.enter(origin.scope);
        self.session = origin.session.map(Into::into);
        let done = work(self);
        self.waiting.enter("");
        self.session = None;
        done
    }

    /// The request with this id, in its normal form, will never be answered. Nothing happens if none waits.
    pub fn lost(&mut self, id: &Json, lost: Lost, at: Micros) {
        let Some(Pending::Call(mut calling)) = self.waiting.take(id).map(|entry| entry.pending)
        else {
            return;
        };
        let (status, ending) = match lost {
            Lost::ByServer => (Status::Error, Ending::Failed),
            Lost::ByClient => (Status::Cancelled, Ending::Cancelled),
        };
        let output = (lost == Lost::ByServer).then(no_answer);
        self.observe_end(&mut calling, status, output, at);
        self.end_line(&calling, ending, None, at);
    }

    /// A call that has waited too long among too many is taken for one that the server did not answer.
    pub(super) fn give_up(&mut self, mut calling: Calling, at: Micros) {
        self.observe_end(&mut calling, Status::Error, Some(no_answer()), at);
        self.end_line(&calling, Ending::Unanswered, None, at);
    }

    /// Everything that waits within this scope was never answered.
    pub fn close_scope(&mut self, scope: &str, at: Micros) {
        for calling in self.waiting.drain_scope(scope) {
            self.end_line(&calling, Ending::Unanswered, None, at);
        }
    }
}

/// What the rules see in place of the result of a call without an answer.
fn no_answer() -> (Json, Option<Fingerprint>) {
    (Json::string("the server did not answer"), None)
}

#[cfg(test)]
#[path = "origin_tests.rs"]
mod tests;
