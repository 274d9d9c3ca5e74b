//! pi: the JSONL files of its sessions.
//!
//! The first line is a header, all others are entries of a tree: each names its parent. A person who goes back to an
//! earlier entry begins another branch in the same file. Entries of the first version have no ids, and no branches.

use unstuck::{Call, Json, Role, Status};
use unstuck_json::{JsonKind, JsonRef};

use super::contract::{FormatSpec, Location, Reading, Root};
use crate::{
    head::Head,
    look,
    message::{arguments, name},
    said,
    seen::Seen,
    sink::{Sink, Tokens},
    time,
    track::{Moment, Track, Used},
    transcript::{Lines, Origin},
};

pub(super) static PI: FormatSpec = FormatSpec {
    name: "pi",
    title: "pi",
    agent: "pi",
    recognises,
    reading: Reading::Lines(|origin| Box::new(Reader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &[],
    directory: &["/cwd"],
    locations: &[Location {
        root: Root::Home(".pi/agent", Some("PI_CODING_AGENT_DIR")),
        under: "sessions",
        title: None,
    }],
};

pub(crate) struct Reader {
    track: Track,
    /// The entry of the last line, which the next one follows unless it begins a branch.
    leaf: Box<str>,
    /// Entries so far: one whose parent is lost with a damaged line does not begin a branch.
    entries: Seen,
}

impl Reader {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            track: Track::new(origin.session.clone(), "main"),
            leaf: Box::default(),
            entries: Seen::default(),
        }
    }

    /// Notes the place of an entry in the tree.
    fn follow(&mut self, entry: JsonRef<'_>, moment: Moment, sink: &mut dyn Sink) {
        let Some(id) = look::text(entry, "id") else {
            return;
        };
        let parent = look::text(entry, "parentId").unwrap_or_default();
        let is_earlier = parent.is_empty() || self.entries.has(&parent);
        if !self.leaf.is_empty() && *self.leaf != *parent && is_earlier {
            // Only a person goes back.
            self.track.user(moment, sink);
        }
        self.entries.add(&id);
        self.leaf = id.into();
    }

    fn message(&mut self, message: JsonRef<'_>, moment: Moment, sink: &mut dyn Sink) {
        let moment = Moment {
            at: message.get("timestamp").and_then(time::time).or(moment.at),
            ..moment
        };
        match look::text(message, "role").as_deref() {
            Some("assistant") => self.answer(message, moment, sink),
            Some("toolResult") => {
                let status = if look::is_true(message, "isError") {
                    Status::Error
                } else {
                    Status::Ok
                };
                let id = name(message.get("toolCallId"));
                let outcome = said::result(&id, status, look::present(message, "content"));
                self.track.result(moment, outcome, sink);
            }
            Some("user") => {
                let words = message.get("content").map(look::words);
                if let Some(words) = words.filter(|words| !words.trim().is_empty()) {
                    self.track.asked(moment, &words, sink);
                }
            }
            // A person ran a command.
            Some("bashExecution") => self.track.user(moment, sink),
            Some("compactionSummary") => self.track.compaction(moment, sink),
            _ => {}
        }
    }

    fn answer(&mut self, message: JsonRef<'_>, moment: Moment, sink: &mut dyn Sink) {
        self.track.message("", sink);
        if let Some(used) = used(message) {
            self.track.used(moment, used);
        }
        let content = message.get("content");
        for block in content.into_iter().flat_map(JsonRef::elements) {
            match look::text(block, "type").as_deref() {
                Some("text") => {
                    let text = look::text(block, "text").unwrap_or_default();
                    self.track.say(moment, Role::Assistant, &text, sink);
                }
                Some("thinking") => {
                    let text = look::text(block, "thinking").unwrap_or_default();
                    self.track.say(moment, Role::Thinking, &text, sink);
                }
                Some("toolCall") => {
                    let args = arguments(block.get("arguments"));
                    let call = Call::new(name(block.get("id")), name(block.get("name")), args);
                    self.track.call(moment, call, sink);
                }
                _ => {}
            }
        }
    }
}

impl Lines for Reader {
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let line = Json::lossy(line).map_err(|error| error.to_string())?;
        let entry = line.view();
        if entry.kind() != JsonKind::Object {
            return Err("expected an object".into());
        }
        let moment = Moment {
            line: number,
            at: entry.get("timestamp").and_then(time::time),
        };
        let kind = look::text(entry, "type").unwrap_or_default();
        if kind == "session" {
            if let Some(id) = look::text(entry, "id").filter(|id| !id.is_empty()) {
                self.track.session = id.into();
            }
            return Ok(());
        }
        self.follow(entry, moment, sink);
        match (&*kind, entry.get("message")) {
            ("message", Some(message)) => self.message(message, moment, sink),
            ("compaction", _) => self.track.compaction(moment, sink),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.track.close(sink);
    }
}

/// What a message of the model used. The tokens read do not include those from the cache.
fn used(message: JsonRef<'_>) -> Option<Used> {
    let usage = look::present(message, "usage")?;
    let tokens = Tokens {
        input: look::count(usage, "input"),
        output: look::count(usage, "output"),
        cache_read: look::count(usage, "cacheRead"),
        cache_write: look::count(usage, "cacheWrite"),
    };
    let cost = look::at(usage, &["cost", "total"]).and_then(JsonRef::number);
    (tokens.total() > 0).then(|| Used {
        model: name(message.get("model")),
        tokens,
        // Where pi knows no price, its sum is zero.
        cost_micros: look::micros(cost).filter(|cost| *cost > 0),
    })
}

/// Whether one of the first lines looks like one of a session.
fn recognises(head: &Head<'_>) -> bool {
    head.any_line(|line| match line.text("type") {
        Some("session") => line.has_all(&["id", "timestamp", "cwd"]),
        Some("message") => {
            line.says("message.role", &["user", "assistant", "toolResult"])
                && line.has_all(&["timestamp", "message.content", "message.timestamp"])
        }
        _ => false,
    })
}

#[cfg(test)]
#[path = "pi_tests.rs"]
mod tests;
