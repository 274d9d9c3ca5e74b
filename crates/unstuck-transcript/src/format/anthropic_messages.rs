//! Anthropic's Messages API: requests with their histories, and answers.

use std::borrow::Cow;

use unstuck::Status;
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Reading};
use super::{cline, mini_swe_agent};
use crate::{
    api::{Api, Bodies, Sample, sample},
    elements::{End, Raw},
    head::Head,
    look::{count, is_true, present, text},
    message::{Message, arguments, name},
    readable::readable,
    said::result,
    sink::Tokens,
    track::Used,
    transcript::Origin,
    values::{Either, beginning},
};

pub(super) static ANTHROPIC_MESSAGES: FormatSpec = FormatSpec {
    name: "anthropic-messages",
    title: "Anthropic Messages",
    agent: "anthropic-messages",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &["messages"],
    directory: &[],
    locations: &[],
};

/// The Messages API.
pub(crate) struct Messages;

pub(crate) type Reader = Either<Bodies<Messages>>;

fn reader(origin: &Origin) -> Reader {
    Either::new(Bodies::new(origin))
}

impl Api for Messages {
    const HISTORY: &'static str = "messages";

    fn is_answer(body: Raw<'_>) -> bool {
        says(body, "type", "message") && says(body, "role", "assistant")
    }

    fn is_element(element: Raw<'_>) -> bool {
        let role = element.get("role").and_then(Raw::string);
        let known = role.is_some_and(|role| matches!(&*role, "user" | "assistant" | "system"));
        known && element.get("content").is_some()
    }

    fn element(element: JsonRef<'_>, number: u64, messages: &mut Vec<Message>) {
        let mut message = message(element);
        message.number = number;
        messages.push(message);
    }

    fn answer(body: JsonRef<'_>) -> Option<Message> {
        let mut answer = message(body);
        answer.used = used(body);
        Some(answer)
    }

    /// Claude Code puts its session into the id of the user: as JSON, or behind `_session_`.
    fn session(body: Raw<'_>) -> Option<Cow<'_, str>> {
        let metadata = body.get("metadata")?;
        if let Some(session) = metadata.get("session_id") {
            return session.string();
        }
        let user = metadata.get("user_id")?.string()?;
        if let Some((inner, _)) = Raw::first(&user)
            && let Some(session) = inner.get("session_id").and_then(Raw::string)
        {
            return Some(Cow::Owned(session.into_owned()));
        }
        let (_, session) = user.rsplit_once("_session_")?;
        Some(Cow::Owned(session.to_owned()))
    }
}

/// One message of a history, or the answer.
fn message(told: JsonRef<'_>) -> Message {
    let role = text(told, "role");
    let mut message = match role.as_deref() {
        Some("assistant") => Message::of_model(),
        Some("user") => Message::default(),
        _ => return Message::default(),
    };
    let of_model = role.as_deref() == Some("assistant");
    let Some(content) = told.get("content") else {
        return message;
    };
    if let Some(words) = content.text() {
        if of_model {
            message.say(&words);
        } else {
            message.ask(&words);
        }
        return message;
    }
    for block in content.elements() {
        if says_kind(block, "text") {
            let words = text(block, "text").unwrap_or_default();
            if of_model {
                message.say(&words);
            } else {
                message.ask(&words);
            }
        } else {
            add_block(&mut message, block);
        }
    }
    message
}

fn says_kind(block: JsonRef<'_>, kind: &str) -> bool {
    text(block, "type").is_some_and(|found| found == kind)
}

/// Adds a block that is not a text.
pub(super) fn add_block(message: &mut Message, block: JsonRef<'_>) {
    match &*text(block, "type").unwrap_or_default() {
        "thinking" => message.think(&text(block, "thinking").unwrap_or_default()),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            let args = arguments(block.get("input"));
            message.call(&name(block.get("id")), &name(block.get("name")), args);
        }
        kind if kind.ends_with("tool_result") => {
            let content = present(block, "content");
            let failed = is_true(block, "is_error")
                || content
                    .and_then(|content| text(content, "type"))
                    .is_some_and(|kind| kind.ends_with("_error"));
            let status = if failed { Status::Error } else { Status::Ok };
            let id = name(block.get("tool_use_id"));
            message.answer(result(&id, status, content), "");
        }
        _ => {}
    }
}

/// What an answer used.
fn used(body: JsonRef<'_>) -> Option<Used> {
    let usage = present(body, "usage")?;
    Some(Used {
        model: name(body.get("model")),
        tokens: Tokens {
            input: count(usage, "input_tokens"),
            output: count(usage, "output_tokens"),
            cache_read: count(usage, "cache_read_input_tokens"),
            cache_write: count(usage, "cache_creation_input_tokens"),
        },
        cost_micros: None,
    })
}

/// Do these messages have what only this API has?
pub(super) fn recognises(head: &Head<'_>) -> bool {
    let text = readable(head.bytes);
    let text = beginning(&text);
    let Some(Sample { body, elements }) = sample::<Messages>(text) else {
        return false;
    };
    let of_body = body.is_some_and(|body| {
        // No other format has the system prompt beside the messages.
        let members = ["system", "anthropic_version", "anthropic_beta", "thinking"];
        let tools = body.get("tools").and_then(|tools| tools.elements().next());
        Messages::is_answer(body)
            || members.iter().any(|member| body.get(member).is_some())
            || tools.is_some_and(|tool| tool.get("input_schema").is_some())
    });
    (of_body || elements.iter().any(|element| has_own_block(*element)))
        && !mini_swe_agent::recognises(head)
        && !cline::recognises(head)
}

/// Has the message a block that no other API has?
fn has_own_block(message: Raw<'_>) -> bool {
    let Some(content) = message.get("content").filter(|content| content.is_array()) else {
        return false;
    };
    content
        .elements()
        .filter(|block| block.end == End::Whole)
        .filter_map(|block| block.get("type")?.string())
        .any(|kind| {
            matches!(
                &*kind,
                "tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "server_tool_use"
            )
        })
}

fn says(body: Raw<'_>, member: &str, word: &str) -> bool {
    let said = body.get(member).and_then(Raw::string);
    said.is_some_and(|said| said == word)
}
