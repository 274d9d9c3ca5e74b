//! LangChain's messages: as `messages_to_dict` and `dumpd` write them, and as plain fields.

use std::borrow::Cow;

use unstuck::Status;
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Reading};
use crate::{
    api::{Api, Bodies, Sample, sample},
    elements::Raw,
    head::Head,
    look::{count, present, says, text, tokens_with_cache, words},
    message::{Message, arguments, name},
    readable::readable,
    said::result,
    track::Used,
    transcript::Origin,
    values::{Either, beginning},
};

pub(super) static LANGCHAIN: FormatSpec = FormatSpec {
    name: "langchain",
    title: "LangChain",
    agent: "langchain",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &["messages"],
    directory: &[],
    locations: &[],
};

/// Lists of messages, alone or under `messages`.
pub(crate) struct LangChain;

pub(crate) type Reader = Either<Bodies<LangChain>>;

fn reader(origin: &Origin) -> Reader {
    Either::new(Bodies::new(origin))
}

impl Api for LangChain {
    const HISTORY: &'static str = "messages";

    fn is_answer(_: Raw<'_>) -> bool {
        false
    }

    fn is_element(element: Raw<'_>) -> bool {
        if element.get("lc").is_some() {
            let class = element.get("id").and_then(|id| id.elements().last());
            let class = class.and_then(Raw::string);
            return class.is_some_and(|class| speaker(&class).is_some());
        }
        let kind = element.get("type").and_then(Raw::string);
        let content = |value: Raw<'_>| value.get("content").is_some();
        kind.is_some_and(|kind| speaker(&kind).is_some())
            && element.get("role").is_none()
            && (content(element) || element.get("data").is_some_and(content))
    }

    fn element(element: JsonRef<'_>, number: u64, messages: &mut Vec<Message>) {
        let class = element.get("id").and_then(|id| id.elements().last());
        let class = class.and_then(JsonRef::text);
        let kind = match class.filter(|_| element.get("lc").is_some()) {
            Some(class) => Some(class),
            None => text(element, "type"),
        };
        let fields = ["kwargs", "data"];
        let fields = fields.iter().find_map(|name| present(element, name));
        let mut message = match kind.as_deref().and_then(speaker) {
            Some(speaker) => message(speaker, fields.unwrap_or(element)),
            None => Message::default(),
        };
        message.number = number;
        messages.push(message);
    }

    fn answer(_: JsonRef<'_>) -> Option<Message> {
        None
    }

    fn session(body: Raw<'_>) -> Option<Cow<'_, str>> {
        let places = ["metadata", "configurable", "config"];
        let mut places = places.iter().filter_map(|place| body.get(place));
        let named = ["thread_id", "session_id", "conversation_id"];
        places.find_map(|place| named.iter().find_map(|name| place.get(name)?.string()))
    }
}

/// Who speaks in a message.
#[derive(Clone, Copy)]
enum Speaks {
    Person,
    Model,
    Tool,
    /// A system prompt, or an order to forget a message.
    Nobody,
    /// Its `role` says it.
    Role,
}

/// By the name of a class or of a type.
fn speaker(name: &str) -> Option<Speaks> {
    let name = name.strip_suffix("Chunk").unwrap_or(name);
    Some(match name {
        "human" | "HumanMessage" => Speaks::Person,
        "ai" | "AIMessage" => Speaks::Model,
        "tool" | "function" | "ToolMessage" | "FunctionMessage" => Speaks::Tool,
        "system" | "SystemMessage" | "remove" | "RemoveMessage" => Speaks::Nobody,
        "chat" | "ChatMessage" => Speaks::Role,
        _ => return None,
    })
}

fn message(speaks: Speaks, told: JsonRef<'_>) -> Message {
    let speaks = match (speaks, text(told, "role").as_deref()) {
        (Speaks::Role, Some("user" | "human")) => Speaks::Person,
        (Speaks::Role, Some("assistant" | "ai")) => Speaks::Model,
        (Speaks::Role, _) => Speaks::Nobody,
        (speaks, _) => speaks,
    };
    let mut message = Message::default();
    match speaks {
        Speaks::Model => return of_model(told),
        Speaks::Person => {
            if let Some(content) = told.get("content") {
                message.ask(&words(content));
            }
        }
        Speaks::Tool => {
            let status = if says(told, "status", "error") {
                Status::Error
            } else {
                Status::Ok
            };
            let id = name(told.get("tool_call_id"));
            let outcome = result(&id, status, present(told, "content"));
            message.answer(outcome, &name(told.get("name")));
        }
        Speaks::Nobody | Speaks::Role => {}
    }
    message
}

fn of_model(told: JsonRef<'_>) -> Message {
    let mut message = Message::of_model();
    let extra = told.get("additional_kwargs");
    if let Some(thought) = extra.and_then(|extra| text(extra, "reasoning_content")) {
        message.think(&thought);
    }
    if let Some(content) = told.get("content") {
        for block in content.elements() {
            for member in ["thinking", "reasoning"] {
                message.think(&text(block, member).unwrap_or_default());
            }
        }
        message.say(&words(content));
    }
    let mut calls = 0;
    for list in ["tool_calls", "invalid_tool_calls"] {
        for call in told.get(list).into_iter().flat_map(JsonRef::elements) {
            calls += 1;
            let args = arguments(call.get("args"));
            message.call(&name(call.get("id")), &name(call.get("name")), args);
        }
    }
    // Before there were calls of its own, LangChain kept what the provider sent.
    if calls == 0 {
        let sent = extra.and_then(|extra| present(extra, "tool_calls"));
        for call in sent.into_iter().flat_map(JsonRef::elements) {
            if let Some(function) = call.get("function") {
                let args = arguments(function.get("arguments"));
                message.call(&name(call.get("id")), &name(function.get("name")), args);
            }
        }
        if let Some(function) = extra.and_then(|extra| present(extra, "function_call")) {
            let args = arguments(function.get("arguments"));
            message.call("", &name(function.get("name")), args);
        }
    }
    message.used = used(told);
    message
}

fn used(told: JsonRef<'_>) -> Option<Used> {
    let usage = present(told, "usage_metadata")?;
    let details = usage.get("input_token_details");
    let cached = |name: &str| details.map_or(0, |details| count(details, name));
    let metadata = told.get("response_metadata");
    let model = metadata.and_then(|metadata| {
        let names = ["model_name", "model", "model_id"];
        names.iter().find_map(|name| present(metadata, name))
    });
    Some(Used {
        model: name(model),
        tokens: tokens_with_cache(
            count(usage, "input_tokens"),
            count(usage, "output_tokens"),
            cached("cache_read"),
            cached("cache_creation"),
        ),
        cost_micros: None,
    })
}

/// Are these LangChain's messages?
fn recognises(head: &Head<'_>) -> bool {
    let text = readable(head.bytes);
    let text = beginning(&text);
    sample::<LangChain>(text).is_some_and(|Sample { elements, .. }| !elements.is_empty())
}
