//! Who a request is counted for: where it comes from, and what distinguishes the clients there.
//!
//! Nothing that a client can choose freely may give it fresh counts. Its address is all there is without a session, and of
//! that only the part it cannot vary. What it says about itself distinguishes honest clients, for a bounded number of names.

use std::{
    collections::BTreeMap,
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Mutex,
    time::{Duration, Instant},
};

use hyper::{
    HeaderMap,
    header::{AUTHORIZATION, HeaderValue, USER_AGENT},
    http::request::Parts,
};
use unstuck_mcp::{Message, claimed_client};
use unstuck_session::sync::lock;

use super::headers::Credentials;

/// Names that are counted separately for one peer. Further ones are counted together.
const MOST_NAMES: usize = 16;

/// Peers whose names are counted separately.
const MOST_PEERS: usize = 1_024;

/// A name that was not used for this long makes room for another.
const IDLE: Duration = Duration::from_mins(30);

/// Where requests come from, as far as the client cannot choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Peer {
    /// This machine. All its addresses are one: a program can connect from any address in 127.0.0.0/8.
    Here,
    V4(Ipv4Addr),
    /// The network of an address, 64 bits: a machine has all the addresses in it.
    V6([u16; 4]),
}

impl From<IpAddr> for Peer {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            address if address.is_loopback() => Self::Here,
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self::V6([a, b, c, d])
            }
        }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here => f.write_str("default"),
            Self::V4(_) | Self::V6(_) => write!(f, "peer-{}", self.place()),
        }
    }
}

impl Peer {
    /// Where it is, in words.
    pub(super) fn place(self) -> String {
        match self {
            Self::Here => "this machine".to_owned(),
            Self::V4(address) => address.to_string(),
            Self::V6([a, b, c, d]) => {
                format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        }
    }

    /// The peer of a request; the connection put it there.
    pub(super) fn of(head: &Parts) -> Self {
        head.extensions.get().copied().unwrap_or(Self::Here)
    }
}

/// Who a request without a session is counted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Visitor {
    /// A name that distinguishes clients of one peer, or the peer's own.
    pub(super) name: Box<str>,
    /// The peer's own name.
    pub(super) owner: Box<str>,
}

impl Visitor {
    /// A client that is not distinguished from others of its peer.
    pub(super) fn unnamed(peer: Peer) -> Self {
        let owner: Box<str> = peer.to_string().into();
        Self {
            name: owner.clone(),
            owner,
        }
    }
}

/// The names by which clients of one peer are distinguished.
pub(super) struct Names {
    credentials: Credentials,
    /// Key of the names. It is new with every process, so that a name in the audit does not confirm a guessed credential.
    key: [u8; 32],
    of_peers: Mutex<BTreeMap<Peer, Vec<(u32, Instant)>>>,
}

impl Names {
    /// Credentials distinguish clients where they reach the server.
    pub(super) fn new(credentials: Credentials) -> Result<Self, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Self {
            credentials,
            key,
            of_peers: Mutex::default(),
        })
    }

    /// Finds who a message is counted for.
    pub(super) fn visitor(
        &self,
        peer: Peer,
        headers: &HeaderMap,
        message: Option<&Message<'_>>,
    ) -> Visitor {
        let mut visitor = Visitor::unnamed(peer);
        let name = self.claims(headers, message);
        if let Some(name) = name.filter(|name| self.admit(peer, *name)) {
            visitor.name = format!("{}~{name:08x}", visitor.owner).into();
        }
        visitor
    }

    /// Whether this name is counted separately.
    fn admit(&self, peer: Peer, name: u32) -> bool {
        let now = Instant::now();
        let mut of_peers = lock(&self.of_peers);
        if of_peers.len() >= MOST_PEERS && !of_peers.contains_key(&peer) {
            let is_used = |(_, used): &(u32, Instant)| now.duration_since(*used) < IDLE;
            of_peers.retain(|_, names| names.iter().any(is_used));
            if of_peers.len() >= MOST_PEERS {
                return false;
            }
        }
        let names = of_peers.entry(peer).or_default();
        if let Some((_, used)) = names.iter_mut().find(|(known, _)| *known == name) {
            *used = now;
            return true;
        }
        if names.len() >= MOST_NAMES {
            names.retain(|(_, used)| now.duration_since(*used) < IDLE);
        }
        let has_room = names.len() < MOST_NAMES;
        if has_room {
            names.push((name, now));
        }
        has_room
    }

    /// A keyed hash of what a client says about itself, if it says anything: its credentials, its name and version.
    fn claims(&self, headers: &HeaderMap, message: Option<&Message<'_>>) -> Option<u32> {
        let meta = match message {
            Some(Message::Request(request)) => request.params.meta.as_ref(),
            _ => None,
        };
        let client = meta.and_then(claimed_client);
        let credentials = headers
            .get(AUTHORIZATION)
            .filter(|_| self.credentials == Credentials::Forward);
        let parts = [
            credentials.map(HeaderValue::as_bytes),
            headers.get(USER_AGENT).map(HeaderValue::as_bytes),
            client.as_deref().map(str::as_bytes),
        ];
        if parts.iter().all(Option::is_none) {
            return None;
        }
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        for part in parts {
            let part = part.unwrap_or_default();
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
        Some(u32::from_le_bytes([a, b, c, d]))
    }
}

#[cfg(test)]
#[path = "peer_tests.rs"]
mod tests;
