//! Answers of the proxy itself, in the form of JSON-RPC.

use hyper::StatusCode;
use unstuck::Json;
use unstuck_http::{Reply, json, later};

/// What JSON-RPC calls errors of the implementation's own.
const OWN_ERROR: i32 = -32000;

/// What JSON-RPC calls invalid parameters.
const INVALID_PARAMS: i32 = -32602;

/// What JSON-RPC calls an internal error.
const INTERNAL: i32 = -32603;

/// An answer that asks the client to try again later.
pub(super) fn busy(id: Option<&str>, why: &str) -> Reply {
    later(failed(StatusCode::SERVICE_UNAVAILABLE, id, why))
}

/// An answer that says why, to a message without an id or before its id is known.
pub(super) fn refused(status: StatusCode, why: &str) -> Reply {
    json(status, error(None, OWN_ERROR, why))
}

/// The same, as an error that ends the handling of a request.
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
