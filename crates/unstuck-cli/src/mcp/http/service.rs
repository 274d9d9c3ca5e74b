//! One request: who may send it, what it says, where it goes.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body, Frame, Incoming, SizeHint},
    header::{ALLOW, HeaderValue, TRANSFER_ENCODING},
    http::request::Parts,
};
use tokio::time::timeout;
use unstuck_mcp::{Codec, Message, RefusalKind, ToServer};

use super::{
    attempts::{Answer, Attempts},
    connections::{Answering, Connection},
    content::Content,
    exchange::{Exchange, Kind},
    framing::Faults,
    gate::Gate,
    headers::{agree, arguments_agree, version},
    heads::Fault,
    memory::{Loaded, Memory, Unread, collect},
    peer::{Names, Peer},
    reply::{self, Failure, Reply, busy, empty, json, last, later, refused, turned_away},
    server::{Era, Server},
};

/// Everything that requests need.
pub(super) struct Front {
    pub(super) gate: Gate,
    /// By the path they are served at.
    pub(super) servers: BTreeMap<String, Arc<Server>>,
    /// By which clients without a session are distinguished.
    pub(super) names: Names,
    pub(super) longest: usize,
    /// How long a body may take to arrive.
    pub(super) read: Duration,
    /// What all messages of all servers may take.
    pub(super) memory: Memory,
    /// Requests without the right token.
    pub(super) attempts: Attempts,
}

/// The connection that a request came by.
pub(super) struct Visit {
    pub(super) faults: Faults,
    pub(super) peer: Peer,
    pub(super) connection: Arc<Connection>,
}

/// The body of an answer. Its connection is idle when this is dropped.
pub(super) struct Answered {
    body: reply::Body,
    _answering: Answering,
}

impl Body for Answered {
    type Data = Bytes;
    type Error = Failure;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Failure>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// What becomes of a message.
enum Judged {
    Answered(Reply),
    PassOn {
        kind: Kind,
        era: Era,
        message: Loaded,
        exchange: Exchange,
    },
}

impl Front {
    pub(super) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        visit: Arc<Visit>,
    ) -> Result<Response<Answered>, Infallible> {
        let (head, body) = request.into_parts();
        let mut reply = if visit.connection.answers() {
            match self.serve(&head, body, &visit).await {
                Ok(reply) => reply,
                Err(reply) => *reply,
            }
        } else {
            last(busy(None, "too many connections"))
        };
        if visit.faults.get().is_some() || head.headers.contains_key(TRANSFER_ENCODING) {
            // What follows on this connection could be a part of this request to another program.
            reply = last(reply);
        }
        let answering = Answering(Arc::clone(&visit.connection));
        Ok(reply.map(|body| Answered {
            body,
            _answering: answering,
        }))
    }

    async fn serve(
        &self,
        head: &Parts,
        body: Incoming,
        visit: &Visit,
    ) -> Result<Reply, Box<Reply>> {
        if let Some(fault) = visit.faults.get() {
            return Err(malformed(fault));
        }
        if let Err(reply) = self.gate.check(head) {
            return Err(Box::new(self.count_failure(*reply, visit.peer)));
        }
        visit.connection.set_known();
        let Some(server) = self.servers.get(head.uri.path()) else {
            let why = "nothing is served at this path";
            return Err(turned_away(StatusCode::NOT_FOUND, why));
        };
        match head.method {
            Method::POST => {}
            Method::GET => return Ok(server.get(head).await),
            Method::DELETE => return Ok(server.delete(head).await),
            _ => return Ok(not_allowed("GET, POST, DELETE")),
        }
        if Content::of(&head.headers) != Content::Json {
            let why = "a message is application/json, in UTF-8 and not compressed";
            return Err(turned_away(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
        }
        visit.connection.reads_body();
        let body = self.read(body).await;
        if !visit.connection.answers() {
            return Err(Box::new(last(busy(None, "too many connections"))));
        }
        match judge(server, &self.names, head, body?)? {
            Judged::Answered(reply) => Ok(reply),
            Judged::PassOn {
                kind,
                era,
                message,
                exchange,
            } => Ok(server.post(head, &kind, era, message, exchange).await),
        }
    }

    /// Counts a request without the right token. Too many of one peer are answered briefly, and the connection is closed;
    /// a request with the right token is never counted.
    fn count_failure(&self, reply: Reply, peer: Peer) -> Reply {
        if reply.status() != StatusCode::UNAUTHORIZED {
            return reply;
        }
        match self.attempts.count(peer, Instant::now()) {
            Answer::Unauthorized => reply,
            Answer::TooMany => last(later(empty(StatusCode::TOO_MANY_REQUESTS))),
        }
    }

    async fn read(&self, body: Incoming) -> Result<Loaded, Box<Reply>> {
        match timeout(self.read, collect(body, self.longest, &self.memory)).await {
            Ok(Ok(body)) => Ok(body),
            Ok(Err(Unread::TooLong)) => {
                let why = format!("a message may have {} bytes", self.longest);
                Err(turned_away(StatusCode::PAYLOAD_TOO_LARGE, &why))
            }
            Ok(Err(Unread::NoMemory)) => Err(Box::new(no_memory())),
            Ok(Err(Unread::BrokenOff)) => {
                Err(turned_away(StatusCode::BAD_REQUEST, "the body breaks off"))
            }
            Err(_) => {
                let why = "the body did not arrive in time";
                Err(turned_away(StatusCode::REQUEST_TIMEOUT, why))
            }
        }
    }
}

fn no_memory() -> Reply {
    let why = "other messages use all memory (--max-memory); try again later";
    later(refused(StatusCode::SERVICE_UNAVAILABLE, why))
}

#[expect(
    clippy::unnecessary_box_returns,
    reason = "results should not be large for the sake of errors that seldom come"
)]
fn malformed(fault: Fault) -> Box<Reply> {
    match fault {
        Fault::Lengths => turned_away(
            StatusCode::BAD_REQUEST,
            "the length of the body is given in more than one way",
        ),
        Fault::BlankLines => turned_away(
            StatusCode::BAD_REQUEST,
            "there are blank lines before the request",
        ),
        Fault::TooLong => turned_away(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "the header block is too long",
        ),
    }
}

/// Reads a message, holds it against its headers, and asks the guard.
fn judge(
    server: &Arc<Server>,
    names: &Names,
    head: &Parts,
    body: Loaded,
) -> Result<Judged, Box<Reply>> {
    let Loaded {
        bytes: body,
        mut held,
    } = body;
    // Judging takes a copy of the message.
    if !held.grow(body.len()) {
        return Err(Box::new(no_memory()));
    }
    let mut codec = Codec::with_limit(server.longest);
    let read = codec.read(&body);
    let read = read.and_then(|message| {
        agree(&head.headers, &message, &body)?;
        if let Message::Request(request) = &message {
            server.shared.with_guard(|guard| {
                let mirrored = guard.mirrored(&request.params);
                arguments_agree(&head.headers, &message, mirrored)
            })?;
        }
        Ok(message)
    });
    let (kind, era, status) = match &read {
        Ok(message) => {
            let era = match version(message) {
                Some(_) => Era::Stateless,
                None => Era::Handshake,
            };
            (Kind::of(message), era, StatusCode::OK)
        }
        Err(refusal) => {
            let status = match refusal.kind {
                RefusalKind::TooLong { .. } => StatusCode::PAYLOAD_TOO_LARGE,
                _ => StatusCode::BAD_REQUEST,
            };
            (Kind::Response, Era::Handshake, status)
        }
    };
    if read.is_ok() {
        server.admit(head, &kind, era, &body)?;
    }
    let visitor = names.visitor(Peer::of(head), &head.headers, read.as_ref().ok());
    let whose = server.whose(head, era, visitor);
    let said = server.shared.judge_client(whose.origin(), read, body.len());
    held.shrink_to(body.len());
    let pass_on = |bytes| {
        let id = kind.id().cloned();
        let exchange = Exchange::new(Arc::clone(server), whose, id);
        Judged::PassOn {
            kind,
            era,
            message: Loaded { bytes, held },
            exchange,
        }
    };
    Ok(match said {
        ToServer::Forward | ToServer::ForwardCall(_) => pass_on(body),
        ToServer::Replace(message) => pass_on(message),
        ToServer::Answer(answer) => Judged::Answered(json(status, answer)),
        _ => {
            let why = "not passed on: `tools/call` needs an id";
            Judged::Answered(refused(StatusCode::BAD_REQUEST, why))
        }
    })
}

pub(super) fn not_allowed(methods: &'static str) -> Reply {
    let mut reply = empty(StatusCode::METHOD_NOT_ALLOWED);
    reply
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static(methods));
    reply
}
