//! One server behind the listener.

use std::sync::Arc;

use anyhow::{Result, bail};
use hyper::{HeaderMap, http::request::Parts};
use unstuck_http::{Loaded, Memory, Peer, Reply};
use unstuck_mcp::Policy;

use super::{
    clients::{Clients, Membership},
    exchange::{ClientScope, Exchange, Kind},
    headers::SESSION,
    recorded_guard::RecordedGuard,
    replays::Replays,
    stdio::Stdio,
    upstream::Upstream,
    visitors::Visitor,
};

/// A server, its guard and its audit.
pub(super) struct Server {
    pub(super) name: String,
    pub(super) shared: RecordedGuard,
    pub(super) target: Target,
    pub(super) replays: Replays,
    /// The most bytes a message may have.
    pub(super) longest: usize,
    /// What all messages of all servers may take.
    pub(super) memory: Memory,
    /// Clients with sessions at any of the servers.
    pub(super) clients: Arc<Clients>,
}

/// Where a server is.
pub(super) enum Target {
    Http(Box<Upstream>),
    Stdio(Stdio),
}

impl Server {
    /// Finds who a message is counted for. Only sessions that this proxy saw being created are distinguished, and only
    /// for the peer that created them: made-up ids are counted as their visitor.
    pub(super) fn whose(
        &self,
        head: &Parts,
        era: ProtocolGeneration,
        visitor: Visitor,
    ) -> ClientScope {
        let peer = Peer::of(head);
        // An upstream gets the header with every message. A process that is started here has sessions in one era only.
        let has_sessions =
            era == ProtocolGeneration::Handshake || matches!(self.target, Target::Http(_));
        let id = session_id(&head.headers).filter(|_| has_sessions);
        let known = id.and_then(|id| match &self.target {
            Target::Http(upstream) => upstream.whose(id, peer),
            Target::Stdio(stdio) => stdio.whose(id, peer),
        });
        known.unwrap_or_else(|| ClientScope::alone(visitor))
    }

    /// Its processes, where it is started here.
    pub(super) fn stdio(&self) -> Result<&Stdio> {
        match &self.target {
            Target::Stdio(stdio) => Ok(stdio),
            Target::Http(_) => bail!("{} is not started here", self.name),
        }
    }

    /// Finds the client of a session that begins.
    pub(super) fn join(&self, visitor: &Visitor, id: &str) -> Membership {
        self.clients.join(&self.name, visitor, id)
    }

    /// Whether this message can be passed on. A message that goes nowhere is not judged.
    pub(super) fn admit(
        &self,
        head: &Parts,
        kind: &Kind,
        era: ProtocolGeneration,
        message: &[u8],
    ) -> Result<(), Box<Reply>> {
        match &self.target {
            Target::Http(_) => Ok(()),
            Target::Stdio(stdio) => stdio.admit(head, kind, era, message),
        }
    }

    /// Passes a judged message on.
    pub(super) async fn post(
        self: &Arc<Self>,
        head: &Parts,
        kind: &Kind,
        era: ProtocolGeneration,
        message: Loaded,
        exchange: Exchange,
    ) -> Reply {
        match &self.target {
            Target::Http(upstream) => {
                let message = message.into_bytes();
                upstream.post(head, kind, message, exchange).await
            }
            Target::Stdio(stdio) => stdio.post(head, kind, era, message, exchange).await,
        }
    }

    /// Opens the stream of what the server says by itself.
    pub(super) async fn get(self: &Arc<Self>, head: &Parts) -> Reply {
        match &self.target {
            Target::Http(upstream) => upstream.get(self, head).await,
            Target::Stdio(stdio) => stdio.get(self, head),
        }
    }

    /// Tells a server that is reached by HTTP something in a client's place. The answer is not waited for.
    pub(super) fn tell(self: &Arc<Self>, headers: &HeaderMap, message: Vec<u8>) {
        let Target::Http(upstream) = &self.target else {
            return;
        };
        // A server that asks for too much at once does without.
        let Some(leave) = upstream.leave_to_tell() else {
            return;
        };
        let (server, headers) = (Arc::clone(self), headers.clone());
        tokio::spawn(async move {
            if let Target::Http(upstream) = &server.target {
                upstream.tell(headers, message).await;
            }
            drop(leave);
        });
    }

    /// Ends a session.
    pub(super) async fn delete(self: &Arc<Self>, head: &Parts) -> Reply {
        match &self.target {
            Target::Http(upstream) => upstream.delete(self, head).await,
            Target::Stdio(stdio) => stdio.delete(head),
        }
    }

    pub(super) fn set_policy(&self, policy: Policy) {
        self.shared.with_guard(|guard| guard.set_policy(policy));
    }
}

/// Which protocol a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProtocolGeneration {
    /// Up to 2025-11-25.
    Handshake,
    /// From 2026-07-28 on.
    Stateless,
}

pub(super) fn session_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}
