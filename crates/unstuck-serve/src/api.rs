//! Requests that have passed the gate.

use std::sync::Arc;

use bytes::Bytes;
use hyper::{
    Method, StatusCode,
    header::{ALLOW, CONTENT_TYPE, HeaderValue},
    http::request::Parts,
};
use serde::Serialize;
use serde_json::json;
use unstuck::{Event, EventKind, Mode};
use unstuck_hosts::Host;
use unstuck_http::{
    Handler, Refusal, Reply, Request, RequestBody, empty, json as json_reply, later, whole_body,
};
use unstuck_session::hook::HookRequest;
use unstuck_swarm::Checkpoint;

use crate::{
    events, openapi,
    roles::{Role, Tokens},
    sidecar::{Outcome, Sidecar, Unavailable},
};

/// Everything that requests need.
pub(crate) struct Api {
    pub(crate) sidecar: Arc<Sidecar>,
    pub(crate) tokens: Tokens,
    /// The most bytes of a body.
    pub(crate) longest: usize,
}

/// What a path and a method ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Events,
    Check,
    Hook(String),
    Sessions,
    Session(String),
    Reset(String),
    Swarm(String),
    RestoreSwarm(String),
    ClearSwarm(String),
    Mode,
    SetMode,
    Metrics,
    OpenApi,
    Health,
    Readiness,
}

/// Why a request has no endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoEndpoint {
    Path,
    /// The path has these methods.
    Method(&'static str),
}

/// Most agents of one answer.
const MOST_LISTED: usize = 1_000;

/// Agents of an answer to a request that does not say how many.
const LISTED: usize = 100;

impl Endpoint {
    pub(crate) fn of(method: &Method, path: &str) -> Result<Self, NoEndpoint> {
        let segments: Option<Vec<String>> = path.split('/').skip(1).map(decoded).collect();
        let segments = segments.ok_or(NoEndpoint::Path)?;
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let name = |name: &str| name.to_owned();
        let (get, post, put, delete) = (&Method::GET, &Method::POST, &Method::PUT, &Method::DELETE);
        let only = |allowed: &Method, methods, endpoint| {
            if method == allowed {
                Ok(endpoint)
            } else {
                Err(NoEndpoint::Method(methods))
            }
        };
        match segments.as_slice() {
            ["v1", "events"] => only(post, "POST", Self::Events),
            ["v1", "check"] => only(post, "POST", Self::Check),
            ["v1", "hooks", host] => only(post, "POST", Self::Hook(name(host))),
            ["v1", "sessions"] => only(get, "GET", Self::Sessions),
            ["v1", "sessions", session] => only(get, "GET", Self::Session(name(session))),
            ["v1", "sessions", session, "reset"] => only(post, "POST", Self::Reset(name(session))),
            ["v1", "swarms", swarm] if method == put => Ok(Self::RestoreSwarm(name(swarm))),
            ["v1", "swarms", swarm] if method == delete => Ok(Self::ClearSwarm(name(swarm))),
            ["v1", "swarms", swarm] => only(get, "GET, PUT, DELETE", Self::Swarm(name(swarm))),
            ["v1", "mode"] if method == put => Ok(Self::SetMode),
            ["v1", "mode"] => only(get, "GET, PUT", Self::Mode),
            ["v1", "openapi.json"] => only(get, "GET", Self::OpenApi),
            ["metrics"] => only(get, "GET", Self::Metrics),
            ["healthz"] => only(get, "GET", Self::Health),
            ["readyz"] => only(get, "GET", Self::Readiness),
            _ => Err(NoEndpoint::Path),
        }
    }

    /// What a client must be allowed to do.
    pub(crate) fn role(&self) -> Role {
        match self {
            Self::Events
            | Self::Check
            | Self::Hook(_)
            | Self::Metrics
            | Self::OpenApi
            | Self::Health
            | Self::Readiness => Role::Report,
            Self::Sessions
            | Self::Session(_)
            | Self::Reset(_)
            | Self::Swarm(_)
            | Self::RestoreSwarm(_)
            | Self::ClearSwarm(_)
            | Self::Mode
            | Self::SetMode => Role::Operate,
        }
    }
}

impl Handler for Api {
    async fn answer(&self, request: Request) -> Result<Reply, Refusal> {
        let Request { head, body } = request;
        let reply = match Endpoint::of(&head.method, head.uri.path()) {
            Err(NoEndpoint::Path) => error(StatusCode::NOT_FOUND, "there is nothing at this path"),
            Err(NoEndpoint::Method(methods)) => {
                let mut reply = error(
                    StatusCode::METHOD_NOT_ALLOWED,
                    "this path has other methods",
                );
                reply
                    .headers_mut()
                    .insert(ALLOW, HeaderValue::from_static(methods));
                reply
            }
            Ok(endpoint) if self.tokens.role(&head.headers) < Some(endpoint.role()) => error(
                StatusCode::FORBIDDEN,
                "this needs the token for operating, UNSTUCK_SERVE_OPERATE_TOKEN",
            ),
            Ok(endpoint) => self.serve(endpoint, &head, body).await?,
        };
        self.sidecar.metrics.answered(reply.status().as_u16());
        Ok(reply)
    }

    fn refuse(&self, refusal: &Refusal) -> Reply {
        self.sidecar.metrics.answered(refusal.status().as_u16());
        error(refusal.status(), &refusal.message())
    }
}

impl Api {
    async fn serve(
        &self,
        endpoint: Endpoint,
        head: &Parts,
        body: RequestBody,
    ) -> Result<Reply, Refusal> {
        let sidecar = &self.sidecar;
        Ok(match endpoint {
            Endpoint::Events => {
                let body = body.read(self.longest).await?;
                let sidecar = Arc::clone(sidecar);
                // A client that goes away must not leave its events half judged.
                let role = self.tokens.role(&head.headers);
                let judged =
                    tokio::spawn(async move { observe(&sidecar, &body.bytes, role).await });
                judged.await.unwrap_or_else(|_| fault())
            }
            Endpoint::Check => {
                let body = body.read(self.longest).await?;
                match Event::parse(&body.bytes) {
                    Err(why) => error(StatusCode::BAD_REQUEST, &why.to_string()),
                    Ok(event) => match sidecar.check(&event) {
                        Ok(decision) => ok(&decision),
                        Err(why) => error(StatusCode::BAD_REQUEST, &why),
                    },
                }
            }
            Endpoint::Hook(host) => {
                let body = body.read(self.longest).await?;
                self.hook(&host, body.bytes).await
            }
            Endpoint::Sessions => match limit(head.uri.query()) {
                Ok(most) => {
                    let mut agents = sidecar.agents(None);
                    let total = agents.len();
                    agents.truncate(most);
                    ok(&json!({ "total": total, "agents": agents }))
                }
                Err(why) => error(StatusCode::BAD_REQUEST, &why),
            },
            Endpoint::Session(session) => match sidecar.agents(Some(&session)) {
                agents if agents.is_empty() => unknown_session(),
                agents => ok(&json!({ "total": agents.len(), "agents": agents })),
            },
            Endpoint::Reset(session) => match sidecar.reset(&session) {
                Ok(0) => unknown_session(),
                Ok(agents) => ok(&json!({ "agents": agents })),
                Err(why) => unavailable(&why),
            },
            Endpoint::Swarm(swarm) => {
                let sidecar = Arc::clone(sidecar);
                blocking(move || match sidecar.checkpoint(&swarm) {
                    Ok(checkpoint) => ok(&checkpoint),
                    Err(why) => unavailable(&why),
                })
                .await
            }
            Endpoint::RestoreSwarm(swarm) => {
                let body = body.read(self.longest).await?;
                let checkpoint: Checkpoint = match serde_json::from_slice(&body.bytes) {
                    Ok(checkpoint) => checkpoint,
                    Err(why) => return Ok(error(StatusCode::BAD_REQUEST, &why.to_string())),
                };
                let sidecar = Arc::clone(sidecar);
                blocking(move || done(sidecar.restore(&swarm, &checkpoint))).await
            }
            Endpoint::ClearSwarm(swarm) => {
                let sidecar = Arc::clone(sidecar);
                blocking(move || done(sidecar.clear(&swarm))).await
            }
            Endpoint::Mode => ok(&json!({ "mode": sidecar.mode() })),
            Endpoint::SetMode => {
                let body = body.read(self.longest).await?;
                match mode(&body.bytes) {
                    Some(mode) => {
                        let sidecar = Arc::clone(sidecar);
                        blocking(move || match sidecar.set_mode(mode) {
                            Ok(()) => ok(&json!({ "mode": mode })),
                            Err(why) => unavailable(&why),
                        })
                        .await
                    }
                    None => error(
                        StatusCode::BAD_REQUEST,
                        r#"send {"mode":"enforce"}, {"mode":"observe"} or {"mode":"off"}"#,
                    ),
                }
            }
            Endpoint::Metrics => {
                let mut reply = empty(StatusCode::OK);
                *reply.body_mut() = whole_body(Bytes::from(sidecar.metrics()));
                let text = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
                reply.headers_mut().insert(CONTENT_TYPE, text);
                reply
            }
            Endpoint::OpenApi => json_reply(StatusCode::OK, openapi::document().into_bytes()),
            Endpoint::Health => ok(&json!({ "status": "ok" })),
            Endpoint::Readiness if sidecar.is_ready() => ok(&json!({ "status": "ok" })),
            Endpoint::Readiness => error(
                StatusCode::SERVICE_UNAVAILABLE,
                "the state cannot be written",
            ),
        })
    }

    /// Answers a hook as `unstuck hook` does, with the state of hooks on this machine.
    async fn hook(&self, host: &str, body: Vec<u8>) -> Reply {
        let Ok(host) = host.parse::<Host>() else {
            return error(StatusCode::NOT_FOUND, "no host of hooks has this name");
        };
        let trimmed = body.trim_ascii();
        if !trimmed.starts_with(b"{") || !trimmed.ends_with(b"}") {
            return error(StatusCode::BAD_REQUEST, "the body is not a JSON object");
        }
        if self.tokens.report.is_none() {
            // Every program that can connect could halt the agents of the account that this runs under.
            return error(
                StatusCode::NOT_FOUND,
                "hooks over HTTP need a token: set UNSTUCK_SERVE_TOKEN, and send it in the header Authorization",
            );
        }
        if self.sidecar.hooks.is_none() {
            return error(StatusCode::NOT_FOUND, "hooks are not served here");
        }
        let sidecar = Arc::clone(&self.sidecar);
        blocking(move || {
            let Some(state) = &sidecar.hooks else {
                return fault();
            };
            let request = HookRequest {
                host,
                event: None,
                environment: &|_| None,
                caller: &|| "sent over HTTP".to_owned(),
                halted: &|_| {},
            };
            let output = unstuck_session::hook::answer(&request, body.as_slice(), state);
            // Hosts take a decision from a JSON object only.
            let text = output.stdout.trim();
            let body = if text.starts_with('{') { text } else { "{}" };
            json_reply(StatusCode::OK, body.as_bytes().to_vec())
        })
        .await
    }
}

/// Judges the events of a body.
async fn observe(sidecar: &Sidecar, body: &[u8], role: Option<Role>) -> Reply {
    let mut submitted = match events::read(body) {
        Ok(submitted) => submitted,
        Err(why) => return error(StatusCode::BAD_REQUEST, &why),
    };
    // An agent that can report must not be able to reset itself.
    let may_reset = role >= Some(Role::Operate);
    for one in &mut submitted {
        if !may_reset
            && one
                .event
                .as_ref()
                .is_ok_and(|event| event.kind == EventKind::Reset)
        {
            one.event =
                Err("the event `reset` needs the token UNSTUCK_SERVE_OPERATE_TOKEN".to_owned());
        }
    }
    match sidecar.observe(submitted).await {
        Ok(outcomes) => {
            let mut text = br#"{"decisions":["#.to_vec();
            for (at, outcome) in outcomes.iter().enumerate() {
                if at > 0 {
                    text.push(b',');
                }
                // Writing plain data into a vector has no way to fail.
                let _ = match outcome {
                    Outcome::Decided(decision) => serde_json::to_writer(&mut text, decision),
                    Outcome::KnownDead(denied) => serde_json::to_writer(&mut text, denied),
                    Outcome::Invalid(why) => {
                        serde_json::to_writer(&mut text, &json!({ "error": why }))
                    }
                    Outcome::Denied(why) => {
                        let denied = json!({ "error": why, "verdict": "deny" });
                        serde_json::to_writer(&mut text, &denied)
                    }
                };
            }
            text.extend_from_slice(b"]}");
            json_reply(StatusCode::OK, text)
        }
        Err(why) => unavailable(&why),
    }
}

/// Runs what may wait for a disk or another machine.
async fn blocking(act: impl FnOnce() -> Reply + Send + 'static) -> Reply {
    tokio::task::spawn_blocking(act)
        .await
        .unwrap_or_else(|_| fault())
}

/// The number of agents that a query asks for.
fn limit(query: Option<&str>) -> Result<usize, String> {
    let mut most = LISTED;
    for pair in query
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty())
    {
        let number = match pair.split_once('=') {
            Some(("limit", number)) => number.parse().ok(),
            _ => return Err("the query has `limit` only".to_owned()),
        };
        most = match number {
            Some(number @ 1..=MOST_LISTED) => number,
            _ => return Err(format!("`limit` is a number from 1 to {MOST_LISTED}")),
        };
    }
    Ok(most)
}

fn mode(body: &[u8]) -> Option<Mode> {
    let body: serde_json::Value = serde_json::from_slice(body).ok()?;
    let body = body.as_object().filter(|body| body.len() == 1)?;
    serde_json::from_value(body.get("mode")?.clone()).ok()
}

/// A part of a path without its escapes. `None` if it is not UTF-8.
fn decoded(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, behind) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        let is_plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        bytes.push(is_plain.then(|| u8::from_str_radix(digits, 16).ok())??);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

fn ok(value: &impl Serialize) -> Reply {
    match serde_json::to_vec(value) {
        Ok(bytes) => json_reply(StatusCode::OK, bytes),
        Err(_) => fault(),
    }
}

fn done(result: Result<(), Unavailable>) -> Reply {
    match result {
        Ok(()) => empty(StatusCode::NO_CONTENT),
        Err(why) => unavailable(&why),
    }
}

fn unavailable(why: &Unavailable) -> Reply {
    later(error(StatusCode::SERVICE_UNAVAILABLE, &why.to_string()))
}

fn unknown_session() -> Reply {
    error(StatusCode::NOT_FOUND, "no agent of this session is known")
}

fn fault() -> Reply {
    error(
        StatusCode::INTERNAL_SERVER_ERROR,
        "there was a fault in unstuck",
    )
}

fn error(status: StatusCode, why: &str) -> Reply {
    json_reply(status, json!({ "error": why }).to_string().into_bytes())
}

#[cfg(test)]
#[path = "api_tests.rs"]
mod tests;
