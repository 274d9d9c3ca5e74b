//! OpenInference's spans: tools and requests to models, with their messages as flat attributes.

use unstuck::{Call, Json, Status};
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Reading};
use super::otel_genai::are_spans;
use crate::{
    convention::{self, Convention, Told},
    head::Head,
    look::{micros, tokens_with_cache},
    message::{Message, Part, arguments, name},
    readable::readable,
    said::{result, result_of},
    sink::Sink,
    spans::{Attributes, Record},
    telemetry::{OF_SPAN, Source, What},
    track::Used,
    transcript::Origin,
    values::{Either, beginning},
};

pub(super) static OPENINFERENCE: FormatSpec = FormatSpec {
    name: "openinference",
    title: "OpenInference",
    agent: "openinference",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

pub(crate) type Reader = Either<Told<OpenInference>>;

fn reader(origin: &Origin) -> Reader {
    convention::reader(OpenInference, origin)
}

/// Spans of OpenInference.
pub(crate) struct OpenInference;

impl Convention for OpenInference {
    fn record(told: &mut Told<Self>, record: &Record<'_>, sink: &mut dyn Sink) {
        told.span(record, sink);
    }
}

impl Told<OpenInference> {
    fn span(&mut self, record: &Record<'_>, sink: &mut dyn Sink) {
        let attributes = &record.attributes;
        let source = self.source(record, &["session.id"], &["agent.name"]);
        match &*attributes.named(&["openinference.span.kind"]) {
            "TOOL" => self.tool(record, &source, sink),
            "LLM" => self.request(record, &source, sink),
            _ => {}
        }
    }

    fn tool(&mut self, record: &Record<'_>, source: &Source, sink: &mut dyn Sink) {
        let attributes = &record.attributes;
        let mut id = attributes.named(&["tool.id", "tool_call.id"]);
        if id.is_empty() {
            id = format!("{OF_SPAN}{}", self.records).into();
        }
        let tool = match attributes.named(&["tool.name"]) {
            named if named.is_empty() => record.name.clone(),
            named => named,
        };
        let args = arguments(attributes.any(&["input.value", "tool.parameters"]));
        let output = attributes.get("output.value");
        let outcome = match (&record.error, output) {
            (Some(error), None) => result_of(&id, Status::Error, Some(Json::string(error))),
            (Some(_), output) => result(&id, Status::Error, output),
            (None, output) => result(&id, Status::Ok, output),
        };
        let call = Call::new(id, tool, args);
        self.telemetry
            .hear(source, record.start, What::Called(call), sink);
        self.telemetry
            .hear(source, record.end, What::Returned(outcome), sink);
    }

    fn request(&mut self, record: &Record<'_>, source: &Source, sink: &mut dyn Sink) {
        let attributes = &record.attributes;
        let history = messages(attributes, "llm.input_messages");
        self.telemetry
            .hear(source, record.start, What::History(history), sink);
        let request = format!("{OF_SPAN}{}", self.records);
        self.telemetry
            .hear(source, record.start, What::Request(request.into()), sink);
        let used = Used {
            model: attributes.named(&["llm.model_name"]),
            tokens: tokens_with_cache(
                attributes.count(&["llm.token_count.prompt"]),
                attributes.count(&["llm.token_count.completion"]),
                attributes.count(&["llm.token_count.prompt_details.cache_read"]),
                attributes.count(&["llm.token_count.prompt_details.cache_write"]),
            ),
            cost_micros: micros(attributes.number(&["llm.cost.total"])),
        };
        if used.tokens.total() > 0 {
            self.telemetry
                .hear(source, record.end, What::Used(Box::default(), used), sink);
        }
        for message in messages(attributes, "llm.output_messages") {
            for part in message.parts {
                let what = match part {
                    Part::Said(text) => What::Said(text),
                    Part::Thought(text) => What::Thought(text),
                    Part::Called(call) => What::Called(call),
                    Part::Returned { .. } | Part::Asked(_) => continue,
                };
                self.telemetry.hear(source, record.end, what, sink);
            }
        }
    }
}

/// The messages under `prefix`, which are numbered.
fn messages(attributes: &Attributes<'_>, prefix: &str) -> Vec<Message> {
    let message = |number: usize| {
        let start = format!("{prefix}.{number}.message");
        let member = |name: &str| attributes.get(&format!("{start}.{name}"));
        let role = member("role")?;
        let mut message = Message::default();
        let content = member("content")
            .and_then(JsonRef::text)
            .map(std::borrow::Cow::into_owned);
        let content = content.unwrap_or_else(|| contents(attributes, &start));
        match role.text().as_deref() {
            Some("assistant" | "model") => {
                message = Message::of_model();
                message.say(&content);
                calls(attributes, &start, &mut message);
            }
            Some("user") => message.ask(&content),
            Some("tool") => {
                let id = name(member("tool_call_id"));
                let output = Some(Json::string(&content));
                message.answer(result_of(&id, Status::Ok, output), &name(member("name")));
            }
            _ => {}
        }
        Some(message)
    };
    (0..).map_while(message).collect()
}

/// The texts of a message that has its content in parts.
fn contents(attributes: &Attributes<'_>, start: &str) -> String {
    let text = |number: usize| {
        let name = format!("{start}.contents.{number}.message_content.text");
        attributes
            .get(&name)?
            .text()
            .map(std::borrow::Cow::into_owned)
    };
    (0..).map_while(text).collect::<Vec<_>>().join("\n")
}

fn calls(attributes: &Attributes<'_>, start: &str, message: &mut Message) {
    for number in 0.. {
        let call = format!("{start}.tool_calls.{number}.tool_call");
        let member = |name: &str| attributes.get(&format!("{call}.{name}"));
        let Some(tool) = member("function.name") else {
            return;
        };
        let args = arguments(member("function.arguments"));
        message.call(&name(member("id")), &name(Some(tool)), args);
    }
}

/// Are these spans of OpenInference?
fn recognises(head: &Head<'_>) -> bool {
    let text = readable(head.bytes);
    let text = beginning(&text);
    text.contains("\"openinference.") && are_spans(text)
}
