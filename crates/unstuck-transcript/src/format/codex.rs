//! Codex: the rollout files of its sessions.
//!
//! What the model and its tools exchange are `response_item`s, which name no message. A response ends with its usage or
//! with the first result, so what the model says next begins another. `event_msg`s repeat much of it for the screen; how
//! a command or an MCP call ended is in no other place, and stands before the result it belongs to.

use unstuck::{Call, Json, Outcome, Role, Status};
use unstuck_json::{JsonKind, JsonRef};

use super::contract::{FormatSpec, Location, Reading, Root};
use crate::{
    head::Head,
    look, outcome,
    sink::{Sink, Tokens},
    time,
    track::{Moment, Track, Used},
    transcript::{Lines, Origin},
};

pub(super) static CODEX: FormatSpec = FormatSpec {
    name: "codex",
    title: "Codex",
    agent: "codex",
    recognises,
    reading: Reading::Lines(|origin| Box::new(Reader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &[],
    directory: &["/payload/cwd"],
    locations: &[
        Location {
            root: Root::Home(".codex", Some("CODEX_HOME")),
            under: "sessions",
            title: None,
        },
        Location {
            root: Root::Home(".codex", Some("CODEX_HOME")),
            under: "archived_sessions",
            title: None,
        },
    ],
};

/// Texts in the place of a prompt that no person wrote.
const HARNESS: [&str; 13] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "<turn_aborted>",
    "<subagent_notification>",
    "<skill>",
    "<hook",
    "<user_action>",
    "<collaboration_mode>",
    "# AGENTS.md instructions",
    "Another language model started to solve this problem",
    "Warning: apply_patch was requested",
    "Warning: The maximum number of",
];

/// How results of calls begin that a person, a rule or a hook refused.
const DENIED: [&str; 4] = [
    "Command blocked by ",
    "exec command rejected",
    "patch rejected",
    "Tool call rejected",
];

/// How results of calls begin that did not run or did not succeed.
const FAILED: [&str; 7] = [
    "unsupported ",
    "failed to ",
    "execution error",
    "exec_command failed",
    "apply_patch verification failed",
    "tool call error",
    "Error: ",
];

/// Ends of calls whose results are awaited.
const MOST_ENDS: usize = 256;

pub(crate) struct Reader {
    track: Track,
    model: Box<str>,
    header: Header,
    response: Response,
    /// How calls ended whose results have not come yet.
    ends: Vec<End>,
    counted: Counted,
}

/// A forked session repeats the lines of the one it comes from, header included.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Header {
    Missing,
    Seen,
}

/// Whether what the model says belongs to the response that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Response {
    Open,
    Over,
}

/// Where usage was read from: newer files have a record for each request, older ones only running totals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    ByTotals(u64),
    ByRecords,
}

struct End {
    call: Box<str>,
    status: Option<Status>,
    exit_code: Option<i64>,
}

impl Reader {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            track: Track::new(origin.session.clone(), "main"),
            model: Box::default(),
            header: Header::Missing,
            response: Response::Over,
            ends: Vec::new(),
            counted: Counted::ByTotals(0),
        }
    }

    fn session(&mut self, meta: JsonRef<'_>) {
        if self.header == Header::Seen {
            return;
        }
        self.header = Header::Seen;
        let thread = look::text(meta, "id");
        let session = look::text(meta, "session_id").or_else(|| thread.clone());
        if let Some(session) = session {
            // Sub-agents have threads of their own in the session of the one who sent them.
            if let Some(thread) = thread.filter(|thread| *thread != session) {
                self.track.agent = thread.into();
            }
            self.track.session = session.into();
        }
    }

    fn item(&mut self, moment: Moment, item: JsonRef<'_>, sink: &mut dyn Sink) {
        let kind = look::text(item, "type").unwrap_or_default();
        match &*kind {
            "message" => match look::text(item, "role").as_deref() {
                Some("assistant") => {
                    self.speak(sink);
                    let words = item.get("content").map(look::words).unwrap_or_default();
                    self.track.say(moment, Role::Assistant, &words, sink);
                }
                Some("user") if is_person(item) => {
                    self.response = Response::Over;
                    let words = item.get("content").map(look::words).unwrap_or_default();
                    self.track.asked(moment, &words, sink);
                }
                _ => {}
            },
            "reasoning" => {
                self.speak(sink);
                let thought = ["content", "summary"]
                    .iter()
                    .filter_map(|key| item.get(key).map(look::words))
                    .find(|words| !words.is_empty());
                if let Some(words) = thought {
                    self.track.say(moment, Role::Thinking, &words, sink);
                }
            }
            kind if kind.ends_with("_output") => {
                if let Some(call) = look::text(item, "call_id") {
                    let outcome = self.outcome(&call, look::present(item, "output"));
                    self.response = Response::Over;
                    self.track.result(moment, outcome, sink);
                }
            }
            kind if kind.ends_with("_call") => {
                if let Some(call) = call(kind, item) {
                    self.speak(sink);
                    self.track.call(moment, call, sink);
                }
            }
            _ => {}
        }
    }

    fn event(&mut self, moment: Moment, event: JsonRef<'_>, sink: &mut dyn Sink) {
        let kind = look::text(event, "type").unwrap_or_default();
        match &*kind {
            "item_completed" => {
                if let Some(item) = event.get("item") {
                    self.ended(item, "id");
                }
            }
            "exec_command_end" | "mcp_tool_call_end" | "patch_apply_end" => {
                self.ended(event, "call_id");
            }
            "token_count" => {
                let info = event.get("info");
                let total = info
                    .and_then(|info| info.get("total_token_usage"))
                    .map_or(0, |usage| look::count(usage, "total_tokens"));
                let last = info.and_then(|info| info.get("last_token_usage"));
                // Also told when only a rate limit changed.
                if let (Counted::ByTotals(before), Some(last)) = (self.counted, last)
                    && total != before
                {
                    self.counted = Counted::ByTotals(total);
                    self.used(moment, last, sink);
                }
            }
            "task_complete" | "turn_complete" | "turn_aborted" => {
                self.response = Response::Over;
                self.track.close(sink);
            }
            _ => {}
        }
    }

    /// Remembers how a call ended until its result comes.
    fn ended(&mut self, item: JsonRef<'_>, id: &str) {
        let Some(call) = look::text(item, id) else {
            return;
        };
        let failed = look::says(item, "status", "failed")
            || item.get("success").and_then(JsonRef::boolean) == Some(false)
            || look::at(item, &["result", "Err"]).is_some();
        let refused = ["result", "Ok"]
            .iter()
            .try_fold(item, |value, key| value.get(key))
            .or_else(|| item.get("result"))
            .is_some_and(|result| {
                look::is_true(result, "isError") || look::is_true(result, "is_error")
            });
        let exit_code = look::integer(item, "exit_code");
        let status = match exit_code {
            _ if look::says(item, "status", "declined") => Some(Status::Denied),
            // A command that ran and said so is judged by its code.
            None if failed || refused => Some(Status::Error),
            _ => None,
        };
        if status.is_none() && exit_code.is_none() {
            return;
        }
        if self.ends.len() >= MOST_ENDS {
            self.ends.remove(0);
        }
        self.ends.push(End {
            call: call.into(),
            status,
            exit_code,
        });
    }

    fn outcome(&mut self, call: &str, output: Option<JsonRef<'_>>) -> Outcome {
        let mut outcome = result(call, output);
        if let Some(place) = self.ends.iter().position(|end| *end.call == *call) {
            let end = self.ends.remove(place);
            outcome.exit_code = outcome.exit_code.or(end.exit_code);
            if let (Status::Ok, Some(status)) = (outcome.status, end.status) {
                outcome.status = status;
            }
        }
        outcome
    }

    fn used(&mut self, moment: Moment, usage: JsonRef<'_>, sink: &mut dyn Sink) {
        let tokens = tokens(usage);
        if tokens.total() > 0 {
            let model = self.model.clone();
            let used = Used {
                model,
                tokens,
                cost_micros: None,
            };
            self.track.pay(moment, used, sink);
        }
    }

    /// The model says something.
    fn speak(&mut self, sink: &mut dyn Sink) {
        if self.response == Response::Over {
            self.track.close(sink);
            self.response = Response::Open;
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
        let Some(payload) = line.get("payload") else {
            return Ok(());
        };
        match &*look::text(line, "type").unwrap_or_default() {
            "session_meta" => self.session(payload),
            "turn_context" => {
                if let Some(model) = look::text(payload, "model") {
                    self.model = model.into();
                }
            }
            "response_item" => self.item(moment, payload, sink),
            "event_msg" => self.event(moment, payload, sink),
            "token_usage_record" => {
                self.counted = Counted::ByRecords;
                if let Some(usage) = payload.get("usage") {
                    self.used(moment, usage, sink);
                }
                self.response = Response::Over;
            }
            "compacted" => {
                self.response = Response::Over;
                self.track.compaction(moment, sink);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.track.close(sink);
    }
}

fn call(kind: &str, item: JsonRef<'_>) -> Option<Call> {
    let id = look::text(item, "call_id").or_else(|| look::text(item, "id"))?;
    let name = look::text(item, "name");
    let name = name
        .as_deref()
        .unwrap_or_else(|| kind.trim_end_matches("_call"));
    let tool = match look::text(item, "namespace") {
        Some(namespace) => format!("{namespace}__{name}"),
        None => name.to_owned(),
    };
    let args = if let Some(arguments) = look::present(item, "arguments") {
        match arguments.text() {
            Some(text) => outcome::from_text(&text),
            None => Json::from(arguments),
        }
    } else if let Some(input) = look::present(item, "input") {
        Json::from(input)
    } else if let Some(action) = look::present(item, "action") {
        Json::from(action)
    } else {
        Json::empty_object()
    };
    Some(Call::new(id, tool, args))
}

/// How a call ended, by the output that the model got.
fn result(call: &str, output: Option<JsonRef<'_>>) -> Outcome {
    // Once the text was the JSON of an object with the output and the code.
    let wrapped = output
        .and_then(JsonRef::text)
        .filter(|text| text.starts_with("{\"output\":"))
        .and_then(|text| Json::lossy(text.as_bytes()).ok());
    let object = wrapped.as_ref().map(Json::view).or(output);
    let inner = object.and_then(|object| object.get("output").or_else(|| object.get("content")));
    let content = inner.or(output).map(outcome::content);
    let text = content.as_ref().and_then(|content| content.view().text());
    let text = text.unwrap_or_default();
    let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    let status = if begins(&DENIED) || text.contains("rejected by user") {
        Status::Denied
    } else if text.starts_with("aborted") {
        Status::Cancelled
    } else if begins(&FAILED)
        || object
            .and_then(|object| object.get("success"))
            .and_then(JsonRef::boolean)
            == Some(false)
    {
        Status::Error
    } else {
        Status::Ok
    };
    let exit_code = object
        .and_then(|object| look::integer(object.get("metadata")?, "exit_code"))
        .or_else(|| outcome::exit_code(&text, "Process exited with code "))
        .or_else(|| outcome::exit_code(&text, "Exit code: "));
    drop(text);
    let mut outcome = outcome::outcome(call, status, content);
    outcome.exit_code = exit_code;
    outcome
}

/// Newer files say where each part of a message comes from; in older ones it shows in how it begins.
fn is_person(message: JsonRef<'_>) -> bool {
    const SOURCES: [&str; 2] = [
        "internal_chat_message_metadata_passthrough",
        "content_item_metadata",
    ];
    if let Some(sources) = look::at(message, &SOURCES) {
        return sources.elements().any(|part| {
            look::at(part, &["provenance", "type"])
                .and_then(JsonRef::text)
                .is_some_and(|source| source == "user")
        });
    }
    let content = message.get("content");
    content.into_iter().flat_map(JsonRef::elements).any(|part| {
        let text = look::text(part, "text").unwrap_or_default();
        let text = text.trim_start();
        !text.is_empty() && !HARNESS.iter().any(|start| text.starts_with(start))
    })
}

fn tokens(usage: JsonRef<'_>) -> Tokens {
    look::tokens_with_cache(
        look::count(usage, "input_tokens"),
        look::count(usage, "output_tokens"),
        look::count(usage, "cached_input_tokens"),
        look::count(usage, "cache_write_input_tokens"),
    )
}

/// Does one of the first lines look like one of a rollout?
fn recognises(head: &Head<'_>) -> bool {
    const KINDS: [&str; 7] = [
        "session_meta",
        "turn_context",
        "response_item",
        "event_msg",
        "token_usage_record",
        "world_state",
        "compacted",
    ];
    head.any_line(|line| line.says("type", &KINDS) && line.has_all(&["timestamp", "payload"]))
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
