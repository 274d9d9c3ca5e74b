//! One request: who may send it, what it says, where it goes.

use std::{collections::BTreeMap, convert::Infallible, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::{
    Method, Request, StatusCode,
    body::{Body as _, Incoming},
    header::{ALLOW, CONNECTION, HeaderValue, TRANSFER_ENCODING},
    http::request::Parts,
};
use tokio::time::timeout;
use unstuck_mcp::{Codec, Message, RefusalKind, ToServer};

use super::{
    content::Content,
    exchange::{Exchange, Kind},
    framing::Doubt,
    gate::Gate,
    headers::{agree, arguments_agree, version},
    peer::{Names, Peer},
    reply::{Reply, empty, json, refused, turned_away},
    server::{Era, Server},
};

/// Everything that requests need.
pub(super) struct Front {
    pub(super) gate: Gate,
    /// By the path they are served at.
    pub(super) servers: BTreeMap<String, Arc<Server>>,
    /// By which clients without a session are told apart.
    pub(super) names: Names,
    pub(super) longest: usize,
    /// How long a body may take to arrive.
    pub(super) read: Duration,
}

/// What becomes of a message.
enum Judged {
    Answered(Reply),
    PassOn {
        kind: Kind,
        era: Era,
        message: Bytes,
        exchange: Exchange,
    },
}

impl Front {
    pub(super) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        doubt: Doubt,
    ) -> Result<Reply, Infallible> {
        let (head, body) = request.into_parts();
        let mut reply = match self.serve(&head, body, &doubt).await {
            Ok(reply) => reply,
            Err(reply) => *reply,
        };
        if doubt.is_there() || head.headers.contains_key(TRANSFER_ENCODING) {
            // What follows on this connection could be a part of this request to somebody else.
            reply
                .headers_mut()
                .insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(reply)
    }

    async fn serve(
        &self,
        head: &Parts,
        body: Incoming,
        doubt: &Doubt,
    ) -> Result<Reply, Box<Reply>> {
        if doubt.is_there() {
            let why = "the length of the body is given in more than one way";
            return Err(turned_away(StatusCode::BAD_REQUEST, why));
        }
        self.gate.check(head)?;
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
        let body = self.read(body).await?;
        match judge(server, &self.names, head, body)? {
            Judged::Answered(reply) => Ok(reply),
            Judged::PassOn {
                kind,
                era,
                message,
                exchange,
            } => Ok(server.post(head, &kind, era, message, exchange).await),
        }
    }

    async fn read(&self, body: Incoming) -> Result<Bytes, Box<Reply>> {
        let too_long = || {
            let why = format!("a message may have {} bytes", self.longest);
            turned_away(StatusCode::PAYLOAD_TOO_LARGE, &why)
        };
        let longest = u64::try_from(self.longest).unwrap_or(u64::MAX);
        if body.size_hint().lower() > longest {
            return Err(too_long());
        }
        match timeout(self.read, Limited::new(body, self.longest).collect()).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_long()),
            Ok(Err(_)) => Err(turned_away(StatusCode::BAD_REQUEST, "the body breaks off")),
            Err(_) => {
                let why = "the body did not arrive in time";
                Err(turned_away(StatusCode::REQUEST_TIMEOUT, why))
            }
        }
    }
}

/// Reads a message, holds it against its headers, and asks the guard.
fn judge(
    server: &Arc<Server>,
    names: &Names,
    head: &Parts,
    body: Bytes,
) -> Result<Judged, Box<Reply>> {
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
        server.admit(head, &kind, era)?;
    }
    let visitor = names.visitor(Peer::of(head), &head.headers, read.as_ref().ok());
    let whose = server.whose(head, era, visitor);
    let said = server.shared.judge_client(whose.origin(), read, body.len());
    let pass_on = |message| {
        let id = kind.id().cloned();
        let exchange = Exchange::new(Arc::clone(server), whose, id);
        Judged::PassOn {
            kind,
            era,
            message,
            exchange,
        }
    };
    Ok(match said {
        ToServer::Forward | ToServer::ForwardCall(_) => pass_on(body),
        ToServer::Replace(message) => pass_on(message.into()),
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
