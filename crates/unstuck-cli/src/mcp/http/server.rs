//! One server behind the listener.

use std::sync::Arc;

use bytes::Bytes;
use hyper::{HeaderMap, http::request::Parts};
use unstuck_mcp::Policy;

use super::{
    exchange::{Exchange, Kind, Whose},
    headers::SESSION,
    replays::Replays,
    reply::Reply,
    stdio::Stdio,
    upstream::Upstream,
};
use crate::mcp::Shared;

/// A server, its guard and its audit.
pub(super) struct Server {
    pub(super) name: String,
    pub(super) shared: Shared,
    pub(super) target: Target,
    pub(super) replays: Replays,
    /// The most bytes a message may have.
    pub(super) longest: usize,
}

/// Where a server is.
pub(super) enum Target {
    Http(Box<Upstream>),
    Stdio(Stdio),
}

impl Server {
    /// Whose a message with these headers is. Only sessions that the server itself began are told apart: whoever makes
    /// up a new one for every call is counted as one.
    pub(super) fn whose(&self, headers: &HeaderMap, era: Era) -> Whose {
        let id = session_id(headers).filter(|_| era == Era::Handshake);
        let known = id.filter(|id| match &self.target {
            Target::Http(upstream) => upstream.knows(id),
            Target::Stdio(stdio) => stdio.knows(id),
        });
        known.map_or_else(Whose::alone, Whose::of_session)
    }

    /// Whether there is anybody to pass a message on to. What goes nowhere is not judged.
    pub(super) fn admit(&self, head: &Parts, kind: &Kind, era: Era) -> Result<(), Box<Reply>> {
        match &self.target {
            // The server itself knows best.
            Target::Http(_) => Ok(()),
            Target::Stdio(stdio) => stdio.admit(head, kind, era),
        }
    }

    /// Passes a judged message on.
    pub(super) async fn post(
        self: &Arc<Self>,
        head: &Parts,
        kind: &Kind,
        era: Era,
        message: Bytes,
        exchange: Exchange,
    ) -> Reply {
        match &self.target {
            Target::Http(upstream) => upstream.post(head, message, exchange).await,
            Target::Stdio(stdio) => stdio.post(head, kind, era, message.into(), exchange).await,
        }
    }

    /// Opens the stream of what the server says by itself.
    pub(super) async fn get(self: &Arc<Self>, head: &Parts) -> Reply {
        match &self.target {
            Target::Http(upstream) => upstream.get(self, head).await,
            Target::Stdio(stdio) => stdio.get(head),
        }
    }

    /// Tells a server that is reached by HTTP something in a client's place. Nobody waits for that.
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
pub(super) enum Era {
    /// Up to 2025-11-25.
    Handshake,
    /// From 2026-07-28 on.
    Stateless,
}

pub(super) fn session_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}
