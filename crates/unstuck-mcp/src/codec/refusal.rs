//! Messages that are not passed on, and the answer to their sender.

use std::fmt::Write as _;

use unstuck::{Json, JsonError};

/// Why a message is not passed on. It never quotes the message: what cannot be read may hold anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct Refusal {
    /// The request's id as it is spelled, where one could be found.
    pub id: Option<Box<str>>,
    /// What is wrong.
    pub kind: RefusalKind,
    pub(crate) role: Role,
}

/// What a message seems to be that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It has a method.
    Request,
    /// It has an id, a result or an error, and no method.
    Response,
    /// It is none of these, or breaks off before that shows.
    Unknown,
}

/// What is wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefusalKind {
    /// No JSON, too deep, or with two members of one name.
    #[error("not passed on: {0}")]
    Json(#[from] JsonError),
    /// More bytes than are read.
    #[error("not passed on: the message has more than {longest} bytes")]
    TooLong {
        /// The limit.
        longest: usize,
    },
    /// An array of messages.
    #[error("not passed on: batches of messages are not supported, send one message at a time")]
    Batch,
    /// JSON, but no object.
    #[error("not passed on: a message is a JSON object")]
    NotAnObject,
    /// Two members of one name beside each other in the message or in its `params`.
    #[error("not passed on: two members of one name")]
    DuplicateMember,
    /// A member that some would take for another.
    #[error("not passed on: a member is spelled almost like `{0}`")]
    CaseVariant(&'static str),
    /// A member of the wrong type.
    #[error("not passed on: `{member}` must be {expected}")]
    WrongType {
        /// The member.
        member: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
    /// Neither request nor notification nor response, or more than one of them.
    #[error("not passed on: a message has either `method`, or `result`, or `error`")]
    Ambiguous,
    /// A carriage return within a line.
    #[error(
        "not passed on: a carriage return within a line, where some programs begin another message"
    )]
    CarriageReturn,
    /// An id that another request waits for.
    #[error("not passed on: another request with this id is not yet answered")]
    IdInUse,
    /// An answer to a request that was never passed on, or that was answered before.
    #[error("not passed on: no request waits for this answer")]
    Unasked,
    /// Content of another type than messages have, or in another encoding.
    #[error(
        "not passed on: an answer is `application/json` or `text/event-stream`, in UTF-8 and not compressed"
    )]
    ContentType,
    /// A header of the transport that says something else than the message.
    #[error("not passed on: the header `{0}` is missing or says something else than the message")]
    HeaderMismatch(&'static str),
    /// A tool call whose outcome could not be answered.
    #[error("not passed on: `tools/call` needs an id")]
    CallWithoutId,
    /// A tool call without a name to judge it by.
    #[error("not passed on: `tools/call` needs `params` with the `name` of a tool")]
    CallWithoutName,
}

impl Refusal {
    /// A request with this id that is not passed on.
    pub fn of_request(id: Option<&str>, kind: impl Into<RefusalKind>) -> Self {
        Self {
            id: id.map(Into::into),
            kind: kind.into(),
            role: Role::Request,
        }
    }

    /// The answer to the request with this id, which is not passed on.
    pub fn of_answer(id: Option<&str>, kind: impl Into<RefusalKind>) -> Self {
        Self {
            id: id.map(Into::into),
            kind: kind.into(),
            role: match id {
                Some(_) => Role::Response,
                None => Role::Unknown,
            },
        }
    }

    /// Whether this is JSON that has nothing of JSON-RPC in it, such as an HTTP server's own error.
    pub fn is_foreign(&self) -> bool {
        self.kind == RefusalKind::Ambiguous && self.role == Role::Unknown
    }

    pub(crate) fn new(kind: impl Into<RefusalKind>) -> Self {
        Self {
            id: None,
            kind: kind.into(),
            role: Role::Unknown,
        }
    }

    pub(crate) fn of(id: &str, kind: RefusalKind) -> Self {
        Self {
            id: Some(id.into()),
            kind,
            role: Role::Request,
        }
    }

    /// The error code of JSON-RPC.
    pub fn code(&self) -> i32 {
        match &self.kind {
            RefusalKind::Json(JsonError::DuplicateKey { .. } | JsonError::TooDeep { .. }) => -32600,
            RefusalKind::Json(_) => -32700,
            RefusalKind::CallWithoutName => -32602,
            RefusalKind::HeaderMismatch(_) => -32020,
            _ => -32600,
        }
    }

    /// The answer to a client in place of the server's answer to this request, as a line.
    pub(crate) fn server_fault(&self, id: &str) -> Vec<u8> {
        let text = format!("the server's answer was {self}");
        error_line(Some(id), -32603, &text)
    }

    /// The answer to its sender, as a line.
    pub fn answer(&self) -> Vec<u8> {
        error_line(self.id.as_deref(), self.code(), &self.to_string())
    }
}

/// A JSON-RPC error, as a line.
pub(crate) fn error_line(id: Option<&str>, code: i32, message: &str) -> Vec<u8> {
    let id = id.unwrap_or("null");
    let message = Json::string(message);
    let mut line = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        line,
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#
    );
    line.into_bytes()
}
