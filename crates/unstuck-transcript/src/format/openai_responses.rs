//! OpenAI's Responses API: requests with their items, answers, and lists of items.

use std::borrow::Cow;

use unstuck::{Json, Outcome, Status};
use unstuck_json::{JsonKind, JsonRef};

use super::contract::{FormatSpec, Reading};
use crate::{
    api::{Api, Bodies, Sample, sample},
    elements::Raw,
    head::Head,
    look::{at, count, present, says, text, tokens_with_cache, words},
    message::{Message, Speaker, arguments, name, object_of},
    readable::readable,
    said::{result, result_of},
    time::time,
    track::Used,
    transcript::Origin,
    values::{Either, beginning},
};

pub(super) static OPENAI_RESPONSES: FormatSpec = FormatSpec {
    name: "openai-responses",
    title: "OpenAI Responses",
    agent: "openai-responses",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

/// The Responses API.
pub(crate) struct Responses;

pub(crate) type Reader = Either<Bodies<Responses>>;

fn reader(origin: &Origin) -> Reader {
    Either::new(Bodies::new(origin))
}

impl Api for Responses {
    const HISTORY: &'static str = "input";

    fn is_answer(body: Raw<'_>) -> bool {
        let object = body.get("object").and_then(Raw::string);
        object.is_some_and(|object| object == "response")
    }

    fn is_element(element: Raw<'_>) -> bool {
        match element.get("type").and_then(Raw::string) {
            Some(kind) => is_item(&kind),
            // Short form of a message.
            None => element.get("role").is_some() && element.get("content").is_some(),
        }
    }

    fn element(element: JsonRef<'_>, number: u64, messages: &mut Vec<Message>) {
        item(element, number, messages);
    }

    fn answer(body: JsonRef<'_>) -> Option<Message> {
        let mut messages = vec![Message::of_model()];
        for told in body.get("output")?.elements() {
            item(told, 0, &mut messages);
        }
        let mut answer = Message::of_model();
        answer.parts = messages.into_iter().flat_map(|one| one.parts).collect();
        answer.at = body.get("created_at").and_then(time);
        answer.used = used(body);
        Some(answer)
    }

    fn session(body: Raw<'_>) -> Option<Cow<'_, str>> {
        let conversation = body.get("conversation");
        let named =
            conversation.and_then(|named| named.string().or_else(|| named.get("id")?.string()));
        named.or_else(|| body.get("prompt_cache_key")?.string())
    }
}

/// One item. What the model sends goes on with its message until something comes back.
pub(super) fn item(told: JsonRef<'_>, number: u64, messages: &mut Vec<Message>) {
    let kind = text(told, "type").unwrap_or(Cow::Borrowed("message"));
    let role = text(told, "role");
    match (&*kind, role.as_deref()) {
        ("message", Some("user")) => {
            let mut message = Message {
                number,
                ..Message::default()
            };
            match told.get("content") {
                Some(content) if content.kind() == JsonKind::Array => {
                    let texts = content.elements().filter_map(|part| text(part, "text"));
                    texts.for_each(|words| message.ask(&words));
                }
                Some(content) => message.ask(&content.text().unwrap_or_default()),
                None => {}
            }
            if !message.is_empty() {
                messages.push(message);
            }
        }
        ("message", Some("assistant")) => {
            let content = told.get("content").map(words);
            of_model(messages, number).say(&content.unwrap_or_default());
        }
        ("message", _) => {}
        ("reasoning", _) => {
            let message = of_model(messages, number);
            for member in ["summary", "content"] {
                if let Some(thought) = told.get(member) {
                    message.think(&words(thought));
                }
            }
        }
        (kind, _) => match kind.strip_suffix("_output") {
            Some(_) => {
                let mut message = Message {
                    number,
                    ..Message::default()
                };
                message.answer(returned(told), "");
                messages.push(message);
            }
            None if kind.ends_with("_call") => call(told, kind, of_model(messages, number)),
            None => {}
        },
    }
}

/// The message of the model that is being told.
fn of_model(messages: &mut Vec<Message>, number: u64) -> &mut Message {
    let goes_on = messages
        .last()
        .is_some_and(|last| last.speaker == Speaker::Model);
    if !goes_on {
        let mut message = Message::of_model();
        message.number = number;
        messages.push(message);
    }
    let last = messages.len() - 1;
    &mut messages[last]
}

fn call(told: JsonRef<'_>, kind: &str, message: &mut Message) {
    let id = name(told.get("call_id").or_else(|| told.get("id")));
    let named = name(told.get("name"));
    match kind {
        "function_call" => {
            let tool = match text(told, "namespace") {
                Some(space) if !space.is_empty() => format!("{space}__{named}").into(),
                _ => named,
            };
            message.call(&id, &tool, arguments(told.get("arguments")));
        }
        "custom_tool_call" => {
            let input = told.get("input").map(Json::from).unwrap_or_default();
            message.call(&id, &named, object_of("input", &input));
        }
        // Tools that the provider runs have their answer with them.
        "mcp_call" => {
            let tool = match text(told, "server_label") {
                Some(server) => format!("mcp__{server}__{named}").into(),
                None => named,
            };
            message.call(&id, &tool, arguments(told.get("arguments")));
            let outcome = match present(told, "error") {
                Some(error) => result(&id, Status::Error, Some(error)),
                None => result(&id, Status::Ok, present(told, "output")),
            };
            message.answer(outcome, "");
        }
        "local_shell_call" | "shell_call" => {
            let action = told.get("action").map(Json::from).unwrap_or_default();
            message.call(&id, "local_shell", action);
        }
        kind => {
            let tool = kind.strip_suffix("_call").unwrap_or(kind);
            let args = ["action", "operation", "arguments", "queries", "code"];
            let args = args.iter().find_map(|member| present(told, member));
            message.call(&id, tool, arguments(args));
            if !matches!(kind, "computer_call" | "apply_patch_call") {
                let status = status(told);
                let output = ["results", "outputs", "result"];
                let output = output.iter().find_map(|member| present(told, member));
                message.answer(result(&id, status, output), "");
            }
        }
    }
}

fn returned(told: JsonRef<'_>) -> Outcome {
    let id = name(told.get("call_id").or_else(|| told.get("id")));
    let output = present(told, "output");
    // A shell's output is a list of what each command printed, and how it ended.
    let shell = output
        .filter(|output| output.elements().any(|part| part.get("stdout").is_some()))
        .and_then(|output| output.elements().last());
    let Some(last) = shell else {
        return result(&id, status(told), output);
    };
    let mut outcome = result_of(&id, status(told), output.map(Json::from));
    outcome.exit_code = at(last, &["outcome", "exit_code"]).and_then(JsonRef::integer);
    outcome
}

fn status(told: JsonRef<'_>) -> Status {
    if says(told, "status", "failed") || says(told, "status", "incomplete") {
        Status::Error
    } else {
        Status::Ok
    }
}

/// What an answer used.
fn used(body: JsonRef<'_>) -> Option<Used> {
    let usage = present(body, "usage")?;
    let details = usage.get("input_tokens_details");
    Some(Used {
        model: name(body.get("model")),
        tokens: tokens_with_cache(
            count(usage, "input_tokens"),
            count(usage, "output_tokens"),
            details.map_or(0, |details| count(details, "cached_tokens")),
            0,
        ),
        cost_micros: None,
    })
}

fn is_item(kind: &str) -> bool {
    matches!(
        kind,
        "message" | "reasoning" | "compaction" | "item_reference"
    ) || kind.ends_with("_call")
        || kind.ends_with("_call_output")
        || kind.starts_with("mcp_")
}

/// Are these items?
fn recognises(head: &Head<'_>) -> bool {
    let text = readable(head.bytes);
    let text = beginning(&text);
    let Some(Sample { body, elements }) = sample::<Responses>(text) else {
        return false;
    };
    let typed = |element: &Raw<'_>| element.get("type").is_some();
    match body {
        Some(body) if Responses::is_answer(body) => true,
        // Other things have an `input` too.
        Some(body) => {
            let members = ["model", "instructions", "previous_response_id", "store"];
            let named = members.iter().any(|member| body.get(member).is_some());
            elements.iter().any(typed) || (named && body.get("messages").is_none())
        }
        None => elements.iter().all(typed),
    }
}
