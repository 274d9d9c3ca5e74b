//! Whose a request is: the names that agents send, or else what the history begins with.

use std::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher13};

use crate::request::Request;

/// Names of a session and of an agent in it, as a request has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The session.
    pub session: Option<String>,
    /// The agent within the session, where it is not the first one.
    pub agent: Option<String>,
}

/// Headers by which agents name their sessions, the most specific first.
pub const HEADERS: [&str; 6] = [
    "x-unstuck-session",
    "x-claude-code-session-id",
    "session-id",
    "session_id",
    "x-session-id",
    "x-session-affinity",
];

/// Headers by which they name an agent within the session.
const AGENTS: [&str; 3] = ["x-unstuck-agent", "x-claude-code-agent-id", "thread-id"];

/// Characters of a name; longer ones are replaced by a hash.
const LONGEST: usize = 128;

impl Names {
    /// Reads the headers of a request.
    pub fn of_headers<'h>(header: impl Fn(&str) -> Option<&'h str>) -> Self {
        let find = |names: &[&str]| {
            let found = names.iter().find_map(|name| header(name));
            found.filter(|name| !name.is_empty()).map(bounded)
        };
        let session = find(&HEADERS);
        // A thread with the name of its session is the first agent.
        let agent = find(&AGENTS).filter(|agent| Some(agent) != session.as_ref());
        Self { session, agent }
    }

    /// The names of a request, with a session in any case: that of the headers, that of the body, or a hash of what its
    /// history begins with.
    #[must_use]
    pub fn complete(self, request: &Request<'_>) -> Self {
        let members = &request.members;
        let named = self.session.clone().or_else(|| {
            let named = members.conversation.as_ref().or(members.session.as_ref());
            named.map(|name| bounded(name))
        });
        let session = named.unwrap_or_else(|| format!("history-{:016x}", beginning(request)));
        Self {
            session: Some(session),
            agent: self.agent,
        }
    }

    /// Whether the request itself names its session. Other requests are told apart by their histories.
    pub fn are_given(&self, request: &Request<'_>) -> bool {
        let members = &request.members;
        self.session.is_some() || members.conversation.is_some() || members.session.is_some()
    }
}

/// What tells conversations without names apart.
fn beginning(request: &Request<'_>) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(request.form.name().as_bytes());
    hasher.write(request.first().unwrap_or_default().as_bytes());
    hasher.finish128().h1
}

fn bounded(name: &str) -> String {
    let is_plain = name.len() <= LONGEST && !name.contains(char::is_control);
    if is_plain {
        return name.to_owned();
    }
    let mut hasher = SipHasher13::new();
    hasher.write(name.as_bytes());
    format!("hash-{:016x}", hasher.finish128().h1)
}
