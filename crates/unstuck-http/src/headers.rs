//! Which headers pass from a client to a server and back.

use hyper::{
    HeaderMap,
    header::{
        ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderName, ORIGIN, SET_COOKIE,
        TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
    },
};

use crate::content::describes;

/// Headers about one connection, which mean nothing on the next.
const OF_CONNECTION: [HeaderName; 9] = [
    CONNECTION,
    CONTENT_LENGTH,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("proxy-authenticate"),
];

/// Headers of clients that no setting passes on: they belong to the connection with this program.
const NEVER: [HeaderName; 4] = [HOST, ACCEPT_ENCODING, EXPECT, ORIGIN];

/// Why a header cannot be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// No header has this name.
    #[error("it is not the name of a header")]
    NotAName,
    /// It belongs to one connection.
    #[error("it belongs to the connection with this program and is never passed on")]
    OfConnection,
}

/// Headers of clients that a server gets. All others may be credentials or names that are meant for this program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList {
    names: Vec<HeaderName>,
    prefixes: Vec<&'static str>,
}

impl AllowList {
    /// Passes these headers on, and those whose names begin with one of the prefixes (in lower case).
    pub fn new(
        names: impl IntoIterator<Item = HeaderName>,
        prefixes: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        Self {
            names: names.into_iter().collect(),
            prefixes: prefixes.into_iter().collect(),
        }
    }

    /// Adds a header by its name.
    pub fn add(&mut self, name: &str) -> Result<(), HeaderError> {
        let header = HeaderName::try_from(name).map_err(|_| HeaderError::NotAName)?;
        if NEVER.contains(&header) || OF_CONNECTION.contains(&header) {
            return Err(HeaderError::OfConnection);
        }
        self.names.push(header);
        Ok(())
    }

    /// The headers of a client that a server gets, with the configured ones in place of those of the same name. Headers
    /// that describe the body are left out: the body is described anew.
    pub(crate) fn apply(&self, headers: &HeaderMap, configured: &HeaderMap) -> HeaderMap {
        let is_listed = |name: &HeaderName| {
            let begins = |prefix: &&str| name.as_str().starts_with(prefix);
            self.names.contains(name) || self.prefixes.iter().any(begins)
        };
        let mut passed = pass(headers, |name| !is_listed(name) || describes(name));
        for (name, value) in configured {
            passed.insert(name, value.clone());
        }
        passed
    }
}

/// Headers of a client that a server gets where all belong to it, credentials included: all but those of the connection
/// with this program. The body is described as it was, except for its length.
pub fn all_to_server(headers: &HeaderMap) -> HeaderMap {
    pass(headers, |name| NEVER.contains(name))
}

/// Headers of a server's answer of which all belong to the client, except those of the connection.
pub fn all_to_client(headers: &HeaderMap) -> HeaderMap {
    pass(headers, |_| false)
}

/// Headers of a server's answer that are passed to the client.
pub fn to_client(headers: &HeaderMap) -> HeaderMap {
    pass(headers, |name| {
        // Which pages may read answers is decided here.
        *name == SET_COOKIE || name.as_str().starts_with("access-control-") || describes(name)
    })
}

fn pass(headers: &HeaderMap, dropped: impl Fn(&HeaderName) -> bool) -> HeaderMap {
    let named: Vec<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|names| names.split(','))
        .map(|name| name.trim().to_lowercase())
        .collect();
    let mut passed = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        let own = OF_CONNECTION.contains(name) || named.iter().any(|named| named == name.as_str());
        if !own && !dropped(name) {
            passed.append(name, value.clone());
        }
    }
    passed
}
