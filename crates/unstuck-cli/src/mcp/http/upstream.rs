//! A server that is reached by HTTP.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode, Uri,
    body::Incoming,
    header::{CONTENT_TYPE, HeaderValue},
    http::request::Parts,
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, ResponseFuture, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use unstuck_mcp::ToClient;
use unstuck_session::sync::lock;
use unstuck_text::Shown;

use super::{
    content::{Content, EVENTS, JSON, is_encoded},
    exchange::{Came, Exchange, Kind, Whose},
    headers::{LAST_EVENT, PassedHeaders, SESSION, of_response, to_client, to_server},
    judged::Judged,
    memory::{Loaded, Unread, collect},
    peer::{Peer, Visitor},
    reply::{Reply, busy, failed, json, whole_body},
    server::{Server, session_id},
    sessions::{SessionLimits, Sessions},
};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);

/// Sessions that are distinguished at once. Requests for more are refused.
const MOST_SESSIONS: usize = 4_096;

/// Messages that are sent to a server in its clients' place at once.
const MOST_TOLD: usize = 16;

/// Where a server is, and how to talk to it.
pub(super) struct Upstream {
    url: Uri,
    configured: HeaderMap,
    passed: PassedHeaders,
    patience: Duration,
    longest: usize,
    client: Wire,
    sessions: Mutex<Sessions<()>>,
    telling: Arc<Semaphore>,
}

enum Wire {
    Plain(Client<HttpConnector, Full<Bytes>>),
    Tls(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl Wire {
    fn request(&self, request: Request<Full<Bytes>>) -> ResponseFuture {
        match self {
            Self::Plain(client) => client.request(request),
            Self::Tls(client) => client.request(request),
        }
    }
}

/// An address that may be used as it is: http or https, with a host and without a password.
pub(crate) fn url(text: &str) -> Result<Uri> {
    let Ok(url) = text.parse::<Uri>() else {
        // It may hold a password.
        bail!("the URL of a server cannot be read; write http://HOST:PORT/PATH");
    };
    let host = url.host().filter(|host| !host.is_empty());
    match (url.scheme_str(), host) {
        (Some("http" | "https"), Some(_)) => {}
        _ => bail!("the URL of a server begins with http:// or https://"),
    }
    if url
        .authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
    {
        bail!("the URL of a server has a user name in it; give credentials as a header");
    }
    Ok(url)
}

impl Upstream {
    pub(super) fn new(
        url: Uri,
        configured: HeaderMap,
        passed: PassedHeaders,
        patience: Duration,
        (longest, idle): (usize, Duration),
    ) -> Result<Self> {
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT));
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new());
        // Certificates of this machine are not read for a server that needs none.
        let client = if url.scheme_str() == Some("https") {
            tcp.enforce_http(false);
            let roots = HttpsConnectorBuilder::new().with_native_roots();
            let roots = roots.context("cannot read the certificates that this machine trusts")?;
            Wire::Tls(builder.build(roots.https_only().enable_http1().wrap_connector(tcp)))
        } else {
            Wire::Plain(builder.build(tcp))
        };
        Ok(Self {
            url,
            configured,
            passed,
            patience,
            longest,
            client,
            sessions: Mutex::new(Sessions::new(SessionLimits {
                most: MOST_SESSIONS,
                per_peer: None,
                idle,
            })),
            telling: Arc::new(Semaphore::new(MOST_TOLD)),
        })
    }

    pub(super) fn place(&self, id: &str, peer: Peer) -> Option<u32> {
        lock(&self.sessions).place(id, peer)
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
        for (id, ()) in over {
            server.shared.close_scope(Whose::of_session(&id).scope());
        }
    }

    fn forget(&self, server: &Server, id: &str, peer: Peer) {
        let gone = lock(&self.sessions).remove(id, peer).is_some();
        if gone {
            server.shared.close_scope(Whose::of_session(id).scope());
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
        self.note_session(&exchange.server, (head, kind), &answer);
        self.answer(answer, head, exchange).await
    }

    /// Leave to tell the server something in a client's place, unless too much is told already.
    pub(super) fn leave_to_tell(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.telling).try_acquire_owned().ok()
    }

    /// Tells the server something in a client's place. What it says to that is nobody's concern.
    pub(super) async fn tell(&self, headers: HeaderMap, message: Vec<u8>) {
        let mut request = Request::new(Full::new(message.into()));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.clone();
        *request.headers_mut() = headers;
        // Whoever does not want to know is not told again.
        let _ = timeout(self.patience, self.client.request(request)).await;
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
        self.note_session(server, (head, &Kind::Response), &answer);
        let id = session_id(&head.headers).filter(|id| self.place(id, peer).is_some());
        // Nothing is counted here: only answers come this way.
        let whose = id.map_or_else(|| Whose::alone(Visitor::unnamed(peer)), Whose::of_session);
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
        let mut request = Request::new(Full::new(message));
        let mut headers = to_server(&head.headers, &self.configured, &self.passed);
        if method == Method::POST {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        }
        *request.method_mut() = method;
        *request.uri_mut() = self.url.clone();
        *request.headers_mut() = headers;
        let answer = match timeout(self.patience, self.client.request(request)).await {
            Err(_) => return Err(Why::Slow),
            Ok(Err(error)) => {
                // The text of an error names addresses, and holds nothing of the message.
                let error = anyhow::Error::from(error);
                anstream::eprintln!(
                    "unstuck: no answer from {}: {}",
                    Shown::line(place(&self.url)),
                    Shown::line(format_args!("{error:#}"))
                );
                return Err(Why::Unreachable);
            }
            Ok(Ok(answer)) => answer,
        };
        if answer.status().is_redirection() && answer.status() != StatusCode::NOT_MODIFIED {
            anstream::eprintln!(
                "unstuck: {} redirects to another address, which is not followed; give that address in its place",
                Shown::line(place(&self.url))
            );
            return Err(Why::Redirect);
        }
        if is_encoded(answer.headers()) {
            return Err(Why::Encoded);
        }
        Ok(answer)
    }

    /// Remembers a session that the server began just now, and forgets one that it no longer knows. An id in any other
    /// answer may have been chosen by the client. A session for which there is no room is counted as
    /// its visitor is: the server itself knows best how many it can have.
    fn note_session(
        &self,
        server: &Server,
        (head, kind): (&Parts, &Kind),
        answer: &Response<Incoming>,
    ) {
        let peer = Peer::of(head);
        if kind.begins_session(&head.headers)
            && let Some(id) = answer.headers().get(SESSION)
            && let Ok(id) = id.to_str()
        {
            self.make_room(server, peer);
            let _ = lock(&self.sessions).add(id, peer, ());
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
                let back = to_server(&head.headers, &self.configured, &self.passed);
                let mut back = of_response(back);
                if let Some(id) = parts.headers.get(SESSION) {
                    back.insert(SESSION, id.clone());
                }
                let events = Judged::new(body, exchange, back).boxed_unsync();
                (Some(EVENTS), events)
            }
            Content::Json => {
                let whole = collect(body, self.longest, &exchange.server.memory);
                let whole = timeout(self.patience, whole).await;
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
                    let nothing = timeout(self.patience, Limited::new(body, 0).collect()).await;
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
                "the server's answer is compressed, which nobody asked for",
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

/// An address without what may be a secret in it.
fn place(url: &Uri) -> String {
    let host = url.host().unwrap_or_default();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!("{host}{port}")
}
