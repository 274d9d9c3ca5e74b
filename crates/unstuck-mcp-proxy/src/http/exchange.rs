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
use unstuck_http::Peer;
use unstuck_mcp::{Body, Caller, Codec, Id, Lost, Message, Origin, Refusal, RefusalKind, ToClient};

use super::{
    clients::Membership, headers::SESSION, reply::fault, server::Server, visitors::Visitor,
};

/// Who messages are counted for, and the scope of their ids.
#[derive(Clone, Debug)]
pub(super) struct ClientScope {
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

impl ClientScope {
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
        let name = session_name(id);
        Self {
            scope: format!("s{name}\n").into(),
            counted: Counted::Session { name, owner: None },
        }
    }

    /// Calls of a session of this client, in this place of its peer. Sessions that follow each other there are one burst.
    pub(super) fn of_session_at(id: &str, client: &Membership, (peer, place): (Peer, u32)) -> Self {
        let mut whose = Self::of_session(id);
        whose.counted = Counted::Session {
            name: client.name().into(),
            owner: Some(format!("{peer}#{place}").into()),
        };
        whose
    }

    /// Who calls are counted for that have no session yet.
    pub(super) fn visitor(&self) -> Option<&Visitor> {
        match &self.counted {
            Counted::Session { .. } => None,
            Counted::Visitor(visitor) => Some(visitor),
        }
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

/// Name of a session, which does not reveal its id.
pub(super) fn session_name(id: &str) -> Box<str> {
    let hash = blake3::derive_key("unstuck 2026-11 name of an MCP session", id.as_bytes());
    let mut name = String::from("http-");
    for byte in &hash[..8] {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name.into()
}

/// An id as it is spelled, and as it is compared.
#[derive(Clone, Debug)]
pub(super) struct RequestId {
    pub(super) raw: Box<str>,
    pub(super) key: Json,
}

/// What a message is, as far as it matters for its way.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Request { method: Box<str>, id: RequestId },
    Notification,
    Response,
}

impl Kind {
    pub(super) fn of(message: &Message<'_>) -> Self {
        match message {
            Message::Request(request) => Self::Request {
                method: request.method.as_ref().into(),
                id: RequestId {
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

    pub(super) fn id(&self) -> Option<&RequestId> {
        match self {
            Self::Request { id, .. } => Some(id),
            Self::Notification | Self::Response => None,
        }
    }
}

/// A message that was passed on. Whatever becomes of the connections, its call is on record as ended when this is dropped.
pub(super) struct Exchange {
    pub(super) server: Arc<Server>,
    pub(super) whose: ClientScope,
    pub(super) id: Option<RequestId>,
    lost: Lost,
    later: bool,
    resumes: bool,
}

impl Exchange {
    pub(super) fn new(server: Arc<Server>, whose: ClientScope, id: Option<RequestId>) -> Self {
        Self {
            server,
            whose,
            id,
            lost: Lost::ByClient,
            later: false,
            resumes: false,
        }
    }

    /// The answer may come on another connection.
    pub(super) fn may_come_later(&mut self) {
        self.later = self.whose.is_session();
    }

    /// What follows was asked for on another connection, and a part of it may have been passed on there.
    pub(super) fn resumes(&mut self) {
        self.resumes = self.whose.is_session();
        self.later = self.resumes;
    }

    /// If the answer is still missing, that is the server's doing.
    pub(super) fn server_is_done(&mut self) {
        self.lost = Lost::ByServer;
    }

    /// Judges what the server says. What cannot be read and answers nothing that is known becomes an error for the client
    /// that waits here.
    pub(super) fn judge(&self, message: &[u8], came: Came) -> ToClient {
        let mut codec = Codec::with_limit(self.server.longest);
        let read = codec.read(message);
        if came == Came::WithError && read.as_ref().is_err_and(Refusal::is_foreign) {
            // Errors of HTTP need not be messages.
            return ToClient::Forward;
        }
        let read = read.and_then(|message| self.paired(message, came));
        let id = match &read {
            Ok(Message::Response(response)) => response.id.clone(),
            _ => None,
        };
        if let Some(id) = &id
            && self.is_replay(id, message)
        {
            return ToClient::Forward;
        }
        let why = read.as_ref().err().map(ToString::to_string);
        let shared = &self.server.shared;
        let said = shared.judge_server(self.whose.origin(), read, message);
        let passes = matches!(said, ToClient::Forward | ToClient::Replace(_));
        if id.is_some() && passes && self.later {
            self.server.replays.remember(self.whose.scope(), message);
        }
        match (said, why, &self.id) {
            (ToClient::Drop | ToClient::Answer(_), Some(why), Some(id))
                if came != Came::OnStream =>
            {
                let why = format!("the server's answer was {why}");
                ToClient::Replace(fault(Some(&id.raw), &why))
            }
            // What is not a stream holds no requests.
            (ToClient::Answer(_), ..) if came != Came::OnStream => ToClient::Drop,
            (said, ..) => said,
        }
    }

    /// An answer that comes here must be that to the request that was sent here: some official clients take any for it,
    /// whatever its id. Errors about requests that could not be read have no id, or one that the server made up.
    fn paired<'a>(&'a self, mut message: Message<'a>, came: Came) -> Result<Message<'a>, Refusal> {
        let (Message::Response(response), Some(asked)) = (&mut message, &self.id) else {
            return Ok(message);
        };
        let is_its = |id: &Id<'_>| id.key == asked.key;
        if response.id.as_ref().is_some_and(is_its) {
            return Ok(message);
        }
        let may_lack_id = response.id.is_none() || came == Came::WithError;
        if may_lack_id && matches!(response.body, Body::Error(_)) {
            response.id = Id::of(&asked.raw).ok();
            return Ok(message);
        }
        Err(Refusal::of_answer(None, RefusalKind::Unasked))
    }

    /// Whether this answer was judged on the connection that is resumed here.
    fn is_replay(&self, id: &Id<'_>, message: &[u8]) -> bool {
        self.resumes
            && self.server.replays.has(self.whose.scope(), message)
            && !self.server.shared.waits_for(self.whose.origin(), id)
    }

    /// Records that the server's answer has a type of content that is not read, and returns the error for the client.
    pub(super) fn refuse_content(&self) -> Vec<u8> {
        let id = self.raw_id();
        let refusal = Refusal::of_answer(id, RefusalKind::ContentType);
        let why = format!("the server's answer was {refusal}");
        let shared = &self.server.shared;
        match shared.judge_server(self.whose.origin(), Err(refusal), &[]) {
            ToClient::Replace(answer) => answer,
            _ => fault(id, &why),
        }
    }

    pub(super) fn raw_id(&self) -> Option<&str> {
        self.id.as_ref().map(|id| &*id.raw)
    }
}

/// How a message of the server came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// As an event, and others may follow.
    OnStream,
    /// As the body of an answer.
    Alone,
    /// The same, with a status that is an error.
    WithError,
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
