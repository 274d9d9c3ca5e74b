//! Where a server is, and how to sign in.

use std::{fmt, path::PathBuf, str::FromStr};

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Name or number of the host, and port.
    Tcp(String, u16),
    /// A socket in the file system.
    Unix(PathBuf),
}

/// The address of a server, with name and password: `redis://[[name]:password@]host[:port][/database]`, or
/// `unix:///path/of/the/socket`. Several hosts of one cluster are separated by commas.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// At least one. Further ones are other nodes of the same cluster.
    pub(crate) places: Vec<Place>,
    pub(crate) user: Option<String>,
    pub(crate) password: Option<String>,
    /// 0 in a cluster.
    pub(crate) database: u32,
}

/// Why a text is not the address of a server. The text itself is not shown: it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressError {
    /// It starts with neither `redis://` nor `unix://`.
    Scheme,
    /// `rediss://`: encrypted connections need a proxy beside the process, such as stunnel.
    Encrypted,
    /// A host is missing or empty.
    Host,
    /// A port is not a number from 1 to 65535.
    Port,
    /// What follows the host is not the number of a database.
    Database,
    /// A `%` in name or password is not followed by two hexadecimal digits.
    Escape,
}

const PORT: u16 = 6379;

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if let Some(path) = text.strip_prefix("unix://") {
            if !path.starts_with('/') {
                return Err(AddressError::Host);
            }
            return Ok(Self {
                places: vec![Place::Unix(path.into())],
                user: None,
                password: None,
                database: 0,
            });
        }
        if text.starts_with("rediss://") {
            return Err(AddressError::Encrypted);
        }
        let rest = text.strip_prefix("redis://").ok_or(AddressError::Scheme)?;
        let (sign_in, rest) = rest
            .rsplit_once('@')
            .map_or((None, rest), |(sign_in, rest)| (Some(sign_in), rest));
        let (hosts, database) = rest.split_once('/').unwrap_or((rest, ""));
        let database = match database {
            "" => 0,
            digits => digits.parse().map_err(|_| AddressError::Database)?,
        };
        let (user, password) = match sign_in.map(|sign_in| sign_in.split_once(':')) {
            None => (None, None),
            Some(None) => (None, sign_in.map(decoded).transpose()?),
            Some(Some((user, password))) => {
                let user = (!user.is_empty()).then(|| decoded(user)).transpose()?;
                (user, Some(decoded(password)?))
            }
        };
        Ok(Self {
            places: hosts.split(',').map(place).collect::<Result<_, _>>()?,
            user,
            password,
            database,
        })
    }
}

/// `host`, `host:port`, `[::1]` or `[::1]:port`.
fn place(text: &str) -> Result<Place, AddressError> {
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']').ok_or(AddressError::Host)?;
        (host, rest.strip_prefix(':'))
    } else {
        match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        }
    };
    if host.is_empty() {
        return Err(AddressError::Host);
    }
    let port = port.map_or(Ok(PORT), |port| {
        port.parse().map_err(|_| AddressError::Port)
    })?;
    if port == 0 {
        return Err(AddressError::Port);
    }
    Ok(Place::Tcp(host.into(), port))
}

fn decoded(text: &str) -> Result<String, AddressError> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, behind) = rest.split_at_checked(2).ok_or(AddressError::Escape)?;
        let digits = std::str::from_utf8(digits).map_err(|_| AddressError::Escape)?;
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| AddressError::Escape)?);
        rest = behind;
    }
    String::from_utf8(bytes).map_err(|_| AddressError::Escape)
}

/// Without the password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, place) in self.places.iter().enumerate() {
            write!(f, "{}{place}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// Without the password.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(host, port) if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp(host, port) => write!(f, "{host}:{port}"),
            Self::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scheme => "the address of a store starts with redis:// or unix://",
            Self::Encrypted => {
                "rediss:// is not supported; connect through a proxy that encrypts, such as stunnel"
            }
            Self::Host => "the address of a store names no host or path",
            Self::Port => "the port of a store is a number from 1 to 65535",
            Self::Database => "the database of a store is a number",
            Self::Escape => "a % in name or password is followed by two hexadecimal digits",
        })
    }
}

impl std::error::Error for AddressError {}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
