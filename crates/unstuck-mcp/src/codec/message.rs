//! What a line says, as far as the guard needs to know.

use std::borrow::Cow;

use unstuck::Json;

use super::id::Id;

/// One JSON-RPC message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Message<'a> {
    /// Wants an answer.
    Request(Request<'a>),
    /// Wants none.
    Notification(Notification<'a>),
    /// Is one.
    Response(Response<'a>),
}

/// A message with a method and an id.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Request<'a> {
    /// Pairs it with its response.
    pub id: Id<'a>,
    /// What is wanted.
    pub method: Cow<'a, str>,
    /// With which parameters.
    pub params: Params<'a>,
}

/// A message with a method and without an id.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Notification<'a> {
    /// What happened.
    pub method: Cow<'a, str>,
    /// With which parameters.
    pub params: Params<'a>,
}

/// A message with a result or an error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Response<'a> {
    /// The request's id; errors about messages that could not be read have none.
    pub id: Option<Id<'a>>,
    /// The answer of the server.
    pub body: Body,
}

/// The answer of the server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Body {
    /// The member `result`, where it is nothing but one text.
    Text(TextResult),
    /// The member `result`.
    Result(Json),
    /// The member `error`.
    Error(Json),
}

/// A result that is nothing but one text, as most are: `{"content":[{"type":"text","text":…}]}`, also with `isError`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TextResult {
    /// The text, a string.
    pub text: Json,
    /// Whether it says that the call failed.
    pub is_error: bool,
}

/// The members of `params` that mean something to the guard.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Params<'a> {
    /// What `params` is, before anything in it.
    pub shape: Shape,
    /// The name of the tool that is called.
    pub name: Option<Cow<'a, str>>,
    /// What it is called with.
    pub arguments: Option<Json>,
    /// Hints of the client: sessions, progress tokens, the protocol's version.
    pub meta: Option<Json>,
    /// Which request is called off.
    pub request_id: Option<Json>,
    /// What the client answers to a server that asked for more.
    pub input_responses: Option<Json>,
    /// What such a server wants to have back.
    pub request_state: Option<Json>,
}

/// What `params` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// Not there.
    #[default]
    Absent,
    /// An object.
    Object,
    /// Something else.
    Other,
}
