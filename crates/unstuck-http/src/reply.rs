//! Answers.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, combinators::UnsyncBoxBody};
use hyper::{
    Response, StatusCode,
    header::{ALLOW, CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};

use crate::{content::JSON, memory::Loaded};

/// Why the body of an answer breaks off.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
/// The body of an answer.
pub type Body = UnsyncBoxBody<Bytes, Failure>;
/// An answer.
pub type Reply = Response<Body>;

/// An answer with this JSON, which may end with white space.
pub fn json(status: StatusCode, message: Vec<u8>) -> Reply {
    let mut message = message;
    trim(&mut message);
    as_json(with_body(status, message.into()))
}

/// An answer with this JSON, whose memory is free again when it is written.
pub fn loaded(status: StatusCode, message: Loaded) -> Reply {
    let mut message = message;
    trim(&mut message.bytes);
    as_json(with_body(status, message.into_bytes()))
}

/// The same reply, which asks the client to try again later.
pub fn later(mut reply: Reply) -> Reply {
    reply
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("1"));
    reply
}

/// The same reply, behind which the connection is closed.
pub(crate) fn last(mut reply: Reply) -> Reply {
    reply
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

/// An answer without a body.
pub fn empty(status: StatusCode) -> Reply {
    with_body(status, Bytes::new())
}

/// An answer to a method that is none of these.
pub fn not_allowed(methods: &'static str) -> Reply {
    let mut reply = empty(StatusCode::METHOD_NOT_ALLOWED);
    reply
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static(methods));
    reply
}

/// A body with these bytes.
pub fn whole_body(bytes: Bytes) -> Body {
    Full::new(bytes)
        .map_err(|never| match never {})
        .boxed_unsync()
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

fn with_body(status: StatusCode, body: Bytes) -> Reply {
    let mut reply = Response::new(whole_body(body));
    *reply.status_mut() = status;
    reply
}
