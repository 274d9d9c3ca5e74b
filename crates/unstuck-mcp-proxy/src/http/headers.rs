//! Headers of MCP: which pass, and which must say what the message says.

use anyhow::{Result, bail};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::{
    HeaderMap,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT},
};
use serde::Deserialize;
use unstuck_http::{AllowList, HeaderError, JSON};
use unstuck_json::{JsonKind, JsonRef};
use unstuck_mcp::{Message, Params, Refusal, RefusalKind};

pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
pub(super) const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// Headers of clients that a server gets, beside those that begin with `mcp-`. All others may be credentials or names
/// that are meant for this program.
const PASSED: [HeaderName; 6] = [
    ACCEPT,
    CONTENT_TYPE,
    USER_AGENT,
    LAST_EVENT,
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
];

/// Whether the `Authorization` of clients reaches the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// It is read by this program and not passed on.
    Keep,
    /// It is the server's.
    Forward,
}

/// Headers of clients that servers get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedHeaders(pub(super) AllowList);

impl PassedHeaders {
    /// Those that pass with these credentials.
    pub fn new(credentials: Credentials) -> Self {
        let own = match credentials {
            Credentials::Keep => None,
            Credentials::Forward => Some(AUTHORIZATION),
        };
        Self(AllowList::new(PASSED.into_iter().chain(own), ["mcp-"]))
    }

    /// Adds a header by its name.
    pub fn add(&mut self, name: &str) -> Result<()> {
        if name.eq_ignore_ascii_case(AUTHORIZATION.as_str()) {
            bail!("use --forward-authorization to pass Authorization on");
        }
        match self.0.add(name) {
            Ok(()) => Ok(()),
            Err(HeaderError::OfConnection) => {
                bail!("`{name}` belongs to the connection with this program and is never passed on")
            }
            Err(_) => bail!("`{name}` is not the name of a header"),
        }
    }
}

/// Headers that mean two things if they are there twice, beside those of HTTP itself.
pub(super) const SINGLE: [HeaderName; 5] = [SESSION, VERSION, METHOD, NAME, LAST_EVENT];

/// The headers of a response, by those of the request in whose answer the server asked: same session, same credentials.
pub(super) fn of_response(request: HeaderMap) -> HeaderMap {
    let mut headers = request;
    let about_request = |name: &HeaderName| {
        [METHOD, NAME, LAST_EVENT].contains(name) || name.as_str().starts_with("mcp-param-")
    };
    let dropped: Vec<_> = headers
        .keys()
        .filter(|name| about_request(name))
        .cloned()
        .collect();
    for name in dropped {
        headers.remove(name);
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    let accept = "application/json, text/event-stream";
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    headers
}

/// The version that a message of the stateless era names.
pub(super) fn version(message: &Message<'_>) -> Option<String> {
    let meta = params(message)?.meta.as_ref()?;
    let version = meta.view().get("io.modelcontextprotocol/protocolVersion")?;
    Some(version.text()?.into_owned())
}

fn params<'m, 'a>(message: &'m Message<'a>) -> Option<&'m Params<'a>> {
    match message {
        Message::Request(request) => Some(&request.params),
        Message::Notification(note) => Some(&note.params),
        _ => None,
    }
}

/// A program between client and server may go by headers, and the server by the message: they must not differ.
pub(super) fn agree(
    headers: &HeaderMap,
    message: &Message<'_>,
    body: &[u8],
) -> Result<(), Refusal> {
    let (method, id, named) = match message {
        Message::Request(request) => (&*request.method, Some(request.id.raw), &request.params.name),
        Message::Notification(note) => (&*note.method, None, &note.params.name),
        _ => return Ok(()),
    };
    let version = version(message);
    let must = version.is_some() && id.is_some();
    let name = match method {
        "tools/call" | "prompts/get" => named.as_deref().map(str::to_owned),
        "resources/read" => uri(body),
        _ => None,
    };
    let expected = [
        (METHOD, "Mcp-Method", Some(method)),
        (NAME, "Mcp-Name", name.as_deref()),
        (VERSION, "MCP-Protocol-Version", version.as_deref()),
    ];
    for (header, spelled, expected) in expected {
        let fits = match (headers.get(&header), expected) {
            (Some(said), Some(expected)) => decode(said).is_some_and(|said| said == expected),
            (None, Some(_)) => !must,
            // In the era of handshakes the version is in no message. Other methods have no name.
            (_, None) => true,
        };
        if !fits {
            let kind = RefusalKind::HeaderMismatch(spelled);
            return Err(Refusal::of_request(id, kind));
        }
    }
    Ok(())
}

/// The same for arguments that are repeated in headers: their names behind `Mcp-Param-`, and what the call gives.
pub(super) fn arguments_agree<'a>(
    headers: &HeaderMap,
    message: &Message<'_>,
    mut mirrored: impl Iterator<Item = (&'a str, Option<JsonRef<'a>>)>,
) -> Result<(), Refusal> {
    let must = version(message).is_some();
    let fits = |(name, value): (&str, Option<JsonRef<'_>>)| {
        // These cannot be written into a header, and no tool may ask for it.
        if value.is_some_and(|value| matches!(value.kind(), JsonKind::Array | JsonKind::Object)) {
            return true;
        }
        let mut said = headers
            .get_all(format!("mcp-param-{}", name.to_lowercase()))
            .iter();
        match (said.next(), said.next(), value) {
            (None, _, None) => true,
            (None, _, Some(_)) => !must,
            (Some(said), None, Some(value)) => decode(said).is_some_and(|said| says(&said, value)),
            // Two of a kind are two readings.
            (Some(_), ..) => false,
        }
    };
    match message {
        Message::Request(request) if request.method == "tools/call" && !mirrored.all(fits) => {
            let kind = RefusalKind::HeaderMismatch("Mcp-Param-*");
            Err(Refusal::of_request(Some(request.id.raw), kind))
        }
        _ => Ok(()),
    }
}

/// Whether a header says what an argument says. Numbers may be spelled in many ways.
fn says(said: &str, value: JsonRef<'_>) -> bool {
    match value.kind() {
        JsonKind::String => value.text().is_some_and(|text| text == said),
        JsonKind::Number => said.parse().ok() == value.number(),
        _ => value.as_str() == said,
    }
}

/// The text of a header; what does not fit into one is written in Base64.
fn decode(value: &HeaderValue) -> Option<String> {
    let text = value.to_str().ok()?;
    let wrapped = text.strip_prefix("=?base64?");
    let Some(wrapped) = wrapped.and_then(|text| text.strip_suffix("?=")) else {
        return Some(text.to_owned());
    };
    String::from_utf8(STANDARD.decode(wrapped).ok()?).ok()
}

fn uri(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Read {
        params: Resource,
    }
    #[derive(Deserialize)]
    struct Resource {
        uri: String,
    }
    let read: Read = serde_json::from_slice(body).ok()?;
    Some(read.params.uri)
}

#[cfg(test)]
#[path = "headers_tests.rs"]
mod tests;
