//! Who may come in: checks of a request's head, before anything of its body is read.
//!
//! Pages in a browser can reach addresses of this machine, by a form or by a name that they let point here. A browser
//! tells on them: `Host` is the name they used, `Origin` is where they come from.

use std::net::{IpAddr, SocketAddr};

use hyper::{
    HeaderMap,
    header::{
        AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName, HeaderValue, ORIGIN, TRANSFER_ENCODING,
    },
    http::{request::Parts, uri::Authority},
};

use crate::refusal::Refusal;

/// Headers that mean nothing, or two things, if they are there twice.
const SINGLE: [HeaderName; 4] = [HOST, ORIGIN, AUTHORIZATION, CONTENT_TYPE];

/// Who may come in.
pub struct Gate {
    /// What clients must show one of, if there are any. Comparing hashes takes the same time whatever they show.
    tokens: Vec<blake3::Hash>,
    /// Names of this machine that clients may use.
    names: Vec<String>,
    /// Further headers that must not be there twice.
    single: Vec<HeaderName>,
    reach: Reach,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Only programs on this machine can connect.
    Loopback,
    Network,
}

impl Gate {
    /// The gate of a listener at this address. Without a token every program that can connect may come in; names are those
    /// of this machine that clients may use beside its addresses and `localhost`.
    pub fn new(address: SocketAddr, token: Option<&str>, names: &[String]) -> Self {
        Self {
            tokens: token.map(hash).into_iter().collect(),
            names: names.iter().map(|name| name.to_lowercase()).collect(),
            single: Vec::new(),
            reach: if address.ip().is_loopback() {
                Reach::Loopback
            } else {
                Reach::Network
            },
        }
    }

    /// Refuses requests that have one of these headers twice.
    #[must_use]
    pub fn with_single(mut self, headers: impl IntoIterator<Item = HeaderName>) -> Self {
        self.single.extend(headers);
        self
    }

    /// Lets clients with this token in as well.
    #[must_use]
    pub fn with_token(mut self, token: &str) -> Self {
        self.tokens.push(hash(token));
        self
    }

    /// Lets a request in, or says why not.
    pub fn check(&self, head: &Parts) -> Result<(), Refusal> {
        if head.uri.scheme().is_some() || head.uri.authority().is_some() {
            return Err(Refusal::OtherAddress);
        }
        for name in SINGLE.iter().chain(&self.single) {
            if head.headers.get_all(name).iter().count() > 1 {
                return Err(Refusal::Twice(name.clone()));
            }
        }
        coding(&head.headers)?;
        let Some(host) = head.headers.get(HOST) else {
            return Err(Refusal::NoHost);
        };
        if !self.is_host(host) {
            return Err(Refusal::Host);
        }
        if let Some(origin) = head.headers.get(ORIGIN)
            && !self.is_origin(origin)
        {
            return Err(Refusal::Origin);
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
            // Not a name: no name server can make it point to this machine.
            return address.is_loopback() || self.reach == Reach::Network;
        }
        let host = host.to_lowercase();
        host == "localhost" || self.names.contains(&host)
    }

    fn authorize(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if self.tokens.is_empty() {
            return Ok(());
        }
        let shown = headers.get(AUTHORIZATION).and_then(bearer);
        // The comparison of hashes takes constant time.
        let is_known = |shown| self.tokens.contains(&blake3::hash(shown));
        if shown.is_some_and(is_known) {
            return Ok(());
        }
        Err(Refusal::Token)
    }
}

fn hash(token: &str) -> blake3::Hash {
    blake3::hash(token.as_bytes())
}

fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
}

/// Transfer codings other than `chunked` are refused.
fn coding(headers: &HeaderMap) -> Result<(), Refusal> {
    let chunked = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"chunked");
    if headers.get_all(TRANSFER_ENCODING).iter().all(chunked) {
        return Ok(());
    }
    Err(Refusal::TransferCoding)
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
