//! Transports that many clients share: whose a message is, and what becomes of calls that nobody waits for any more.

use unstuck::{Json, Status};

use super::{Ending, Guard, Micros, pending::Pending};

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

    /// What waited for this id will never be answered. Nothing happens if nothing waits.
    pub fn lost(&mut self, id: &Json, lost: Lost, at: Micros) {
        let Some(Pending::Call(mut calling)) = self.waiting.take(id) else {
            return;
        };
        let (status, ending) = match lost {
            Lost::ByServer => (Status::Error, Ending::Failed),
            Lost::ByClient => (Status::Cancelled, Ending::Cancelled),
        };
        let output = Json::string("the server did not answer");
        let output = (lost == Lost::ByServer).then_some((output, None));
        self.observe_end(&mut calling, status, output, at);
        self.end_line(&calling, ending, None, at);
    }

    /// Everything that waits within this scope was never answered.
    pub fn close_scope(&mut self, scope: &str, at: Micros) {
        for calling in self.waiting.drain_scope(scope) {
            self.end_line(&calling, Ending::Unanswered, None, at);
        }
    }
}

#[cfg(test)]
#[path = "origin_tests.rs"]
mod tests;
