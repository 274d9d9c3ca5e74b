//! Inspect's logs: one JSON document, or a ZIP archive (`.eval`) with one document a sample.

mod archive;

use std::{borrow::Cow, collections::HashMap};

use unstuck::{Json, Status, Timestamp};
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Reading};
use crate::{
    conversation::Conversation,
    elements::{End, Raw},
    head::Head,
    look::{count, present, says, text, words},
    message::{Message, arguments, name},
    readable::readable,
    said::{result, result_of},
    sink::{Sink, Tokens},
    time::time,
    track::Used,
    transcript::Origin,
    values::{Place, unfinished},
};

pub(super) static INSPECT: FormatSpec = FormatSpec {
    name: "inspect",
    title: "Inspect",
    agent: "inspect",
    recognises,
    reading: Reading::Document(read),
    endings: &[".eval", ".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

fn read(origin: &Origin, bytes: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
    if archive::is_archive(bytes) {
        return archive::read(bytes, sink, |sample_text, sink| {
            let text = readable(sample_text);
            if let Some((root, _)) = Raw::first(&text) {
                // Lines of an unpacked member are not lines of the file.
                sample(origin, Place::Line(0), root, sink);
                if let Some(problem) = unfinished(root) {
                    sink.incomplete(problem);
                }
            }
        });
    }
    let text = readable(bytes);
    let Some((root, _)) = Raw::first(&text) else {
        return Err("the document is empty".into());
    };
    for element in root.get("samples").into_iter().flat_map(Raw::elements) {
        sample(origin, Place::Document, element, sink);
    }
    if let Some(problem) = unfinished(root) {
        sink.incomplete(problem);
    }
    Ok(())
}

/// One sample, which is a session of its own.
fn sample(origin: &Origin, place: Place, told: Raw<'_>, sink: &mut dyn Sink) {
    let scalar = |member: &str| {
        let json = told.get(member).and_then(|value| value.json().ok());
        name(json.as_ref().map(Json::view))
    };
    let (id, epoch) = (scalar("id"), scalar("epoch"));
    let epoch = if epoch.is_empty() { "1" } else { &*epoch };
    let session = format!("{}/{id}_epoch_{epoch}", origin.session);
    let texts = Attachments::of(told);
    let mut ledger = Ledger::of(told);
    let mut conversation = Conversation::new(session.trim_start_matches('/'), "");
    let mut heard = Heard::Nothing;
    let messages = told.get("messages").into_iter().flat_map(Raw::elements);
    for element in messages {
        let whole = texts.put_into(element.text);
        match Json::lossy(whole.as_bytes()) {
            Ok(json) => {
                let mut message = message(json.view(), &mut heard);
                ledger.fill(json.view(), &mut message);
                conversation.tell(place.line(element), message, sink);
            }
            Err(error) if element.has_end() => {
                place.problem(element, "message", &error, sink);
            }
            Err(_) => {}
        }
    }
    let rest = ledger.requests.into_iter();
    conversation.pay_for_run(rest.map(|request| request.used).collect(), sink);
    conversation.end(sink);
}

/// Whether the task was heard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Nothing,
    Task,
}

fn message(told: JsonRef<'_>, heard: &mut Heard) -> Message {
    let mut message = Message::default();
    let content = told.get("content");
    match text(told, "role").as_deref() {
        Some("assistant") => {
            message = Message::of_model();
            let blocks = content.into_iter().flat_map(JsonRef::elements);
            for thought in blocks.filter_map(|block| text(block, "reasoning")) {
                message.think(&thought);
            }
            message.say(&content.map(words).unwrap_or_default());
            let calls = told
                .get("tool_calls")
                .into_iter()
                .flat_map(JsonRef::elements);
            for call in calls {
                let args = arguments(call.get("arguments"));
                message.call(&name(call.get("id")), &name(call.get("function")), args);
            }
        }
        Some("tool") => {
            let error = present(told, "error");
            let status = match error.and_then(|error| text(error, "type")).as_deref() {
                Some("approval") => Status::Denied,
                Some(_) => Status::Error,
                None => Status::Ok,
            };
            let id = name(told.get("tool_call_id"));
            let said = content.filter(|content| !words(*content).is_empty());
            let outcome = match (said, error) {
                (None, Some(error)) => {
                    let why = text(error, "message").unwrap_or_default();
                    result_of(&id, status, Some(Json::string(&why)))
                }
                _ => result(&id, status, content),
            };
            message.answer(outcome, &name(told.get("function")));
        }
        Some("user") => {
            // Solvers put in words of their own, such as "go on": only what came with the sample, or from an operator, is
            // a person's.
            let of_person = says(told, "source", "input") || says(told, "source", "operator");
            if *heard == Heard::Nothing || of_person {
                message.ask(&content.map(words).unwrap_or_default());
            }
            *heard = Heard::Task;
        }
        _ => {}
    }
    message
}

/// Long texts, which are kept once beside the messages.
struct Attachments<'a> {
    texts: HashMap<Cow<'a, str>, Raw<'a>>,
}

impl<'a> Attachments<'a> {
    fn of(sample: Raw<'a>) -> Self {
        let old = sample.get("transcript").and_then(|old| old.get("content"));
        let texts = sample.get("attachments").into_iter().chain(old);
        Self {
            texts: texts.flat_map(Raw::members).collect(),
        }
    }

    /// A message's JSON with the texts in the places that refer to them.
    fn put_into<'t>(&self, message: &'t str) -> Cow<'t, str> {
        let mut whole = String::new();
        let mut told = 0;
        for reference in ["\"attachment://", "\"tc://"] {
            // A message has references of one age.
            for (at, _) in message.match_indices(reference) {
                let key_at = at + reference.len();
                let Some(length) = message[key_at..].find('"') else {
                    break;
                };
                let end = key_at + length;
                let text = self.texts.get(&message[key_at..end]);
                if let Some(text) = text.filter(|text| text.end == End::Whole && at >= told) {
                    whole.push_str(&message[told..at]);
                    whole.push_str(text.text);
                    told = end + 1;
                }
            }
        }
        if told == 0 {
            return Cow::Borrowed(message);
        }
        whole.push_str(&message[told..]);
        Cow::Owned(whole)
    }
}

/// What the events of a sample tell about its messages: times, and what requests used.
struct Ledger {
    requests: Vec<Request>,
    returned: HashMap<Box<str>, Timestamp>,
}

struct Request {
    /// The message that came of it, where it has an id.
    message: Box<str>,
    at: Option<Timestamp>,
    used: Used,
}

impl Ledger {
    fn of(sample: Raw<'_>) -> Self {
        let mut ledger = Self {
            requests: Vec::new(),
            returned: HashMap::new(),
        };
        let old = sample.get("transcript").and_then(|old| old.get("events"));
        let events = sample.get("events").into_iter().chain(old);
        for event in events.flat_map(Raw::elements) {
            ledger.event(event);
        }
        if ledger.requests.is_empty() {
            ledger.totals(sample);
        }
        ledger
    }

    fn event(&mut self, event: Raw<'_>) {
        let kind = event.get("event").and_then(Raw::string);
        let json_of = |member: &str| event.get(member)?.json().ok();
        let at = || {
            let moment = json_of("completed").filter(|json| json.as_str() != "null");
            time(moment.or_else(|| json_of("timestamp"))?.view())
        };
        match kind.as_deref() {
            Some("model") => {
                // The rest of the event is the whole prompt.
                let Some(output) = json_of("output") else {
                    return;
                };
                let output = output.view();
                let choice = output
                    .get("choices")
                    .and_then(|choices| choices.elements().next());
                let message = choice.and_then(|choice| choice.get("message")?.get("id"));
                if let Some(usage) = present(output, "usage") {
                    let asked = event.get("model").and_then(Raw::string);
                    let model =
                        asked.map_or_else(|| name(output.get("model")), |model| (*model).into());
                    self.requests.push(Request {
                        message: name(message),
                        at: at(),
                        used: used(model, usage),
                    });
                }
            }
            Some("tool") => {
                let id = event.get("id").and_then(Raw::string);
                if let (Some(id), Some(at)) = (id, at()) {
                    self.returned.insert((*id).into(), at);
                }
            }
            _ => {}
        }
    }

    /// Logs without events have only what each model used in all.
    fn totals(&mut self, sample: Raw<'_>) {
        let models = sample.get("model_usage").into_iter().flat_map(Raw::members);
        for (model, usage) in models {
            if let Ok(usage) = usage.json() {
                self.requests.push(Request {
                    message: "no message".into(),
                    at: None,
                    used: used((*model).into(), usage.view()),
                });
            }
        }
    }

    fn fill(&mut self, told: JsonRef<'_>, message: &mut Message) {
        match text(told, "role").as_deref() {
            Some("assistant") => {
                let id = name(told.get("id"));
                let place = self
                    .requests
                    .iter()
                    .position(|request| request.message.is_empty() || request.message == id);
                if let Some(place) = place {
                    let request = self.requests.remove(place);
                    message.at = request.at;
                    message.used = Some(request.used);
                }
            }
            Some("tool") => {
                let id = name(told.get("tool_call_id"));
                message.at = self.returned.get(&id).copied();
            }
            _ => {}
        }
    }
}

fn used(model: Box<str>, usage: JsonRef<'_>) -> Used {
    let input = count(usage, "input_tokens");
    let output = count(usage, "output_tokens");
    let read = count(usage, "input_tokens_cache_read");
    let write = count(usage, "input_tokens_cache_write");
    // Whether cached tokens are in the input depends on the provider; the sum tells.
    let inside = count(usage, "total_tokens") < input + output + read + write;
    let input = if inside {
        input.saturating_sub(read).saturating_sub(write)
    } else {
        input
    };
    let cost = usage.get("total_cost").and_then(JsonRef::number);
    Used {
        model,
        tokens: Tokens {
            input,
            output,
            cache_read: read,
            cache_write: write,
        },
        cost_micros: crate::look::micros(cost),
    }
}

/// Is this a log, or an archive of one?
fn recognises(head: &Head<'_>) -> bool {
    archive::recognises(head.bytes)
        || (head.first.has("eval.task") && (head.first.has("status") || head.first.has("version")))
}

#[cfg(test)]
#[path = "inspect_tests.rs"]
mod tests;
