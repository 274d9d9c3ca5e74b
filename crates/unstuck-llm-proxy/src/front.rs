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
use unstuck_llm::{Answer, Form, Names, Part, Shape, id_of, join_answers, judge_whole, parts};

use crate::{
    again::Again,
    decode::decoded,
    guard::{Guard, Halt, Ruling},
    judged_body::{Judge, JudgedBody},
    upstreams::Upstreams,
};

/// Headers with credentials: sessions of one owner are not those of another, whatever they are called.
const OWNERS: [&str; 4] = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];

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
        let edited = ruling.as_mut().and_then(|ruling| ruling.body.take());
        // Without memory for a copy the client's own bytes go on.
        let body = match edited.and_then(|edited| self.held(edited)) {
            Some(edited) => {
                headers.remove(CONTENT_ENCODING);
                edited.into_bytes()
            }
            None => body.into_bytes(),
        };
        let method = head.method.clone();
        let again = form.map(|form| Again {
            form,
            place: Arc::clone(&place),
            path: to.clone(),
            headers: headers.clone(),
            body: body.clone(),
            longest: self.longest,
            memory: self.memory.clone(),
            left: self.guard.asks_again(),
        });
        let answer = match place.upstream.pass_to(to, method, headers, body).await {
            Ok(answer) => answer,
            Err(UpstreamFault::Slow) => {
                let why = "the API did not answer in time";
                return failed(StatusCode::GATEWAY_TIMEOUT, why);
            }
            Err(_) => return failed(StatusCode::BAD_GATEWAY, "the API cannot be reached"),
        };
        match (again, ruling) {
            (Some(again), Some(ruling)) => self.judged(again, ruling, answer).await,
            _ => pass(answer),
        }
    }

    fn judge(&self, form: Form, head: &Parts, body: &Loaded, path: &str) -> Option<Ruling> {
        let body = decoded(&head.headers, &body.bytes, self.longest, &self.memory)?;
        let header = |name: &str| head.headers.get(name)?.to_str().ok();
        let names = Names::of_headers(header);
        let owner = OWNERS.iter().filter_map(|name| head.headers.get(*name));
        let owner: Vec<_> = owner.map(HeaderValue::as_bytes).collect();
        self.guard
            .judge(form, names, (body.as_ref(), path), &owner.concat())
    }

    /// Bytes with the memory that they take, if there is as much.
    fn held(&self, bytes: Vec<u8>) -> Option<Loaded> {
        let mut held = self.memory.nothing();
        held.grow(bytes.len()).then_some(Loaded { bytes, held })
    }

    /// An answer, of which every call is judged. Errors, and what cannot be read, pass as they are.
    async fn judged(&self, again: Again, ruling: Ruling, answer: Response<Incoming>) -> Reply {
        if !answer.status().is_success() || is_encoded(answer.headers()) {
            return pass(answer);
        }
        let judge = Judge::new(&self.guard, &ruling.talk);
        match Content::of(answer.headers()) {
            Content::Events => {
                let (parts, body) = answer.into_parts();
                let body = JudgedBody::new(body, judge, again, ruling.is_stored);
                reply(&parts, body.boxed_unsync())
            }
            Content::Json => self.whole(again, judge, ruling.is_stored, answer).await,
            Content::Other => pass(answer),
        }
    }

    /// An answer that comes as a whole. Where all its calls were denied the model is asked again, within the limit.
    async fn whole(
        &self,
        mut again: Again,
        mut judge: Judge,
        is_stored: bool,
        answer: Response<Incoming>,
    ) -> Reply {
        let form = again.form;
        let (head, body) = answer.into_parts();
        let Ok(first) = collect(body, self.longest, &self.memory).await else {
            let why = "the answer breaks off, or is longer than may be read";
            return failed(StatusCode::BAD_GATEWAY, why);
        };
        let mut judged = judge_whole(form, &first.bytes, |call| judge.check(call));
        judge.spend(form, &first.bytes);
        let mut stored = is_stored.then(|| Stored::of(form, &first.bytes)).flatten();
        while judged.is_spent
            && let Some(asked) = again.ask(&judge.denied)
            && let Some(answer) = asked.await
            && Content::of(answer.headers()) == Content::Json
            && let Ok(next) = collect(answer.into_body(), self.longest, &self.memory).await
        {
            let denied = judge.denied.len();
            judge.spend(form, &next.bytes);
            let mut next_judged = judge_whole(form, &next.bytes, |call| judge.check(call));
            let before = judged.edited.as_deref().unwrap_or(&first.bytes);
            let after = next_judged.edited.as_deref().unwrap_or(&next.bytes);
            let Some(both) = join_answers(form, before, after) else {
                judge.denied.truncate(denied);
                break;
            };
            judge.current = denied;
            if is_stored && let Some(next) = Stored::of(form, &next.bytes) {
                let mut parts = stored.take().map(|before| before.parts).unwrap_or_default();
                parts.extend(next.parts);
                stored = Some(Stored { id: next.id, parts });
            }
            next_judged.edited = Some(both);
            judged = next_judged;
        }
        if let Some(Stored { id, parts }) = stored {
            judge.answered(&id, parts);
        }
        let body = judged
            .edited
            .map_or_else(|| first.into_bytes(), Bytes::from);
        reply(&head, whole_body(body))
    }
}

/// An answer that a later request may go on from.
struct Stored {
    id: String,
    parts: Vec<Part>,
}

impl Stored {
    fn of(form: Form, body: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(body).ok()?;
        Some(Self {
            id: id_of(text)?,
            parts: parts(form, text),
        })
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
