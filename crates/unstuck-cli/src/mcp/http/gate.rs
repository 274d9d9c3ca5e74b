//! Who may come in: checks of a request's head, before anything of its body is read.
//!
//! Pages in a browser can reach addresses of this machine, by a form or by a name that they let point here. A browser
//! tells on them: `Host` is the name they used, `Origin` is where they come from.

use std::net::{IpAddr, SocketAddr};

use hyper::{
    HeaderMap, StatusCode,
    header::{
        AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName, HeaderValue, ORIGIN, TRANSFER_ENCODING,
        WWW_AUTHENTICATE,
    },
    http::{request::Parts, uri::Authority},
};

use super::reply::{Reply, turned_away};

/// Headers that mean nothing, or two things, if they are there twice.
const SINGLE: [HeaderName; 9] = [
    HOST,
    ORIGIN,
    AUTHORIZATION,
    CONTENT_TYPE,
    HeaderName::from_static("mcp-session-id"),
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("mcp-method"),
    HeaderName::from_static("mcp-name"),
    HeaderName::from_static("last-event-id"),
];

/// Who may come in.
pub(super) struct Gate {
    /// What clients must show. Comparing hashes takes the same time whatever they show.
    token: Option<blake3::Hash>,
    /// Names of this machine that clients may use.
    names: Vec<String>,
    reach: Reach,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Only programs on this machine can connect.
    Loopback,
    Network,
}

impl Gate {
    pub(super) fn new(address: SocketAddr, token: Option<&str>, names: &[String]) -> Self {
        Self {
            token: token.map(|token| blake3::hash(token.as_bytes())),
            names: names.iter().map(|name| name.to_lowercase()).collect(),
            reach: if address.ip().is_loopback() {
                Reach::Loopback
            } else {
                Reach::Network
            },
        }
    }

    /// Lets a request in, or says why not.
    pub(super) fn check(&self, head: &Parts) -> Result<(), Box<Reply>> {
        if head.uri.scheme().is_some() || head.uri.authority().is_some() {
            return Err(turned_away(
                StatusCode::BAD_REQUEST,
                "this is not a proxy for other addresses",
            ));
        }
        for name in &SINGLE {
            if head.headers.get_all(name).iter().count() > 1 {
                let why = format!("the header {name} is there twice");
                return Err(turned_away(StatusCode::BAD_REQUEST, &why));
            }
        }
        coding(&head.headers)?;
        let Some(host) = head.headers.get(HOST) else {
            return Err(turned_away(
                StatusCode::BAD_REQUEST,
                "the header Host is missing",
            ));
        };
        if !self.is_host(host) {
            let why = "this Host is not served here; use an address of this machine, or start `unstuck mcp` with --allow-host";
            return Err(turned_away(StatusCode::FORBIDDEN, why));
        }
        if let Some(origin) = head.headers.get(ORIGIN)
            && !self.is_origin(origin)
        {
            return Err(turned_away(
                StatusCode::FORBIDDEN,
                "pages of this Origin may not come in",
            ));
        }
        self.authorize(&head.headers)
    }

    fn is_host(&self, value: &HeaderValue) -> bool {
        let Ok(authority) = Authority::try_from(value.as_bytes()) else {
            return false;
        };
        !authority.as_str().contains('@') && self.is_ours(authority.host())
    }

    fn is_origin(&self, value: &HeaderValue) -> bool {
        // `scheme://host` or `scheme://host:port`, and nothing else: no user, path or query.
        let Some((scheme, authority)) = value.to_str().ok().and_then(|text| text.split_once("://"))
        else {
            return false;
        };
        let known = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        if !known || authority.contains(['@', '/', '?', '#', '\\']) {
            return false;
        }
        let Ok(authority) = Authority::try_from(authority) else {
            return false;
        };
        let rest = &authority.as_str()[authority.host().len()..];
        let port = rest.is_empty() || authority.port_u16().is_some();
        port && self.is_ours(authority.host())
    }

    fn is_ours(&self, host: &str) -> bool {
        let bare = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        if let Ok(address) = bare.unwrap_or(host).parse::<IpAddr>() {
            // No name leads to it, so nobody can let one point here.
            return address.is_loopback() || self.reach == Reach::Network;
        }
        let host = host.to_lowercase();
        host == "localhost" || self.names.contains(&host)
    }

    fn authorize(&self, headers: &HeaderMap) -> Result<(), Box<Reply>> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let shown = headers.get(AUTHORIZATION).and_then(bearer);
        // The comparison of hashes takes constant time.
        if shown.is_some_and(|shown| blake3::hash(shown) == *token) {
            return Ok(());
        }
        let mut reply = turned_away(
            StatusCode::UNAUTHORIZED,
            "a token is needed: Authorization: Bearer TOKEN",
        );
        reply
            .headers_mut()
            .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        Err(reply)
    }
}

fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
}

/// Codings other than chunks are for nobody.
fn coding(headers: &HeaderMap) -> Result<(), Box<Reply>> {
    let chunked = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"chunked");
    if headers.get_all(TRANSFER_ENCODING).iter().all(chunked) {
        return Ok(());
    }
    let why = "a body is sent with its length, or in chunks";
    Err(turned_away(StatusCode::BAD_REQUEST, why))
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
