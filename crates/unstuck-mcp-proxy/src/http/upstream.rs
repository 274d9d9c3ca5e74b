//! A server that is reached by HTTP.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::Result;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::{
    HeaderMap, Method, Response, StatusCode,
    body::Incoming,
    header::{CONTENT_TYPE, HeaderValue},
    http::request::Parts,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use unstuck_http::{
    Content, EVENTS, JSON, Loaded, Peer, Reply, Unread, UpstreamFault, UpstreamOptions, collect,
    json, to_client, whole_body,
};
use unstuck_mcp::ToClient;
use unstuck_session::sync::lock;

use super::{
    clients::Membership,
    exchange::{Came, ClientScope, Exchange, Kind},
    guarded_events::guarded_events,
    headers::{LAST_EVENT, SESSION, of_response},
    reply::{busy, failed},
    server::{Server, session_id},
    sessions::{SessionLimits, Sessions},
    visitors::Visitor,
};

/// Sessions that are distinguished at once. Requests for more are refused.
const MOST_SESSIONS: usize = 4_096;

/// Messages that are sent to a server in its clients' place at once.
const MOST_TOLD: usize = 16;

/// Where a server is, and how to talk to it.
pub(super) struct Upstream {
    http: unstuck_http::Upstream,
    longest: usize,
    sessions: Mutex<Sessions<Membership>>,
    telling: Arc<Semaphore>,
}

impl Upstream {
    pub(super) fn new(
        options: UpstreamOptions,
        (longest, idle): (usize, Duration),
    ) -> Result<Self> {
        Ok(Self {
            http: unstuck_http::Upstream::new(options)?,
            longest,
            sessions: Mutex::new(Sessions::new(SessionLimits {
                most: MOST_SESSIONS,
                per_peer: None,
                idle,
            })),
            telling: Arc::new(Semaphore::new(MOST_TOLD)),
        })
    }

    /// Whose the messages of a session are, if this peer began it.
    pub(super) fn whose(&self, id: &str, peer: Peer) -> Option<ClientScope> {
        let mut sessions = lock(&self.sessions);
        let session = sessions.session(id, peer)?;
        let place = (peer, session.place);
        Some(ClientScope::of_session_at(id, &session.value, place))
    }

    /// Makes room for another session, if there is none: those without use end.
    fn make_room(&self, server: &Server, peer: Peer) {
        let mut sessions = lock(&self.sessions);
        if sessions.room(peer).is_ok() {
            return;
        }
        let idle = sessions.idle();
        let over = sessions.sweep(|session| session.used.elapsed() > idle);
        drop(sessions);
        for (id, _) in over {
            server
                .shared
                .close_scope(ClientScope::of_session(&id).scope());
        }
    }

    fn forget(&self, server: &Server, id: &str, peer: Peer) {
        let gone = lock(&self.sessions).remove(id, peer).is_some();
        if gone {
            server
                .shared
                .close_scope(ClientScope::of_session(id).scope());
        }
    }

    pub(super) async fn post(
        &self,
        head: &Parts,
        kind: &Kind,
        message: Bytes,
        exchange: Exchange,
    ) -> Reply {
        let mut exchange = exchange;
        let answer = match self.ask(Method::POST, head, message).await {
            Ok(answer) => answer,
            Err(why) => {
                exchange.server_is_done();
                return why.reply(exchange.raw_id());
            }
        };
        let visitor = exchange.whose.visitor();
        self.note_session(&exchange.server, visitor, (head, kind), &answer);
        self.answer(answer, head, exchange).await
    }

    /// Permission to send the server a message in a client's place, unless too many are on their way.
    pub(super) fn leave_to_tell(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.telling).try_acquire_owned().ok()
    }

    /// Tells the server something in a client's place. Its answer is ignored.
    pub(super) async fn tell(&self, headers: HeaderMap, message: Vec<u8>) {
        self.http.tell(headers, message).await;
    }

    pub(super) async fn get(&self, server: &Arc<Server>, head: &Parts) -> Reply {
        self.without_body(server, Method::GET, head).await
    }

    pub(super) async fn delete(&self, server: &Arc<Server>, head: &Parts) -> Reply {
        let reply = self.without_body(server, Method::DELETE, head).await;
        if let Some(id) = session_id(&head.headers)
            && reply.status().is_success()
        {
            self.forget(server, id, Peer::of(head));
        }
        reply
    }

    async fn without_body(&self, server: &Arc<Server>, method: Method, head: &Parts) -> Reply {
        let answer = match self.ask(method, head, Bytes::new()).await {
            Ok(answer) => answer,
            Err(why) => return why.reply(None),
        };
        let peer = Peer::of(head);
        self.note_session(server, None, (head, &Kind::Response), &answer);
        let id = session_id(&head.headers);
        let id = id.filter(|id| lock(&self.sessions).get(id, peer).is_some());
        // Nothing is counted here: only answers come this way.
        let whose = id.map_or_else(
            || ClientScope::alone(Visitor::unnamed(peer)),
            ClientScope::of_session,
        );
        let mut exchange = Exchange::new(Arc::clone(server), whose, None);
        if head.headers.contains_key(LAST_EVENT) {
            exchange.resumes();
        }
        self.answer(answer, head, exchange).await
    }

    async fn ask(
        &self,
        method: Method,
        head: &Parts,
        message: Bytes,
    ) -> Result<Response<Incoming>, Why> {
        let mut headers = self.http.headers(&head.headers);
        if method == Method::POST {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        }
        let answer = self.http.send(method, headers, message).await;
        answer.map_err(|fault| match fault {
            UpstreamFault::Slow => Why::Slow,
            UpstreamFault::Redirect => Why::Redirect,
            UpstreamFault::Encoded => Why::Encoded,
            _ => Why::Unreachable,
        })
    }

    /// Remembers a session that the server began just now, and forgets one that it no longer knows. An id in any other
    /// answer may have been chosen by the client. A session for which there is no room is counted as
    /// its visitor is: the server itself knows best how many it can have.
    fn note_session(
        &self,
        server: &Server,
        visitor: Option<&Visitor>,
        (head, kind): (&Parts, &Kind),
        answer: &Response<Incoming>,
    ) {
        let peer = Peer::of(head);
        if kind.begins_session(&head.headers)
            && let Some(id) = answer.headers().get(SESSION)
            && let Ok(id) = id.to_str()
        {
            self.make_room(server, peer);
            let visitor = visitor.cloned();
            let visitor = visitor.unwrap_or_else(|| Visitor::unnamed(peer));
            let mut sessions = lock(&self.sessions);
            if sessions.get(id, peer).is_none() && sessions.room(peer).is_ok() {
                let _ = sessions.add(id, peer, server.join(&visitor, id));
            }
        }
        if answer.status() == StatusCode::NOT_FOUND
            && let Some(id) = session_id(&head.headers)
        {
            self.forget(server, id, peer);
        }
    }

    async fn answer(&self, answer: Response<Incoming>, head: &Parts, exchange: Exchange) -> Reply {
        let mut exchange = exchange;
        let (parts, body) = answer.into_parts();
        let mut headers = to_client(&parts.headers);
        let (kind, body) = match Content::of(&parts.headers) {
            Content::Events => {
                let back = self.http.headers(&head.headers);
                let mut back = of_response(back);
                if let Some(id) = parts.headers.get(SESSION) {
                    back.insert(SESSION, id.clone());
                }
                let events = guarded_events(body, exchange, back);
                (Some(EVENTS), events)
            }
            Content::Json => {
                let whole = collect(body, self.longest, &exchange.server.memory);
                let whole = timeout(self.http.patience(), whole).await;
                exchange.server_is_done();
                let whole = match whole {
                    Ok(Ok(whole)) => whole,
                    Ok(Err(Unread::NoMemory)) => return Why::NoMemory.reply(exchange.raw_id()),
                    Ok(Err(_)) => return Why::TooLong.reply(exchange.raw_id()),
                    Err(_) => return Why::Slow.reply(exchange.raw_id()),
                };
                match message(whole, parts.status, &exchange) {
                    Ok(message) => (Some(JSON), whole_body(message)),
                    Err(why) => return why.reply(exchange.raw_id()),
                }
            }
            Content::Other => {
                exchange.server_is_done();
                // Who waits for an answer gets an error. Else, and with an error of HTTP, the status says enough.
                if parts.status.is_success() && exchange.id.is_some() {
                    let nothing =
                        timeout(self.http.patience(), Limited::new(body, 0).collect()).await;
                    if !matches!(nothing, Ok(Ok(_))) {
                        return json(StatusCode::BAD_GATEWAY, exchange.refuse_content());
                    }
                }
                (None, whole_body(Bytes::new()))
            }
        };
        if let Some(kind) = kind {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        let mut reply = Response::new(body);
        *reply.status_mut() = parts.status;
        *reply.headers_mut() = headers;
        reply
    }
}

/// What becomes of a body that is one message.
fn message(mut whole: Loaded, status: StatusCode, exchange: &Exchange) -> Result<Bytes, Why> {
    let came = if status.is_success() {
        Came::Alone
    } else {
        Came::WithError
    };
    let is_waited_for = came == Came::Alone && exchange.id.is_some();
    if whole.bytes.iter().all(u8::is_ascii_whitespace) && !is_waited_for {
        return Ok(Bytes::new());
    }
    // Judging takes a copy of it.
    if !whole.held.grow(whole.bytes.len()) {
        return Err(Why::NoMemory);
    }
    let said = exchange.judge(&whole.bytes, came);
    whole.held.shrink_to(whole.bytes.len());
    match said {
        ToClient::Forward => Ok(whole.into_bytes()),
        ToClient::Replace(bytes) => {
            let held = whole.held;
            Ok(Loaded { bytes, held }.into_bytes())
        }
        _ if is_waited_for => Err(Why::Unreadable),
        // The status says enough.
        _ => Ok(Bytes::new()),
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug)]
enum Why {
    Unreachable,
    Slow,
    Redirect,
    Encoded,
    TooLong,
    NoMemory,
    Unreadable,
}

impl Why {
    fn reply(self, id: Option<&str>) -> Reply {
        let (status, why) = match self {
            Self::Unreachable => (StatusCode::BAD_GATEWAY, "the server cannot be reached"),
            Self::Slow => (
                StatusCode::GATEWAY_TIMEOUT,
                "the server did not answer in time",
            ),
            Self::Redirect => (
                StatusCode::BAD_GATEWAY,
                "the server redirects to another address, which is not followed",
            ),
            Self::Encoded => (
                StatusCode::BAD_GATEWAY,
                "the server's answer is compressed, which was not asked for",
            ),
            Self::TooLong => (
                StatusCode::BAD_GATEWAY,
                "the server's answer breaks off, or is longer than may be read",
            ),
            Self::NoMemory => {
                return busy(
                    id,
                    "the server's answer was not read, because other messages use all memory",
                );
            }
            Self::Unreadable => (
                StatusCode::BAD_GATEWAY,
                "the server's answer is not a message of MCP, or answers another request",
            ),
        };
        failed(status, id, why)
    }
}
