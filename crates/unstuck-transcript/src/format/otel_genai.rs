//! OpenTelemetry's conventions for generative AI: spans of requests and of tools, and the log records of coding agents.
//! As requests of OTLP in JSON, as the lines of file exporters, or span by span.

use unstuck::{Call, Json, Status, Timestamp};
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Reading};
use crate::{
    convention::{self, Convention, Told},
    elements::Raw,
    head::Head,
    look::{micros, text, tokens_with_cache},
    message::{Message, arguments, name, object_of},
    readable::readable,
    said::{result, result_of},
    sink::{Sink, Tokens},
    spans::{Attributes, Record},
    telemetry::{OF_SPAN, Source, What},
    track::Used,
    transcript::Origin,
    values::{Either, beginning},
};

pub(super) static OTEL_GENAI: FormatSpec = FormatSpec {
    name: "otel-genai",
    title: "OpenTelemetry GenAI",
    agent: "otel-genai",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

pub(crate) type Reader = Either<Told<GenAi>>;

fn reader(origin: &Origin) -> Reader {
    convention::reader(GenAi, origin)
}

/// Spans and logs of generative AI.
pub(crate) struct GenAi;

impl Convention for GenAi {
    fn record(told: &mut Told<Self>, record: &Record<'_>, sink: &mut dyn Sink) {
        told.record(record, sink);
    }
}

impl Told<GenAi> {
    fn record(&mut self, record: &Record<'_>, sink: &mut dyn Sink) {
        let attributes = &record.attributes;
        let session = ["gen_ai.conversation.id", "session.id", "conversation.id"];
        let source = self.source(
            record,
            &session,
            &["gen_ai.agent.id", "gen_ai.agent.name", "agent.id"],
        );
        let operation = attributes.named(&["gen_ai.operation.name"]);
        match &*operation {
            "execute_tool" => self.tool(record, &source, sink),
            "chat" | "generate_content" | "text_completion" => self.request(record, &source, sink),
            "" => self.other(record, &source, sink),
            _ => {}
        }
    }

    /// A tool was run.
    fn tool(&mut self, record: &Record<'_>, source: &Source, sink: &mut dyn Sink) {
        let attributes = &record.attributes;
        let mut id = attributes.named(&["gen_ai.tool.call.id", "tool_use_id"]);
        if id.is_empty() {
            id = format!("{OF_SPAN}{}", self.records).into();
        }
        let tool = attributes.named(&["gen_ai.tool.name", "tool_name"]);
        let args = attributes.any(&["gen_ai.tool.call.arguments", "tool_input"]);
        let args = match (args, attributes.get("full_command")) {
            (None, Some(command)) => object_of("command", &command.into()),
            (args, _) => arguments(args),
        };
        let call = Call::new(id.clone(), tool, args);
        let output = attributes
            .get("gen_ai.tool.call.result")
            .map(|told| decoded(told))
            .or_else(|| output_event(record));
        let mut outcome = match (&record.error, output) {
            (Some(error), None) => result_of(&id, Status::Error, Some(Json::string(error))),
            (Some(_), output) => result_of(&id, Status::Error, output),
            (None, output) => result_of(&id, Status::Ok, output),
        };
        let code = attributes.number(&["process.exit.code", "process.exit_code"]);
        outcome.exit_code = code.map(|code| code as i64).or(outcome.exit_code);
        self.telemetry
            .hear(source, record.start, What::Called(call), sink);
        self.telemetry
            .hear(source, record.end, What::Returned(outcome), sink);
    }

    /// A model was asked.
    fn request(&mut self, record: &Record<'_>, source: &Source, sink: &mut dyn Sink) {
        let attributes = &record.attributes;
        let id = attributes.named(&["request_id", "gen_ai.response.id"]);
        let sent = attributes.get("gen_ai.input.messages").map(decoded);
        let answered = attributes.get("gen_ai.output.messages").map(decoded);
        if let Some(sent) = sent {
            let history = messages(sent.view());
            self.telemetry
                .hear(source, record.start, What::History(history), sink);
        }
        let request = if id.is_empty() {
            format!("{OF_SPAN}{}", self.records).into()
        } else {
            id.clone()
        };
        self.telemetry
            .hear(source, record.start, What::Request(request), sink);
        let used = Used {
            model: attributes.named(&["gen_ai.response.model", "gen_ai.request.model"]),
            tokens: tokens_with_cache(
                attributes.count(&["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"]),
                attributes.count(&[
                    "gen_ai.usage.output_tokens",
                    "gen_ai.usage.completion_tokens",
                ]),
                attributes.count(&["gen_ai.usage.cache_read.input_tokens"]),
                attributes.count(&["gen_ai.usage.cache_creation.input_tokens"]),
            ),
            cost_micros: micros(attributes.number(&["gen_ai.usage.cost"])),
        };
        if used.tokens.total() > 0 {
            self.telemetry
                .hear(source, record.end, What::Used(id, used), sink);
        }
        let answered = answered.map(|answered| messages(answered.view()));
        for message in answered.into_iter().flatten() {
            for part in message.parts {
                use crate::message::Part;
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

    /// A span or record of one of the coding agents.
    fn other(&mut self, record: &Record<'_>, source: &Source, sink: &mut dyn Sink) {
        let attributes = &record.attributes;
        let event = record.name.rsplit('.').next().unwrap_or_default();
        match event {
            "tool_result" | "tool_call" => self.log_of_tool(record, source, sink),
            "tool_decision" => {
                let decision = attributes.named(&["decision"]);
                if matches!(&*decision, "reject" | "denied" | "abort") {
                    let call = logged_call(attributes, self.records);
                    let outcome = result_of(&call.id, Status::Denied, None);
                    self.telemetry
                        .hear(source, record.start, What::Called(call), sink);
                    self.telemetry
                        .hear(source, record.start, What::Returned(outcome), sink);
                }
            }
            "user_prompt" => self.telemetry.hear(source, record.start, What::Asked, sink),
            "api_request" | "api_response" => {
                let id = attributes.named(&["request_id", "response_id"]);
                let request = if id.is_empty() {
                    format!("{OF_SPAN}{}", self.records).into()
                } else {
                    id.clone()
                };
                self.telemetry
                    .hear(source, record.start, What::Request(request), sink);
                let used = logged_usage(attributes);
                if used.tokens.total() > 0 {
                    self.telemetry
                        .hear(source, record.start, What::Used(id, used), sink);
                }
            }
            _ => {
                let id = attributes.named(&["gen_ai.tool.call.id"]);
                if attributes.truth("success") == Some(false) && !id.is_empty() {
                    self.telemetry
                        .hear(source, record.end, What::Failed(id), sink);
                }
            }
        }
    }

    fn log_of_tool(&mut self, record: &Record<'_>, source: &Source, sink: &mut dyn Sink) {
        let attributes = &record.attributes;
        let call = logged_call(attributes, self.records);
        let failed = attributes.truth("success") == Some(false);
        let status = if failed { Status::Error } else { Status::Ok };
        let output = attributes.any(&["output", "tool_output", "result", "error", "error_message"]);
        let outcome = result(&call.id, status, output);
        // The record is written when the tool is done.
        let took = attributes.number(&["duration_ms"]).unwrap_or(0.0);
        let start = record
            .start
            .map(|Timestamp(end)| Timestamp(end - took.clamp(0.0, 1e12) as i64));
        self.telemetry.hear(source, start, What::Called(call), sink);
        self.telemetry
            .hear(source, record.start, What::Returned(outcome), sink);
    }
}

/// The call that a log record describes.
fn logged_call(attributes: &Attributes<'_>, number: u64) -> Call {
    let mut id = attributes.named(&["tool_use_id", "call_id", "tool_call_id"]);
    if id.is_empty() {
        id = format!("{OF_SPAN}{number}").into();
    }
    let tool = attributes.named(&["tool_name", "function_name"]);
    let args = attributes.any(&[
        "tool_input",
        "function_args",
        "arguments",
        "tool_parameters",
    ]);
    Call::new(id, tool, arguments(args))
}

fn logged_usage(attributes: &Attributes<'_>) -> Used {
    // Claude Code counts cached tokens apart, Gemini CLI among the input.
    let tokens = if attributes.get("input_token_count").is_some() {
        tokens_with_cache(
            attributes.count(&["input_token_count"]),
            attributes.count(&["output_token_count"]) + attributes.count(&["thoughts_token_count"]),
            attributes.count(&["cached_content_token_count", "cached_token_count"]),
            0,
        )
    } else {
        Tokens {
            input: attributes.count(&["input_tokens"]),
            output: attributes.count(&["output_tokens"]),
            cache_read: attributes.count(&["cache_read_tokens"]),
            cache_write: attributes.count(&["cache_creation_tokens"]),
        }
    };
    Used {
        model: attributes.named(&["model"]),
        tokens,
        cost_micros: micros(attributes.number(&["cost_usd"])),
    }
}

/// A value that may be written as the text of its JSON.
fn decoded(value: JsonRef<'_>) -> Json {
    match value.text() {
        Some(text) => crate::outcome::from_text(&text),
        None => value.into(),
    }
}

/// The output that Claude Code puts into an event of the span.
fn output_event(record: &Record<'_>) -> Option<Json> {
    let (_, event) = record
        .events
        .iter()
        .find(|(name, _)| &**name == "tool.output")?;
    event.any(&["output", "content", "result"]).map(Into::into)
}

/// Messages as the conventions have them: with a role and typed parts.
fn messages(told: JsonRef<'_>) -> Vec<Message> {
    told.elements().map(message).collect()
}

fn message(told: JsonRef<'_>) -> Message {
    let of_model = text(told, "role").is_some_and(|role| matches!(&*role, "assistant" | "model"));
    let of_person = text(told, "role").is_some_and(|role| role == "user");
    let mut message = if of_model {
        Message::of_model()
    } else {
        Message::default()
    };
    for part in told.get("parts").into_iter().flat_map(JsonRef::elements) {
        let content = text(part, "content").unwrap_or_default();
        match text(part, "type").as_deref() {
            Some("text") if of_model => message.say(&content),
            Some("text") if of_person => message.ask(&content),
            Some("reasoning") => message.think(&content),
            Some("tool_call") => {
                let args = arguments(part.get("arguments"));
                message.call(&name(part.get("id")), &name(part.get("name")), args);
            }
            Some("tool_call_response") => {
                let output = part.get("response").or_else(|| part.get("result"));
                let id = name(part.get("id"));
                message.answer(result(&id, Status::Ok, output), "");
            }
            _ => {}
        }
    }
    message
}

/// Are these spans or logs, with what only generative AI has?
fn recognises(head: &Head<'_>) -> bool {
    const MARKS: [&str; 6] = [
        "\"gen_ai.",
        "\"claude_code.",
        "\"gemini_cli.",
        "\"qwen-code.",
        "\"codex.",
        "\"github.copilot.",
    ];
    let text = readable(head.bytes);
    let text = beginning(&text);
    MARKS.iter().any(|mark| text.contains(mark))
        && are_spans(text)
        && !text.contains("\"openinference.")
}

/// Does the text begin with a span, a log record, or a request of OTLP?
pub(super) fn are_spans(text: &str) -> bool {
    let Some((first, _)) = Raw::first(text) else {
        return false;
    };
    let first = if first.is_array() {
        first.elements().next().unwrap_or(first)
    } else {
        first
    };
    let inner = first
        .get("body")
        .filter(|body| body.is_object())
        .unwrap_or(first);
    let requests = [
        "resourceSpans",
        "resourceLogs",
        "scopeSpans",
        "scopeLogs",
        "spans",
    ];
    requests.iter().any(|member| inner.get(member).is_some())
        || ["attributes", "span_attributes"]
            .iter()
            .filter_map(|member| first.get(member))
            .any(|attributes| attributes.is_object() || attributes.is_array())
}
