//! Types of content. A body has one reading only where its type, its character set and its compression are settled.

use hyper::{
    HeaderMap,
    header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName},
};

/// Content type of JSON.
pub const JSON: &str = "application/json";
/// Content type of an event stream.
pub const EVENTS: &str = "text/event-stream";

/// What the headers of a body make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// One message.
    Json,
    /// A stream of events.
    Events,
    /// Anything else: another type (also `application/…+json`), another character set than UTF-8, two types, compressed.
    Other,
}

impl Content {
    /// Reads the headers of a body.
    pub fn of(headers: &HeaderMap) -> Self {
        let mut types = headers.get_all(CONTENT_TYPE).iter();
        let (Some(only), None) = (types.next(), types.next()) else {
            return Self::Other;
        };
        match only.to_str() {
            Ok(text) if is_utf8(text) && !is_encoded(headers) => {
                let media = media(text);
                if media.eq_ignore_ascii_case(JSON) {
                    Self::Json
                } else if media.eq_ignore_ascii_case(EVENTS) {
                    Self::Events
                } else {
                    Self::Other
                }
            }
            _ => Self::Other,
        }
    }
}

/// Whether a body is compressed, or claims to be encoded in any other way.
pub fn is_encoded(headers: &HeaderMap) -> bool {
    let encodings = headers.get_all(CONTENT_ENCODING).iter();
    encodings.into_iter().any(|value| {
        let text = value.to_str().unwrap_or("unknown");
        !text.trim().eq_ignore_ascii_case("identity")
    })
}

/// Whether a header describes a body. A body that is passed on is described anew.
pub(crate) fn describes(name: &HeaderName) -> bool {
    name.as_str().starts_with("content-")
}

/// A type of content without its parameters.
pub fn media(kind: &str) -> &str {
    kind.split(';').next().unwrap_or_default().trim()
}

/// Whether no parameter names another character set than UTF-8. A quoted `;` is taken for one that is not: that refuses
/// more than it must, and never less.
fn is_utf8(kind: &str) -> bool {
    kind.split(';').skip(1).all(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let name = name.trim().to_ascii_lowercase();
        let value = value.trim();
        let unquoted = value
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'))
            .unwrap_or(value);
        !name.starts_with("charset") || name == "charset" && unquoted.eq_ignore_ascii_case("utf-8")
    })
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
