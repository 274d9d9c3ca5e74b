//! Why a request is refused before its handler has seen all of it.

use std::borrow::Cow;

use hyper::{
    StatusCode,
    header::{CONNECTION, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE},
};

use crate::{heads::Fault, reply::Reply};

/// Why a request is refused. The handler of the listener writes the answer in the form of its protocol; status and headers
/// are set here.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The head gives the length of the body in more than one way.
    Lengths,
    /// There are too many blank lines before the request.
    BlankLines,
    /// The head is too long.
    HeadTooLong,
    /// The request is for another address.
    OtherAddress,
    /// This header is there twice.
    Twice(HeaderName),
    /// The body has a coding other than chunks.
    TransferCoding,
    /// The header `Host` is missing.
    NoHost,
    /// `Host` is not a name of this machine.
    Host,
    /// `Origin` is not a name of this machine.
    Origin,
    /// The token is missing or wrong.
    Token,
    /// The same, too often.
    TooManyAttempts,
    /// The connection has to make room for another one.
    TooManyConnections,
    /// The body has more bytes than this.
    BodyTooLong(usize),
    /// The connection ended within the body.
    BrokenOff,
    /// The body did not arrive in time.
    Slow,
    /// Other messages use all memory.
    NoMemory,
}

impl Refusal {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Lengths
            | Self::BlankLines
            | Self::OtherAddress
            | Self::Twice(_)
            | Self::TransferCoding
            | Self::NoHost
            | Self::BrokenOff => StatusCode::BAD_REQUEST,
            Self::HeadTooLong => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::TooManyAttempts => StatusCode::TOO_MANY_REQUESTS,
            Self::TooManyConnections | Self::NoMemory => StatusCode::SERVICE_UNAVAILABLE,
            Self::BodyTooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
        }
    }

    /// The message for the client.
    pub fn message(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Lengths => "the length of the body is given in more than one way",
            Self::BlankLines => "there are blank lines before the request",
            Self::HeadTooLong => "the header block is too long",
            Self::OtherAddress => "this is not a proxy for other addresses",
            Self::Twice(name) => return format!("the header {name} is there twice").into(),
            Self::TransferCoding => "a body is sent with its length, or in chunks",
            Self::NoHost => "the header Host is missing",
            Self::Host => "this Host is not served here; use an address of this machine",
            Self::Origin => "pages of this Origin may not come in",
            Self::Token => "a token is needed: Authorization: Bearer TOKEN",
            Self::TooManyAttempts => "too many requests without the right token",
            Self::TooManyConnections => "too many connections",
            Self::BodyTooLong(longest) => {
                return format!("a message may have {longest} bytes").into();
            }
            Self::BrokenOff => "the body breaks off",
            Self::Slow => "the body did not arrive in time",
            Self::NoMemory => "other messages use all memory; try again later",
        })
    }

    /// Sets the status and the headers of an answer that says this.
    pub(crate) fn finish(&self, mut reply: Reply) -> Reply {
        *reply.status_mut() = self.status();
        let headers = reply.headers_mut();
        if *self == Self::Token {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        let is_over = matches!(self, Self::TooManyAttempts | Self::TooManyConnections);
        if is_over || *self == Self::NoMemory {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if is_over {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        reply
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Lengths => Self::Lengths,
            Fault::BlankLines => Self::BlankLines,
            Fault::TooLong => Self::HeadTooLong,
        }
    }
}
