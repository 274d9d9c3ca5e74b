//! Transports that serve several clients: who a message is counted for, and calls whose client has gone.

use unstuck::{Json, Status, fingerprint::Fingerprint};

use super::{
    Ending, Guard, Micros,
    pending::{Calling, Pending},
};

/// Where a message comes from, when one guard serves several clients.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// Prefix that keeps the request ids of different clients apart: clients use the same numbers.
    pub scope: &'a str,
    /// Who the calls are counted for.
    pub caller: Caller<'a>,
}

/// Who calls are counted for. The transport derives it from what a client cannot choose freely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Caller<'a> {
    /// The only client of a connection.
    #[default]
    Connection,
    /// The only client of a session whose id the server or the transport made.
    Session {
        /// Name the calls are counted under.
        name: &'a str,
        /// Name under which `call-burst` counts the identical calls of sessions that follow each other in one place, so that
        /// a new session does not start a new count. `None` if sessions cannot follow each other.
        owner: Option<&'a str>,
    },
    /// Clients that the transport cannot reliably tell apart. A loop of one of them ends in denials, never in a halt, and
    /// the texts quote no other client's arguments.
    Shared {
        /// Name the calls are counted under.
        name: &'a str,
        /// Name under which `call-burst` counts the identical calls of several such names together. It may be `name`.
        owner: &'a str,
    },
}

/// The caller of the messages that are being worked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Current {
    Connection,
    Session {
        name: Box<str>,
        owner: Option<Box<str>>,
    },
    Shared {
        name: Box<str>,
        owner: Box<str>,
    },
}

impl From<Caller<'_>> for Current {
    fn from(caller: Caller<'_>) -> Self {
        match caller {
            Caller::Connection => Self::Connection,
            Caller::Session { name, owner } => Self::Session {
                name: name.into(),
                owner: owner.map(Into::into),
            },
            Caller::Shared { name, owner } => Self::Shared {
                name: name.into(),
                owner: owner.into(),
            },
        }
    }
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
    /// Works on the messages of one origin. Without it all messages belong to the client of one connection.
    pub fn within<T>(&mut self, origin: Origin<'_>, work: impl FnOnce(&mut Self) -> T) -> T {
        self.waiting.enter(origin.scope);
        self.caller = origin.caller.into();
        let done = work(self);
        self.waiting.enter("");
        self.caller = Current::Connection;
        done
    }

    /// Ends the call that waits under this id, in its normal form: it will never be answered. Does nothing if no call waits.
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

    /// Ends every call that waits within this scope: none of them will be answered.
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
