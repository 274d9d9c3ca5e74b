//! One request that has passed the gate.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::{
    Method, Response, StatusCode,
    body::Incoming,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue},
    http::request::Parts,
};
use unstuck_http::{
    Content, EVENTS, Handler, JSON, Loaded, Memory, Refusal, Reply, Request, UpstreamFault,
    all_to_client, all_to_server, collect, is_encoded, json, whole_body,
};
use unstuck_llm::{Answer, Form, Names, Shape, id_of, judge_whole, parts};

use crate::{
    decode::decoded,
    guard::{Guard, Halt, Ruling},
    judged_body::{Judge, JudgedBody},
    upstreams::Upstreams,
};

/// Everything that requests need.
pub(crate) struct Front {
    pub(crate) guard: Arc<Guard>,
    pub(crate) upstreams: Upstreams,
    /// The most bytes of a body.
    pub(crate) longest: usize,
    pub(crate) memory: Memory,
}

impl Handler for Front {
    async fn answer(&self, request: Request) -> Result<Reply, Refusal> {
        let Request { head, body } = request;
        let body = body.read(self.longest).await?;
        Ok(self.serve(&head, body).await)
    }

    fn refuse(&self, refusal: &Refusal) -> Reply {
        failed(refusal.status(), &refusal.message())
    }
}

impl Front {
    async fn serve(&self, head: &Parts, body: Loaded) -> Reply {
        let path = head
            .uri
            .path_and_query()
            .map_or("/", |path| path.as_str())
            .to_owned();
        let form = (head.method == Method::POST)
            .then(|| Form::of_path(head.uri.path()))
            .flatten();
        let mut headers = all_to_server(&head.headers);
        let mut ruling = form.and_then(|form| self.judge(form, head, &body, &path));
        if let (Some(form), Some(halt)) = (form, ruling.as_mut().and_then(|it| it.halt.take())) {
            return halted(form, &halt);
        }
        let Some(place) = self.upstreams.place(head, form) else {
            let why = "it is not known which API this is for, or that API cannot be reached; name one with `--upstream`";
            return failed(StatusCode::BAD_GATEWAY, why);
        };
        let to = ruling.as_mut().and_then(|ruling| ruling.path.take());
        let Some(to) = place.path(to.as_deref().unwrap_or(&path)) else {
            return failed(StatusCode::BAD_REQUEST, "the path cannot be passed on");
        };
        if form.is_some() {
            // What is compressed cannot be judged.
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        } else {
            for value in head.headers.get_all(ACCEPT_ENCODING) {
                headers.append(ACCEPT_ENCODING, value.clone());
            }
        }
        let body = match ruling.as_mut().and_then(|ruling| ruling.body.take()) {
            Some(edited) => {
                headers.remove(CONTENT_ENCODING);
                edited.into()
            }
            None => body.into_bytes(),
        };
        let method = head.method.clone();
        let answer = match place.upstream.pass_to(to, method, headers, body).await {
            Ok(answer) => answer,
            Err(UpstreamFault::Slow) => {
                let why = "the API did not answer in time";
                return failed(StatusCode::GATEWAY_TIMEOUT, why);
            }
            Err(_) => return failed(StatusCode::BAD_GATEWAY, "the API cannot be reached"),
        };
        match (form, ruling) {
            (Some(form), Some(ruling)) => self.judged(form, ruling, answer).await,
            _ => pass(answer),
        }
    }

    fn judge(&self, form: Form, head: &Parts, body: &Loaded, path: &str) -> Option<Ruling> {
        let body = decoded(&head.headers, &body.bytes, self.longest)?;
        let header = |name: &str| head.headers.get(name)?.to_str().ok();
        let names = Names::of_headers(header);
        self.guard.judge(form, names, &body, path)
    }

    /// An answer, of which every call is judged. Errors, and what cannot be read, pass as they are.
    async fn judged(&self, form: Form, ruling: Ruling, answer: Response<Incoming>) -> Reply {
        if !answer.status().is_success() || is_encoded(answer.headers()) {
            return pass(answer);
        }
        let mut judge = Judge::new(&self.guard, &ruling.talk);
        match Content::of(answer.headers()) {
            Content::Events => {
                let (parts, body) = answer.into_parts();
                let body = JudgedBody::new(body, form, judge, ruling.is_stored);
                reply(&parts, body.boxed_unsync())
            }
            Content::Json => {
                let (head, body) = answer.into_parts();
                let Ok(whole) = collect(body, self.longest, &self.memory).await else {
                    let why = "the answer breaks off, or is longer than may be read";
                    return failed(StatusCode::BAD_GATEWAY, why);
                };
                let edited = judge_whole(form, &whole.bytes, |call| judge.check(call));
                if ruling.is_stored
                    && let Ok(text) = std::str::from_utf8(&whole.bytes)
                    && let Some(id) = id_of(text)
                {
                    let parts = parts(form, text);
                    let denied = std::mem::take(&mut judge.denied);
                    self.guard.answered(&judge.talk, &id, parts, denied);
                }
                let body = edited.map_or_else(|| whole.into_bytes(), Bytes::from);
                reply(&head, whole_body(body))
            }
            Content::Other => pass(answer),
        }
    }
}

/// An answer as it came.
fn pass(answer: Response<Incoming>) -> Reply {
    let (parts, body) = answer.into_parts();
    reply(&parts, body.map_err(Into::into).boxed_unsync())
}

fn reply(parts: &hyper::http::response::Parts, body: unstuck_http::Body) -> Reply {
    let mut reply = Response::new(body);
    *reply.status_mut() = parts.status;
    *reply.headers_mut() = all_to_client(&parts.headers);
    reply
}

/// The answer to an agent that is halted.
fn halted(form: Form, halt: &Halt) -> Reply {
    let answer = Answer {
        text: &halt.text,
        model: &halt.model,
        id: &halt.id,
    };
    if halt.is_error {
        let mut reply = json(StatusCode::BAD_REQUEST, answer.error(form).into_bytes());
        // Clients repeat some errors otherwise.
        reply
            .headers_mut()
            .insert("x-should-retry", HeaderValue::from_static("false"));
        return reply;
    }
    let kind = match halt.shape {
        Shape::Events => EVENTS,
        Shape::Whole | Shape::Array => JSON,
    };
    let body = answer.write(form, halt.shape);
    let mut reply = Response::new(whole_body(body.into()));
    reply
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    reply
}

/// An error of this program.
fn failed(status: StatusCode, why: &str) -> Reply {
    let text = unstuck::Json::string(&format!("[unstuck] {why}"));
    let body = format!(r#"{{"type":"error","error":{{"type":"api_error","message":{text}}}}}"#);
    json(status, body.into_bytes())
}
