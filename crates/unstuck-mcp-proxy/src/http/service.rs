//! One request that has passed the gate: what it says, and where it goes.

use std::{collections::BTreeMap, sync::Arc};

use hyper::{Method, StatusCode, http::request::Parts};
use unstuck_http::{
    Content, Handler, Loaded, Peer, Refusal, Reply, Request, empty, json, not_allowed,
};
use unstuck_mcp::{Codec, Message, RefusalKind, ToServer};

use super::{
    exchange::{Exchange, Kind},
    headers::{agree, arguments_agree, version},
    recorded_guard::Unrecorded,
    reply::{failed, refused, turned_away},
    server::{ProtocolGeneration, Server},
    visitors::Names,
};

/// Everything that requests need.
pub(super) struct Front {
    /// By the path they are served at.
    pub(super) servers: BTreeMap<String, Arc<Server>>,
    /// By which clients without a session are distinguished.
    pub(super) names: Names,
    pub(super) longest: usize,
}

/// What becomes of a message.
enum Judged {
    Answered(Reply),
    PassOn {
        kind: Kind,
        era: ProtocolGeneration,
        message: Loaded,
        exchange: Exchange,
        /// Set if it is a call.
        unrecorded: Option<Unrecorded>,
    },
}

/// Why a request goes no further.
enum Stop {
    Reply(Box<Reply>),
    Refusal(Refusal),
}

impl From<Box<Reply>> for Stop {
    fn from(reply: Box<Reply>) -> Self {
        Self::Reply(reply)
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl Handler for Front {
    async fn answer(&self, request: Request) -> Result<Reply, Refusal> {
        match self.serve(request).await {
            Ok(reply) => Ok(reply),
            Err(Stop::Reply(reply)) => Ok(*reply),
            Err(Stop::Refusal(refusal)) => Err(refusal),
        }
    }

    fn refuse(&self, refusal: &Refusal) -> Reply {
        let status = refusal.status();
        match refusal {
            Refusal::TooManyAttempts => empty(status),
            Refusal::TooManyConnections => failed(status, None, &refusal.message()),
            Refusal::Host => {
                let why = "this Host is not served here; use an address of this machine, or start `unstuck mcp` with --allow-host";
                refused(status, why)
            }
            Refusal::NoMemory => {
                let why = "other messages use all memory (--max-memory); try again later";
                refused(status, why)
            }
            _ => refused(status, &refusal.message()),
        }
    }
}

impl Front {
    async fn serve(&self, request: Request) -> Result<Reply, Stop> {
        let Request { head, body } = request;
        let Some(server) = self.servers.get(head.uri.path()) else {
            let why = "nothing is served at this path";
            return Err(turned_away(StatusCode::NOT_FOUND, why).into());
        };
        match head.method {
            Method::POST => {}
            Method::GET => return Ok(server.get(&head).await),
            Method::DELETE => return Ok(server.delete(&head).await),
            _ => return Ok(not_allowed("GET, POST, DELETE")),
        }
        if Content::of(&head.headers) != Content::Json {
            let why = "a message is application/json, in UTF-8 and not compressed";
            return Err(turned_away(StatusCode::UNSUPPORTED_MEDIA_TYPE, why).into());
        }
        let body = body.read(self.longest).await?;
        match judge(server, &self.names, &head, body)? {
            Judged::Answered(reply) => Ok(reply),
            Judged::PassOn {
                kind,
                era,
                message,
                exchange,
                unrecorded,
            } => {
                if let Some(call) = unrecorded {
                    let origin = exchange.whose.origin();
                    if let Err(said) = server.shared.recorded(origin, call).await {
                        return Ok(unaudited(said));
                    }
                }
                Ok(server.post(&head, &kind, era, message, exchange).await)
            }
        }
    }
}

/// Reads a message, holds it against its headers, and asks the guard.
fn judge(server: &Arc<Server>, names: &Names, head: &Parts, body: Loaded) -> Result<Judged, Stop> {
    let Loaded {
        bytes: body,
        mut held,
    } = body;
    // Judging takes a copy of the message.
    if !held.grow(body.len()) {
        return Err(Refusal::NoMemory.into());
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
                Some(_) => ProtocolGeneration::Stateless,
                None => ProtocolGeneration::Handshake,
            };
            (Kind::of(message), era, StatusCode::OK)
        }
        Err(refusal) => {
            let status = match refusal.kind {
                RefusalKind::TooLong { .. } => StatusCode::PAYLOAD_TOO_LARGE,
                _ => StatusCode::BAD_REQUEST,
            };
            (Kind::Response, ProtocolGeneration::Handshake, status)
        }
    };
    if read.is_ok() {
        server.admit(head, &kind, era, &body)?;
    }
    let visitor = names.visitor(Peer::of(head), &head.headers, read.as_ref().ok());
    let whose = server.whose(head, era, visitor);
    let (said, unrecorded) = server.shared.judge_client(whose.origin(), read, &body);
    held.shrink_to(body.len());
    let pass_on = |bytes| {
        let id = kind.id().cloned();
        let exchange = Exchange::new(Arc::clone(server), whose, id);
        Judged::PassOn {
            kind,
            era,
            message: Loaded { bytes, held },
            exchange,
            unrecorded,
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

/// The answer to a call that could not be recorded.
fn unaudited(said: ToServer) -> Reply {
    match said {
        ToServer::Answer(answer) => json(StatusCode::OK, answer),
        // It ended meanwhile, so no answer is owed to it.
        _ => empty(StatusCode::ACCEPTED),
    }
}
