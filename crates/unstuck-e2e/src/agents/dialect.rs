//! The ways models talk, one file each.

mod anthropic;
mod gemini;
mod openai_chat;
mod openai_responses;

use serde_json::Value;

use super::{http::Response, model::Turn};

pub(crate) trait Dialect {
    /// Requests with fewer tools are not the agent's own.
    fn least_tools(&self) -> usize {
        1
    }

    /// A turn as a response, streamed if the request asks for it. The number is the turn's own.
    fn response(&self, turn: &Turn, request: &Value, path: &str, number: usize) -> Response;
}

/// The way that is spoken at a path.
pub(crate) fn of(path: &str) -> Option<&'static dyn Dialect> {
    let path = path.split('?').next().unwrap_or_default();
    match path {
        _ if path.ends_with("/messages") => Some(&anthropic::Anthropic),
        _ if path.ends_with("/chat/completions") => Some(&openai_chat::OpenAiChat),
        _ if path.ends_with("/responses") => Some(&openai_responses::OpenAiResponses),
        _ if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") => {
            Some(&gemini::Gemini)
        }
        _ => None,
    }
}

fn json(value: &Value) -> Response {
    Response {
        content_type: "application/json",
        body: value.to_string(),
    }
}

/// Server-sent events: a name, where the dialect has names, and data.
fn events<'a>(events: impl IntoIterator<Item = (Option<&'a str>, String)>) -> Response {
    let line = |(name, data): (Option<&str>, String)| match name {
        Some(name) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    };
    Response {
        content_type: "text/event-stream",
        body: events.into_iter().map(line).collect(),
    }
}

#[cfg(test)]
#[path = "dialect/dialect_tests.rs"]
mod tests;
