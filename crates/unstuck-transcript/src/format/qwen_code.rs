//! Qwen Code: the files of its chats.
//!
//! One line is one message; the telemetry between them repeats what they say.

use unstuck::{Call, Json, Outcome, Role, Status};
use unstuck_json::{JsonKind, JsonRef};

use super::contract::{FormatSpec, Location, Reading, Root};
use crate::{
    head::Head,
    look, outcome,
    sink::{Sink, Tokens},
    time,
    track::{Moment, Track, Used},
    tracks::Tracks,
    transcript::{Lines, Origin},
};

pub(super) static QWEN_CODE: FormatSpec = FormatSpec {
    name: "qwen-code",
    title: "Qwen Code",
    agent: "qwen-code",
    recognises,
    reading: Reading::Lines(|origin| Box::new(Reader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &[],
    directory: &["/cwd"],
    locations: &[Location {
        root: Root::Home(".qwen", None),
        under: "projects",
        title: None,
    }],
};

/// Texts in the place of a prompt that no person wrote.
const HARNESS: [&str; 5] = [
    "<system",
    "<state_snapshot",
    "System: ",
    "Please continue.",
    "This is the Qwen Code. We are setting up the context",
];

pub(crate) struct Reader {
    tracks: Tracks,
    session: Box<str>,
}

impl Reader {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            tracks: Tracks::default(),
            session: origin.session.clone(),
        }
    }
}

impl Lines for Reader {
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let line = Json::lossy(line).map_err(|error| error.to_string())?;
        let line = line.view();
        if line.kind() != JsonKind::Object {
            return Err("expected an object".into());
        }
        let moment = Moment {
            line: number,
            at: line.get("timestamp").and_then(time::time),
        };
        let session = look::text(line, "sessionId");
        let session = session.as_deref().unwrap_or(&self.session);
        let agent = look::text(line, "agentId");
        let track = self
            .tracks
            .of(session, agent.as_deref().unwrap_or("main"), sink);
        match &*look::text(line, "type").unwrap_or_default() {
            "user" if agent.is_none() && is_person(line) => {
                let text = parts(line).find_map(|part| look::text(part, "text"));
                track.asked(moment, &text.unwrap_or_default(), sink);
            }
            "assistant" => assistant(track, moment, line, sink),
            "tool_result" => {
                for response in parts(line).filter_map(|part| part.get("functionResponse")) {
                    if let Some(outcome) = result(line, response) {
                        track.result(moment, outcome, sink);
                    }
                }
            }
            "system" if look::says(line, "subtype", "chat_compression") => {
                track.compaction(moment, sink);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.tracks.end(sink);
    }
}

fn assistant(track: &mut Track, moment: Moment, line: JsonRef<'_>, sink: &mut dyn Sink) {
    track.message(&look::text(line, "uuid").unwrap_or_default(), sink);
    if let Some(usage) = look::present(line, "usageMetadata") {
        let used = Used {
            model: look::text(line, "model").unwrap_or_default().into(),
            tokens: tokens(usage),
            cost_micros: None,
        };
        track.used(moment, used);
    }
    for part in parts(line) {
        if let Some(call) = part.get("functionCall") {
            let id = look::text(call, "id").unwrap_or_default();
            let name = look::text(call, "name").unwrap_or_default();
            let args = call.get("args").map_or_else(Json::empty_object, Json::from);
            track.call(moment, Call::new(id, name, args), sink);
        } else if let Some(text) = look::text(part, "text") {
            let role = if look::is_true(part, "thought") {
                Role::Thinking
            } else {
                Role::Assistant
            };
            track.say(moment, role, &text, sink);
        }
    }
}

fn result(line: JsonRef<'_>, response: JsonRef<'_>) -> Option<Outcome> {
    let id = look::text(response, "id")?;
    let said = response.get("response").map(|response| {
        let inner = response.get("output").or_else(|| response.get("error"));
        inner.unwrap_or(response)
    });
    let call = line.get("toolCallResult");
    let member = |key: &str| call.and_then(|call| look::text(call, key));
    let exit_code = call
        .and_then(|call| look::integer(call.get("resultDisplay")?, "exitCode"))
        .or_else(|| outcome::exit_code(&said?.text()?, "Exit Code:"));
    // What was stopped after it ran has run.
    let is_denied = member("errorType").as_deref() == Some("execution_denied")
        && member("executionStatus").is_none_or(|status| status == "not_started");
    let status = match member("status").as_deref() {
        Some("cancelled") => Status::Cancelled,
        Some("error") if is_denied => Status::Denied,
        Some("error") => Status::Error,
        None if look::at(response, &["response", "error"]).is_some() => Status::Error,
        _ => Status::Ok,
    };
    let mut outcome = outcome::outcome(&id, status, said.map(Json::from));
    outcome.exit_code = exit_code;
    Some(outcome)
}

fn tokens(usage: JsonRef<'_>) -> Tokens {
    let input = look::count(usage, "promptTokenCount");
    // Providers disagree whether thoughts are among the candidates; the total is the same for all.
    let output = match look::count(usage, "totalTokenCount").checked_sub(input) {
        None | Some(0) => look::count(usage, "candidatesTokenCount"),
        Some(output) => output,
    };
    look::tokens_with_cache(
        input,
        output,
        look::count(usage, "cachedContentTokenCount"),
        0,
    )
}

fn is_person(line: JsonRef<'_>) -> bool {
    if let Some(source) = look::text(line, "provenance") {
        return source == "real_user";
    }
    parts(line).any(|part| {
        let text = look::text(part, "text").unwrap_or_default();
        let text = text.trim_start();
        !text.is_empty() && !HARNESS.iter().any(|start| text.starts_with(start))
    })
}

fn parts(line: JsonRef<'_>) -> impl Iterator<Item = JsonRef<'_>> {
    look::at(line, &["message", "parts"])
        .into_iter()
        .flat_map(JsonRef::elements)
}

/// Does one of the first lines look like one of a chat?
fn recognises(head: &Head<'_>) -> bool {
    head.any_line(|line| match line.text("type") {
        Some("user" | "assistant" | "tool_result") => {
            line.has_all(&["uuid", "sessionId", "message.parts"])
        }
        Some("system") => line.has_all(&["uuid", "sessionId", "systemPayload"]),
        _ => false,
    })
}

#[cfg(test)]
#[path = "qwen_code_tests.rs"]
mod tests;
