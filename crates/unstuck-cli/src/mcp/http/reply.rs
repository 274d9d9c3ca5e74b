//! Answers of the listener itself.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, combinators::UnsyncBoxBody};
use hyper::{
    Response, StatusCode,
    header::{CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};
use unstuck::Json;

use super::{content::JSON, memory::Loaded};

pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;
pub(super) type Body = UnsyncBoxBody<Bytes, Failure>;
pub(super) type Reply = Response<Body>;

/// What JSON-RPC calls errors of the implementation's own.
const OWN_ERROR: i32 = -32000;

/// What JSON-RPC calls invalid parameters.
const INVALID_PARAMS: i32 = -32602;

/// What JSON-RPC calls an internal error.
const INTERNAL: i32 = -32603;

/// An answer with this message, which may end with a line end.
pub(super) fn json(status: StatusCode, message: Vec<u8>) -> Reply {
    let mut message = message;
    trim(&mut message);
    as_json(with_body(status, message.into()))
}

/// An answer with this message of the server.
pub(super) fn loaded(status: StatusCode, message: Loaded) -> Reply {
    let mut message = message;
    trim(&mut message.bytes);
    as_json(with_body(status, message.into_bytes()))
}

fn trim(message: &mut Vec<u8>) {
    while message.last().is_some_and(u8::is_ascii_whitespace) {
        message.pop();
    }
}

fn as_json(mut reply: Reply) -> Reply {
    reply
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    reply
}

/// An answer that asks the client to try again later.
pub(super) fn busy(id: Option<&str>, why: &str) -> Reply {
    later(failed(StatusCode::SERVICE_UNAVAILABLE, id, why))
}

/// The same reply, which asks the client to try again later.
pub(super) fn later(mut reply: Reply) -> Reply {
    reply
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("1"));
    reply
}

/// The same reply, behind which the connection is closed.
pub(super) fn last(mut reply: Reply) -> Reply {
    reply
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

/// An answer that says why, to a message without an id or before its id is known.
pub(super) fn refused(status: StatusCode, why: &str) -> Reply {
    json(status, error(None, OWN_ERROR, why))
}

/// The same, for whoever goes no further.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "results should not be large for the sake of errors that seldom come"
)]
pub(super) fn turned_away(status: StatusCode, why: &str) -> Box<Reply> {
    Box::new(refused(status, why))
}

/// An answer that says why the server has none.
pub(super) fn failed(status: StatusCode, id: Option<&str>, why: &str) -> Reply {
    json(status, error(id, INTERNAL, why))
}

/// An answer that says what is wrong with the parameters of a request.
pub(super) fn invalid(id: &str, why: &str) -> Reply {
    json(
        StatusCode::BAD_REQUEST,
        error(Some(id), INVALID_PARAMS, why),
    )
}

pub(super) fn empty(status: StatusCode) -> Reply {
    with_body(status, Bytes::new())
}

/// A JSON-RPC error for what the server failed to answer, as a line.
pub(super) fn fault(id: Option<&str>, why: &str) -> Vec<u8> {
    error(id, INTERNAL, why)
}

fn error(id: Option<&str>, code: i32, why: &str) -> Vec<u8> {
    let id = id.unwrap_or("null");
    let why = Json::string(why);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{why}}}}}"#)
        .into_bytes()
}

pub(super) fn whole_body(bytes: Bytes) -> Body {
    Full::new(bytes)
        .map_err(|never| match never {})
        .boxed_unsync()
}

fn with_body(status: StatusCode, body: Bytes) -> Reply {
    let mut reply = Response::new(whole_body(body));
    *reply.status_mut() = status;
    reply
}
