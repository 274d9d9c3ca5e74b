//! Gemini CLI: the files of its chats.
//!
//! A message is written again as it grows, with the same id, and the last one is right: a message is held until
//! another follows it. Results stand in the message of their calls; the message that hands them to the model repeats
//! them. Older versions wrote one JSON document with all messages.

use unstuck::{Call, Json, Outcome, Role, Status};
use unstuck_json::{JsonKind, JsonRef};

use super::contract::{FormatSpec, Location, Reading, Root};
use crate::{
    head::Head,
    look, outcome,
    seen::Seen,
    sink::Sink,
    time,
    track::{Moment, Track, Used},
    transcript::{Lines, Origin},
    values::lines_of,
};

pub(super) static GEMINI_CLI: FormatSpec = FormatSpec {
    name: "gemini-cli",
    title: "Gemini CLI",
    agent: "gemini-cli",
    recognises,
    reading: Reading::Lines(|origin| Box::new(Reader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &[],
    directory: &[],
    locations: &[Location {
        root: Root::Home(".gemini", None),
        under: "tmp",
        title: None,
    }],
};

pub(super) static GEMINI_CLI_DOCUMENT: FormatSpec = FormatSpec {
    name: "gemini-cli-document",
    title: "Gemini CLI",
    agent: "gemini-cli",
    recognises: recognises_document,
    reading: Reading::Document(document),
    endings: &[".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

/// Texts in the place of a prompt that no person wrote.
const HARNESS: [&str; 8] = [
    "<session_context",
    "<state_snapshot",
    "<hook_context",
    "<system",
    "System: ",
    "This is the Gemini CLI. We are setting up the context",
    "Please continue.",
    "Got it. Thanks for the additional context!",
];

/// How results of calls begin that a person, a rule or a hook refused.
const DENIED: [&str; 4] = [
    "Tool execution blocked",
    "Tool execution denied",
    "User denied",
    "User did not allow",
];

pub(crate) struct Reader {
    chat: Chat,
    /// The message that may still grow.
    held: Option<(u64, Json)>,
}

/// The messages of a chat, as they are reported.
struct Chat {
    track: Track,
    /// Messages and calls that were reported.
    told: Seen,
    answered: Seen,
}

impl Reader {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            chat: Chat::new(origin),
            held: None,
        }
    }

    fn release(&mut self, sink: &mut dyn Sink) {
        if let Some((line, message)) = self.held.take() {
            self.chat.message(line, message.view(), sink);
        }
    }
}

impl Lines for Reader {
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let json = Json::lossy(line).map_err(|error| error.to_string())?;
        let line = json.view();
        if line.kind() != JsonKind::Object {
            return Err("expected an object".into());
        }
        if let Some(changes) = line.get("$set") {
            if let Some(messages) = look::present(changes, "messages") {
                self.release(sink);
                self.chat.replace(number, messages, sink);
            }
        } else if line.get("$rewindTo").is_some() {
            self.release(sink);
            // Only a person goes back.
            self.chat.track.user(
                Moment {
                    line: number,
                    at: None,
                },
                sink,
            );
        } else if let Some(id) = look::text(line, "id") {
            let held = self
                .held
                .as_ref()
                .and_then(|(_, held)| look::text(held.view(), "id"));
            if held.is_some_and(|held| held != id) {
                self.release(sink);
            }
            self.held = Some((number, json));
        } else {
            self.chat.header(line);
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.release(sink);
        self.chat.track.close(sink);
    }
}

/// Reads a chat that is one document.
fn document(origin: &Origin, bytes: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
    let json = Json::lossy(bytes).map_err(|error| error.to_string())?;
    let mut chat = Chat::new(origin);
    chat.header(json.view());
    let messages = json
        .view()
        .get("messages")
        .ok_or("the chat has no messages")?;
    for (message, line) in messages.elements().zip(lines_of("messages", bytes)) {
        chat.message(line, message, sink);
    }
    chat.track.close(sink);
    Ok(())
}

impl Chat {
    fn new(origin: &Origin) -> Self {
        Self {
            track: Track::new(origin.session.clone(), "main"),
            told: Seen::default(),
            answered: Seen::default(),
        }
    }

    fn header(&mut self, header: JsonRef<'_>) {
        if let Some(session) = look::text(header, "sessionId") {
            self.track.session = session.into();
        }
        if let Some(kind) = look::text(header, "kind") {
            self.track.agent = kind.into();
        }
    }

    /// The history was rewritten: at the start to begin it, later to shorten it.
    fn replace(&mut self, line: u64, messages: JsonRef<'_>, sink: &mut dyn Sink) {
        let is_known =
            |message: JsonRef<'_>| look::text(message, "id").is_some_and(|id| self.told.has(&id));
        if !self.told.is_empty() && !messages.elements().any(is_known) {
            self.track.compaction(Moment { line, at: None }, sink);
        }
        for message in messages.elements() {
            self.message(line, message, sink);
        }
    }

    fn message(&mut self, line: u64, message: JsonRef<'_>, sink: &mut dyn Sink) {
        let id = look::text(message, "id").unwrap_or_default();
        let is_new = self.told.add(&id) || id.is_empty();
        let moment = Moment {
            line,
            at: message.get("timestamp").and_then(time::time),
        };
        match look::text(message, "type").as_deref() {
            Some("user") if is_new && is_person(message) => {
                let words = message.get("content").map(look::words);
                self.track.asked(moment, &words.unwrap_or_default(), sink);
            }
            Some("gemini") => {
                if is_new {
                    self.track.message(&id, sink);
                    self.words(moment, message, sink);
                }
                // The model made all of them before it saw a result.
                for call in calls(message) {
                    self.call(moment, call, sink);
                }
                for call in calls(message) {
                    self.result(moment, call, sink);
                }
            }
            _ => {}
        }
    }

    fn words(&mut self, moment: Moment, message: JsonRef<'_>, sink: &mut dyn Sink) {
        if let Some(used) = used(message) {
            self.track.used(moment, used);
        }
        let thoughts = message.get("thoughts");
        for thought in thoughts.into_iter().flat_map(JsonRef::elements) {
            let subject = look::text(thought, "subject").unwrap_or_default();
            let description = look::text(thought, "description").unwrap_or_default();
            let words = format!("{subject}\n{description}");
            self.track.say(moment, Role::Thinking, words.trim(), sink);
        }
        if let Some(content) = message.get("content") {
            self.track
                .say(moment, Role::Assistant, &look::words(content), sink);
        }
    }

    fn call(&mut self, moment: Moment, call: JsonRef<'_>, sink: &mut dyn Sink) {
        if let Some(id) = look::text(call, "id")
            && self.told.add(&id)
        {
            let name = look::text(call, "name").unwrap_or_default();
            let args = call.get("args").map_or_else(Json::empty_object, Json::from);
            self.track.call(moment, Call::new(id, name, args), sink);
        }
    }

    fn result(&mut self, moment: Moment, call: JsonRef<'_>, sink: &mut dyn Sink) {
        let is_over = matches!(
            look::text(call, "status").as_deref(),
            Some("success" | "error" | "cancelled")
        );
        if let Some(id) = look::text(call, "id")
            && is_over
            && self.answered.add(&id)
        {
            let ended = Moment {
                at: call.get("timestamp").and_then(time::time).or(moment.at),
                ..moment
            };
            self.track.result(ended, result(&id, call), sink);
        }
    }
}

fn calls(message: JsonRef<'_>) -> impl Iterator<Item = JsonRef<'_>> {
    let calls = message.get("toolCalls");
    calls.into_iter().flat_map(JsonRef::elements)
}

fn result(id: &str, call: JsonRef<'_>) -> Outcome {
    let response = call
        .get("result")
        .into_iter()
        .flat_map(JsonRef::elements)
        .find_map(|part| look::at(part, &["functionResponse", "response"]));
    let said = response.map(|response| {
        let inner = response.get("output").or_else(|| response.get("error"));
        inner.unwrap_or(response)
    });
    let text = said.and_then(JsonRef::text).unwrap_or_default();
    let status = match look::text(call, "status").as_deref() {
        Some("cancelled") => Status::Cancelled,
        Some("error") if DENIED.iter().any(|start| text.starts_with(start)) => Status::Denied,
        Some("error") => Status::Error,
        _ => Status::Ok,
    };
    let mut outcome = outcome::outcome(id, status, said.map(Json::from));
    outcome.exit_code = outcome::exit_code(&text, "Exit Code:");
    outcome
}

fn used(message: JsonRef<'_>) -> Option<Used> {
    let tokens = look::present(message, "tokens")?;
    let count = |key: &str| look::count(tokens, key);
    let tokens = look::tokens_with_cache(
        count("input") + count("tool"),
        count("output") + count("thoughts"),
        count("cached"),
        0,
    );
    Some(Used {
        model: look::text(message, "model").unwrap_or_default().into(),
        tokens,
        cost_micros: None,
    })
}

fn is_person(message: JsonRef<'_>) -> bool {
    let words = message.get("content").map(look::words).unwrap_or_default();
    let words = words.trim_start();
    !words.is_empty() && !HARNESS.iter().any(|start| words.starts_with(start))
}

/// Does one of the first lines look like one of a chat?
fn recognises(head: &Head<'_>) -> bool {
    head.any_line(|line| {
        let is_header = line.has_all(&["sessionId", "projectHash", "startTime"]);
        let is_message =
            line.says("type", &["gemini"]) && line.has_all(&["id", "timestamp", "content"]);
        (is_header && !line.has("messages")) || is_message
    })
}

/// Is it a chat in one document?
fn recognises_document(head: &Head<'_>) -> bool {
    head.first
        .has_all(&["sessionId", "projectHash", "messages"])
}

#[cfg(test)]
#[path = "gemini_cli_tests.rs"]
mod tests;
