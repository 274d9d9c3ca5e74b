//! OpenAI's Chat Completions: requests with their histories, answers, and lists of messages.
//!
//! Many other programs keep their messages in this form, so it is what a list of messages with roles is taken for where
//! nothing speaks for another one.

use std::borrow::Cow;

use unstuck::Status;
use unstuck_json::{JsonKind, JsonRef};

use super::contract::{FormatSpec, Reading};
use super::{anthropic_messages, cline, mini_swe_agent, openhands_llm, swe_agent};
use crate::{
    api::{Api, Bodies, sample},
    elements::Raw,
    head::Head,
    look::{at, count, present, text, tokens_with_cache, words},
    message::{Message, arguments, name, object_of},
    readable::readable,
    said::result,
    time::time,
    track::Used,
    transcript::Origin,
    values::{Either, beginning},
};

pub(super) static OPENAI_CHAT: FormatSpec = FormatSpec {
    name: "openai-chat",
    title: "OpenAI Chat",
    agent: "openai-chat",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &["messages"],
    directory: &[],
    locations: &[],
};

/// The Chat Completions API.
pub(crate) struct Chat;

pub(crate) type Reader = Either<Bodies<Chat>>;

fn reader(origin: &Origin) -> Reader {
    Either::new(Bodies::new(origin))
}

const ROLES: [&str; 7] = [
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
    // Where an agent of a harness ends its run.
    "exit",
];

impl Api for Chat {
    const HISTORY: &'static str = "messages";

    fn is_answer(body: Raw<'_>) -> bool {
        body.get("choices").is_some_and(Raw::is_array)
    }

    fn is_element(element: Raw<'_>) -> bool {
        let role = element.get("role").and_then(Raw::string);
        role.is_some_and(|role| ROLES.contains(&&*role))
    }

    fn element(element: JsonRef<'_>, number: u64, messages: &mut Vec<Message>) {
        messages.push(message(element, number));
    }

    fn answer(body: JsonRef<'_>) -> Option<Message> {
        let choice = body.get("choices")?.elements().next();
        let mut answer = match choice.and_then(|choice| choice.get("message")) {
            Some(told) => message(told, 0),
            None => Message::of_model(),
        };
        answer.at = body.get("created").and_then(time);
        answer.used = used(body);
        Some(answer)
    }

    fn session(body: Raw<'_>) -> Option<Cow<'_, str>> {
        let named = ["session_id", "conversation_id", "thread_id"];
        let metadata = body.get("metadata");
        let mut places = std::iter::once(body).chain(metadata);
        places.find_map(|place| named.iter().find_map(|name| place.get(name)?.string()))
    }
}

/// One message of a history.
pub(crate) fn message(told: JsonRef<'_>, number: u64) -> Message {
    let mut message = match text(told, "role").as_deref() {
        Some("assistant") => of_model(told),
        Some("user") => {
            let mut message = Message::default();
            for words in spoken(told) {
                message.ask(&words);
            }
            message
        }
        Some("tool" | "function") => {
            let mut message = Message::default();
            let id = name(told.get("tool_call_id"));
            let outcome = result(&id, Status::Ok, present(told, "content"));
            message.answer(outcome, &name(told.get("name")));
            message
        }
        _ => Message::default(),
    };
    message.number = number;
    message.at = ["timestamp", "created_at"]
        .iter()
        .find_map(|name| time(told.get(name)?));
    message
}

fn of_model(told: JsonRef<'_>) -> Message {
    let mut message = Message::of_model();
    for field in ["reasoning_content", "reasoning", "thinking"] {
        if let Some(thought) = text(told, field) {
            message.think(&thought);
            break;
        }
    }
    if let Some(content) = told.get("content") {
        message.say(&words(content));
    }
    if let Some(refusal) = text(told, "refusal") {
        message.say(&refusal);
    }
    let calls = told.get("tool_calls").map(JsonRef::elements);
    for call in calls.into_iter().flatten() {
        let id = name(call.get("id"));
        if let Some(function) = call.get("function") {
            let args = arguments(function.get("arguments"));
            message.call(&id, &name(function.get("name")), args);
        } else if let Some(custom) = call.get("custom") {
            let input = custom.get("input").map(Into::into).unwrap_or_default();
            message.call(&id, &name(custom.get("name")), object_of("input", &input));
        }
    }
    if let Some(function) = present(told, "function_call") {
        let args = arguments(function.get("arguments"));
        message.call("", &name(function.get("name")), args);
    }
    message
}

/// The texts of a person's message; each part is one, because harnesses add theirs as further parts.
fn spoken(told: JsonRef<'_>) -> Vec<Cow<'_, str>> {
    let Some(content) = told.get("content") else {
        return Vec::new();
    };
    match content.kind() {
        JsonKind::String => content.text().into_iter().collect(),
        _ => content
            .elements()
            .filter_map(|part| part.text().or_else(|| text(part, "text")))
            .collect(),
    }
}

/// What an answer used.
pub(crate) fn used(body: JsonRef<'_>) -> Option<Used> {
    let usage = present(body, "usage")?;
    let cached = at(usage, &["prompt_tokens_details"]);
    let cached = cached.map_or(0, |details| count(details, "cached_tokens"));
    Some(Used {
        model: name(body.get("model")),
        tokens: tokens_with_cache(
            count(usage, "prompt_tokens"),
            count(usage, "completion_tokens"),
            cached,
            0,
        ),
        cost_micros: crate::look::micros(usage.get("cost").and_then(JsonRef::number)),
    })
}

/// Whether these are messages with roles that no other format claims.
fn recognises(head: &Head<'_>) -> bool {
    let text = readable(head.bytes);
    let text = beginning(&text);
    let Some(sample) = sample::<Chat>(text) else {
        return false;
    };
    // Other formats have `messages` too, of other shapes.
    let has_messages = !sample.elements.is_empty() || sample.body.is_some_and(Chat::is_answer);
    has_messages
        && !anthropic_messages::recognises(head)
        && !mini_swe_agent::recognises(head)
        && !swe_agent::recognises(head)
        && !openhands_llm::recognises(head)
        && !cline::recognises(head)
}

#[cfg(test)]
#[path = "openai_chat_tests.rs"]
mod tests;
