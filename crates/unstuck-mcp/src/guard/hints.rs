//! What a client says about itself in `_meta`.

use unstuck::Json;
use unstuck_json::JsonRef;

use super::origin::Current;

/// Session of the client of a connection.
const CONNECTION: &str = "default";

/// Agent of every caller, unless names are trusted.
const AGENT: &str = "main";

/// Longest name that is read, in bytes. Longer names are ignored.
const LONGEST: usize = 128;

/// Whether calls are counted by the names that a client gives in `_meta`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Names {
    /// Names are recorded and offered to policies, and change nothing else.
    #[default]
    Claimed,
    /// The client is trusted to name its sessions and threads: they are counted apart, and a thread is the principal of
    /// policies.
    Trusted,
}

/// Names that a client gave. It can choose them freely, and another one for every call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claims {
    pub(super) session: Option<Box<str>>,
    pub(super) agent: Option<Box<str>>,
    pub(super) client: Option<Box<str>>,
}

/// Claims of one call, and the protocol its client speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hints {
    pub(super) claims: Claims,
    pub(super) era: Era,
}

/// Which results a client understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Up to 2025-11-25.
    Handshake,
    /// From 2026-07-28 on: every result says whether it is complete.
    Stateless,
}

impl Hints {
    pub(super) fn of(meta: Option<&Json>) -> Self {
        let mut hints = Self {
            claims: Claims::default(),
            era: Era::Handshake,
        };
        let Some(meta) = meta else { return hints };
        let mut session = None;
        let mut thread = None;
        for (name, value) in meta.view().members() {
            match &*name {
                "sessionId" => session = session.or_else(|| text(value)),
                "threadId" => thread = thread.or_else(|| text(value)),
                "x-codex-turn-metadata" => {
                    session = value.get("session_id").and_then(text).or(session);
                    thread = value.get("thread_id").and_then(text).or(thread);
                }
                CLIENT => hints.claims.client = client(value),
                "io.modelcontextprotocol/protocolVersion" => hints.era = Era::Stateless,
                _ => {}
            }
        }
        // The first thread of a session has the session's name.
        hints.claims.agent = thread.filter(|thread| session.as_ref() != Some(thread));
        hints.claims.session = session;
        hints
    }
}

impl Claims {
    pub(super) fn is_empty(&self) -> bool {
        self.session.is_none() && self.agent.is_none() && self.client.is_none()
    }

    /// Session and agent that a call is counted for. A claimed session is always below that of the transport, so that
    /// a client cannot name another client's session.
    pub(super) fn counted(&self, caller: &Current, names: Names) -> (Box<str>, Box<str>) {
        let transport = match caller {
            Current::Connection => None,
            Current::Session { name, .. } | Current::Shared { name, .. } => Some(&**name),
        };
        let claimed = self.session.as_deref().filter(|_| names == Names::Trusted);
        let session = match (transport, claimed) {
            (None, None) => CONNECTION.into(),
            (None, Some(name)) | (Some(name), None) => name.into(),
            (Some(transport), Some(claimed)) => format!("{transport}/{claimed}").into(),
        };
        let agent = self.agent.as_deref().filter(|_| names == Names::Trusted);
        (session, agent.unwrap_or(AGENT).into())
    }
}

/// Member of `_meta` in which clients of the stateless protocol give their name and version.
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";

/// Name and version that a client gives in `_meta`. The client chooses them.
pub fn claimed_client(meta: &Json) -> Option<Box<str>> {
    client(meta.view().get(CLIENT)?)
}

fn client(value: JsonRef<'_>) -> Option<Box<str>> {
    let name = value.get("name").and_then(text)?;
    match value.get("version").and_then(text) {
        Some(version) => Some(format!("{name} {version}").into()),
        None => Some(name),
    }
}

fn text(value: JsonRef<'_>) -> Option<Box<str>> {
    let text = value.text()?;
    (!text.is_empty() && text.len() <= LONGEST).then(|| text.into())
}

#[cfg(test)]
#[path = "hints_tests.rs"]
mod tests;
