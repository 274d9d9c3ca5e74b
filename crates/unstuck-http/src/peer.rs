//! Where a request comes from, as far as its client cannot choose it.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use hyper::http::request::Parts;

/// Where requests come from, as far as the client cannot choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Peer {
    /// This machine. All its addresses are one: a program can connect from any address in 127.0.0.0/8.
    Here,
    /// An IPv4 address.
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
    pub fn place(self) -> String {
        match self {
            Self::Here => "this machine".to_owned(),
            Self::V4(address) => address.to_string(),
            Self::V6([a, b, c, d]) => {
                format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        }
    }

    /// The peer of a request; the connection put it there.
    pub fn of(head: &Parts) -> Self {
        head.extensions.get().copied().unwrap_or(Self::Here)
    }
}

#[cfg(test)]
#[path = "peer_tests.rs"]
mod tests;
