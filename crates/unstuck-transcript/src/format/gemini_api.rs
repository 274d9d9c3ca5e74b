//! Gemini's `generateContent`: requests with their contents, and answers.

use std::borrow::Cow;

use unstuck::{Json, Status};
use unstuck_json::{JsonKind, JsonRef};

use super::contract::{FormatSpec, Reading};
use crate::{
    api::{Api, Bodies, Sample, sample},
    elements::Raw,
    head::Head,
    look::{count, is_true, present, says, text, tokens_with_cache},
    message::{Message, arguments, name, object_of},
    readable::readable,
    said::result,
    track::Used,
    transcript::Origin,
    values::{Either, beginning},
};

pub(super) static GEMINI_API: FormatSpec = FormatSpec {
    name: "gemini-api",
    title: "Gemini API",
    agent: "gemini-api",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

/// The `generateContent` API.
pub(crate) struct Contents;

pub(crate) type Reader = Either<Bodies<Contents>>;

fn reader(origin: &Origin) -> Reader {
    Either::new(Bodies::new(origin))
}

impl Api for Contents {
    const HISTORY: &'static str = "contents";

    fn is_answer(body: Raw<'_>) -> bool {
        body.get("candidates").is_some_and(Raw::is_array)
    }

    fn is_element(element: Raw<'_>) -> bool {
        element.get("parts").is_some_and(Raw::is_array)
            && element
                .members()
                .all(|(name, _)| matches!(&*name, "parts" | "role"))
    }

    fn element(element: JsonRef<'_>, number: u64, messages: &mut Vec<Message>) {
        let mut message = content(element);
        message.number = number;
        messages.push(message);
    }

    fn answer(body: JsonRef<'_>) -> Option<Message> {
        let candidate = body.get("candidates")?.elements().next();
        let told = candidate.and_then(|candidate| candidate.get("content"));
        let mut answer = told.map_or_else(Message::of_model, content);
        answer.used = used(body);
        Some(answer)
    }

    fn session(body: Raw<'_>) -> Option<Cow<'_, str>> {
        body.get("session_id")?.string()
    }
}

/// A member in either of the spellings that the client libraries use.
fn either<'a>(value: JsonRef<'a>, camel: &str, snake: &str) -> Option<JsonRef<'a>> {
    present(value, camel).or_else(|| present(value, snake))
}

fn content(told: JsonRef<'_>) -> Message {
    let of_model = says(told, "role", "model");
    let mut message = if of_model {
        Message::of_model()
    } else {
        Message::default()
    };
    for part in told.get("parts").into_iter().flat_map(JsonRef::elements) {
        if let Some(call) = either(part, "functionCall", "function_call") {
            let args = arguments(call.get("args"));
            message.call(&name(call.get("id")), &name(call.get("name")), args);
        } else if let Some(told) = either(part, "functionResponse", "function_response") {
            let (status, output) = response(told);
            let id = name(told.get("id"));
            message.answer(result(&id, status, output), &name(told.get("name")));
        } else if let Some(code) = either(part, "executableCode", "executable_code") {
            let args = object_of(
                "code",
                &Json::string(&text(code, "code").unwrap_or_default()),
            );
            message.call("", "code_execution", args);
        } else if let Some(told) = either(part, "codeExecutionResult", "code_execution_result") {
            let status = if says(told, "outcome", "OUTCOME_OK") {
                Status::Ok
            } else {
                Status::Error
            };
            message.answer(result("", status, told.get("output")), "code_execution");
        } else if let Some(words) = text(part, "text") {
            match (of_model, is_true(part, "thought")) {
                (true, true) => message.think(&words),
                (true, false) => message.say(&words),
                (false, _) => message.ask(&words),
            }
        }
    }
    message
}

/// What a function's response says: an error, an output, or whatever it is.
fn response(told: JsonRef<'_>) -> (Status, Option<JsonRef<'_>>) {
    let Some(response) = present(told, "response") else {
        return (Status::Ok, None);
    };
    if response.kind() != JsonKind::Object {
        return (Status::Ok, Some(response));
    }
    match (present(response, "error"), response.get("output")) {
        (Some(error), None) => (Status::Error, Some(error)),
        (None, Some(output)) if response.members().count() == 1 => (Status::Ok, Some(output)),
        (Some(_), Some(_)) => (Status::Error, Some(response)),
        (None, _) => (Status::Ok, Some(response)),
    }
}

/// What an answer used.
fn used(body: JsonRef<'_>) -> Option<Used> {
    let usage = either(body, "usageMetadata", "usage_metadata")?;
    let number = |camel: &str, snake: &str| count(usage, camel).max(count(usage, snake));
    Some(Used {
        model: name(either(body, "modelVersion", "model_version")),
        tokens: tokens_with_cache(
            number("promptTokenCount", "prompt_token_count"),
            number("candidatesTokenCount", "candidates_token_count")
                + number("thoughtsTokenCount", "thoughts_token_count"),
            number("cachedContentTokenCount", "cached_content_token_count"),
            0,
        ),
        cost_micros: None,
    })
}

/// Are these contents with parts?
fn recognises(head: &Head<'_>) -> bool {
    let text = readable(head.bytes);
    let text = beginning(&text);
    let Some(Sample { body, elements }) = sample::<Contents>(text) else {
        return false;
    };
    !elements.is_empty() || body.is_some_and(Contents::is_answer)
}
