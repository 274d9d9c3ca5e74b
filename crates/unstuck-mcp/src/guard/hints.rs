//! What a client says about itself in `_meta`.

use unstuck::{Json, JsonRef};

/// The session of calls that are of none.
const NO_SESSION: &str = "default";

/// Whose call it is, and in which words to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hints {
    pub(super) session: Box<str>,
    pub(super) agent: Box<str>,
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

impl Default for Hints {
    fn default() -> Self {
        Self {
            session: NO_SESSION.into(),
            agent: "main".into(),
            era: Era::Handshake,
        }
    }
}

impl Hints {
    pub(super) fn of(meta: Option<&Json>) -> Self {
        let mut hints = Self::default();
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
                "io.modelcontextprotocol/protocolVersion" => hints.era = Era::Stateless,
                _ => {}
            }
        }
        if let Some(session) = session {
            hints.session = session;
        }
        // The first thread of a session has its name.
        if let Some(thread) = thread.filter(|thread| *thread != hints.session) {
            hints.agent = thread;
        }
        hints
    }

    /// With the session that the transport knows, if the client named none.
    pub(super) fn or_session(mut self, session: Option<&str>) -> Self {
        if let Some(session) = session
            && &*self.session == NO_SESSION
        {
            self.session = session.into();
        }
        self
    }
}

/// Longer names are no names.
fn text(value: JsonRef<'_>) -> Option<Box<str>> {
    let text = value.text()?;
    (!text.is_empty() && text.len() <= 128).then(|| text.into())
}

#[cfg(test)]
#[path = "hints_tests.rs"]
mod tests;
