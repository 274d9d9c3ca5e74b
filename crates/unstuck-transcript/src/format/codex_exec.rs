//! Codex: what `codex exec --json` prints.
//!
//! Items are begun and completed; some are only completed. There are no times, and a turn is all the work on one prompt.

use unstuck::{Call, Json, Outcome, Role, Status};
use unstuck_json::{JsonKind, JsonRef};

use super::{
    contract::{FormatSpec, Reading},
    logged,
};
use crate::{
    head::Head,
    look, outcome,
    sink::Sink,
    track::{Moment, Track, Used},
    transcript::{Lines, Origin},
};

pub(super) static CODEX_EXEC: FormatSpec = FormatSpec {
    name: "codex-exec",
    title: "Codex",
    agent: "codex",
    recognises: |head| logged::is_plain(head, recognises),
    reading: Reading::Lines(|origin| Box::new(Reader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

pub(super) static CODEX_EXEC_LOG: FormatSpec = FormatSpec {
    name: "codex-exec-log",
    title: "Codex",
    agent: "codex",
    recognises: |head| logged::recognises(head, recognises),
    reading: Reading::Lines(|origin| Box::new(logged::Reader::new(Reader::new(origin)))),
    endings: &[".log"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

/// Items that were begun and not completed.
const MOST_OPEN: usize = 256;

pub(crate) struct Reader {
    track: Track,
    open: Vec<Box<str>>,
}

impl Reader {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            track: Track::new(origin.session.clone(), "main"),
            open: Vec::new(),
        }
    }

    fn begin(&mut self, moment: Moment, item: JsonRef<'_>, sink: &mut dyn Sink) {
        let Some(call) = call(item) else {
            return;
        };
        if self.open.contains(&call.id) {
            return;
        }
        if self.open.len() >= MOST_OPEN {
            self.open.remove(0);
        }
        self.open.push(call.id.clone());
        self.track.call(moment, call, sink);
    }

    fn complete(&mut self, moment: Moment, item: JsonRef<'_>, sink: &mut dyn Sink) {
        let role = match look::text(item, "type").as_deref() {
            Some("agent_message") => Some(Role::Assistant),
            Some("reasoning") => Some(Role::Thinking),
            _ => None,
        };
        if let Some(role) = role {
            let text = look::text(item, "text").unwrap_or_default();
            self.track.say(moment, role, &text, sink);
            return;
        }
        self.begin(moment, item, sink);
        let Some(id) = look::text(item, "id") else {
            return;
        };
        if let Some(place) = self.open.iter().position(|open| **open == *id) {
            self.open.remove(place);
            self.track.result(moment, result(&id, item), sink);
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
            at: None,
        };
        match (
            &*look::text(line, "type").unwrap_or_default(),
            line.get("item"),
        ) {
            ("thread.started", _) => {
                if let Some(thread) = look::text(line, "thread_id") {
                    // A log may have several runs, each with the same ids.
                    self.track.close(sink);
                    self.open.clear();
                    self.track.session = thread.into();
                }
            }
            ("turn.started", _) => self.track.user(moment, sink),
            ("item.started" | "item.updated", Some(item)) => self.begin(moment, item, sink),
            ("item.completed", Some(item)) => self.complete(moment, item, sink),
            ("turn.completed" | "turn.failed", _) => {
                if let Some(usage) = look::present(line, "usage") {
                    let tokens = look::tokens_with_cache(
                        look::count(usage, "input_tokens"),
                        look::count(usage, "output_tokens"),
                        look::count(usage, "cached_input_tokens"),
                        look::count(usage, "cache_write_input_tokens"),
                    );
                    let used = Used {
                        tokens,
                        ..Used::default()
                    };
                    self.track.used(moment, used);
                }
                self.track.close(sink);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.track.close(sink);
    }
}

/// The call an item stands for, if it stands for one.
fn call(item: JsonRef<'_>) -> Option<Call> {
    let member = |key: &str| item.get(key).map_or_else(Json::null, Json::from);
    let only = |key: &str| outcome::from_text(&format!("{{\"{key}\":{}}}", member(key)));
    let id = look::text(item, "id")?;
    let (tool, args) = match &*look::text(item, "type")? {
        "command_execution" => ("shell".to_owned(), only("command")),
        "mcp_tool_call" => {
            let server = look::text(item, "server").unwrap_or_default();
            let tool = look::text(item, "tool").unwrap_or_default();
            (format!("mcp__{server}__{tool}"), member("arguments"))
        }
        "file_change" => ("apply_patch".to_owned(), only("changes")),
        "web_search" => ("web_search".to_owned(), only("query")),
        "collab_tool_call" => (look::text(item, "tool")?.into_owned(), only("prompt")),
        _ => return None,
    };
    Some(Call::new(id, tool, args))
}

fn result(id: &str, item: JsonRef<'_>) -> Outcome {
    let exit_code = look::integer(item, "exit_code");
    let status = match look::text(item, "status").as_deref() {
        Some("declined") => Status::Denied,
        Some("failed") if exit_code.is_none() => Status::Error,
        _ => Status::Ok,
    };
    let message = look::present(item, "error").map(|error| error.get("message").unwrap_or(error));
    let output = message.map(Json::from).or_else(|| {
        if let Some(result) = look::present(item, "result") {
            return Some(outcome::content(result.get("content").unwrap_or(result)));
        }
        look::present(item, "aggregated_output").map(Json::from)
    });
    let mut outcome = outcome::outcome(id, status, output);
    outcome.exit_code = exit_code;
    outcome
}

/// Does one of the first lines look like one of `codex exec --json`?
fn recognises(head: &Head<'_>) -> bool {
    head.any_line(|line| match line.text("type") {
        Some("thread.started") => line.has("thread_id"),
        Some("item.started" | "item.completed") => line.has_all(&["item.id", "item.type"]),
        _ => false,
    })
}

#[cfg(test)]
#[path = "codex_exec_tests.rs"]
mod tests;
