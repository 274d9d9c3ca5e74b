//! One message of a client and what comes back for it.

use std::{
    fmt::Write as _,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use hyper::HeaderMap;
use unstuck::Json;
use unstuck_mcp::{Caller, Codec, Lost, Message, Origin, ToClient};

use super::{
    headers::SESSION,
    peer::{Peer, Visitor},
    reply::fault,
    server::Server,
};

/// Who messages are counted for, and the scope of their ids.
#[derive(Clone, Debug)]
pub(super) struct Whose {
    scope: Box<str>,
    counted: Counted,
}

#[derive(Clone, Debug)]
enum Counted {
    Session {
        name: Box<str>,
        owner: Option<Box<str>>,
    },
    Visitor(Visitor),
}

impl Whose {
    /// A message without a session: its answer comes with it or not at all.
    pub(super) fn alone(visitor: Visitor) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self {
            scope: format!("x{number}\n").into(),
            counted: Counted::Visitor(visitor),
        }
    }

    /// Messages of a session. A client that knows its id can use it, so the id itself is not recorded.
    pub(super) fn of_session(id: &str) -> Self {
        let hash = blake3::derive_key("unstuck 2026-11 name of an MCP session", id.as_bytes());
        let mut name = String::from("http-");
        for byte in &hash[..8] {
            // Writing to a string cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        Self {
            scope: format!("s{name}\n").into(),
            counted: Counted::Session {
                name: name.into(),
                owner: None,
            },
        }
    }

    /// Calls of a session in this place of its peer. Sessions that follow each other there are one burst.
    pub(super) fn of_session_at(id: &str, peer: Peer, place: u32) -> Self {
        let mut whose = Self::of_session(id);
        if let Counted::Session { owner, .. } = &mut whose.counted {
            *owner = Some(format!("{peer}#{place}").into());
        }
        whose
    }

    pub(super) fn origin(&self) -> Origin<'_> {
        let caller = match &self.counted {
            Counted::Session { name, owner } => Caller::Session {
                name,
                owner: owner.as_deref(),
            },
            Counted::Visitor(visitor) => Caller::Shared {
                name: &visitor.name,
                owner: &visitor.owner,
            },
        };
        Origin {
            scope: &self.scope,
            caller,
        }
    }

    pub(super) fn scope(&self) -> &str {
        &self.scope
    }

    pub(super) fn is_session(&self) -> bool {
        matches!(self.counted, Counted::Session { .. })
    }
}

/// An id as it is spelled, and as it is compared.
#[derive(Clone, Debug)]
pub(super) struct Waits {
    pub(super) raw: Box<str>,
    pub(super) key: Json,
}

/// What a message is, as far as it matters for its way.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Request { method: Box<str>, id: Waits },
    Notification,
    Response,
}

impl Kind {
    pub(super) fn of(message: &Message<'_>) -> Self {
        match message {
            Message::Request(request) => Self::Request {
                method: request.method.as_ref().into(),
                id: Waits {
                    raw: request.id.raw.into(),
                    key: request.id.key.clone(),
                },
            },
            Message::Notification(_) => Self::Notification,
            _ => Self::Response,
        }
    }

    /// Whether a message with these headers asks for a new session.
    pub(super) fn begins_session(&self, headers: &HeaderMap) -> bool {
        let method = match self {
            Self::Request { method, .. } => &**method,
            Self::Notification | Self::Response => return false,
        };
        method == "initialize" && !headers.contains_key(SESSION)
    }

    pub(super) fn id(&self) -> Option<&Waits> {
        match self {
            Self::Request { id, .. } => Some(id),
            Self::Notification | Self::Response => None,
        }
    }
}

/// A message that was passed on. Whatever becomes of the connections, its call is on record as ended when this is dropped.
pub(super) struct Exchange {
    pub(super) server: Arc<Server>,
    pub(super) whose: Whose,
    pub(super) id: Option<Waits>,
    lost: Lost,
    later: bool,
}

impl Exchange {
    pub(super) fn new(server: Arc<Server>, whose: Whose, id: Option<Waits>) -> Self {
        Self {
            server,
            whose,
            id,
            lost: Lost::ByClient,
            later: false,
        }
    }

    /// The answer may come on another connection.
    pub(super) fn may_come_later(&mut self) {
        self.later = self.whose.is_session();
    }

    /// If the answer is still missing, that is the server's doing.
    pub(super) fn server_is_done(&mut self) {
        self.lost = Lost::ByServer;
    }

    /// Judges what the server says. What cannot be read and answers nothing that is known becomes an error for whoever
    /// waits here.
    pub(super) fn judge(&self, message: &[u8], last: Last) -> ToClient {
        let mut codec = Codec::with_limit(self.server.longest);
        let read = codec.read(message);
        let why = read.as_ref().err().map(ToString::to_string);
        let said = self
            .server
            .shared
            .judge_server(self.whose.origin(), read, message);
        match (said, why, &self.id) {
            (ToClient::Drop | ToClient::Answer(_), Some(why), Some(id)) if last == Last::Yes => {
                let why = format!("the server's answer was {why}");
                ToClient::Replace(fault(Some(&id.raw), &why))
            }
            // What is no stream holds no requests.
            (ToClient::Answer(_), ..) if last == Last::Yes => ToClient::Drop,
            (said, ..) => said,
        }
    }

    pub(super) fn raw_id(&self) -> Option<&str> {
        self.id.as_ref().map(|id| &*id.raw)
    }
}

/// Whether anything can follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    Yes,
    No,
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if let Some(id) = &self.id
            && !self.later
        {
            self.server
                .shared
                .lost(self.whose.origin(), &id.key, self.lost);
        }
    }
}
