//! Copilot CLI: the events of its sessions.
//!
//! The usage of a request is written before its message, and the start of a call is written twice.

use unstuck::{Call, Json, Outcome, Role, Status};
use unstuck_json::{JsonKind, JsonRef};

use super::contract::{FormatSpec, Location, Reading, Root};
use crate::{
    head::Head,
    look, outcome,
    seen::Seen,
    sink::Sink,
    time,
    track::{Moment, Used},
    tracks::Tracks,
    transcript::{Lines, Origin},
};

pub(super) static COPILOT_CLI: FormatSpec = FormatSpec {
    name: "copilot-cli",
    title: "Copilot CLI",
    agent: "copilot-cli",
    recognises,
    reading: Reading::Lines(|origin| Box::new(Reader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &["events"],
    directory: &["/data/context/cwd", "/data/cwd"],
    locations: &[Location {
        root: Root::Home(".copilot", Some("COPILOT_HOME")),
        under: "session-state",
        title: None,
    }],
};

pub(crate) struct Reader {
    tracks: Tracks,
    session: Box<str>,
    /// Calls that were reported.
    told: Seen,
    /// What the message that comes next used.
    used: Option<(Moment, Used)>,
}

impl Reader {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            tracks: Tracks::default(),
            session: origin.session.clone(),
            told: Seen::default(),
            used: None,
        }
    }

    fn message(&mut self, agent: &str, moment: Moment, data: JsonRef<'_>, sink: &mut dyn Sink) {
        let track = self.tracks.of(&self.session, agent, sink);
        track.message(&look::text(data, "messageId").unwrap_or_default(), sink);
        if let Some((moment, used)) = self.used.take() {
            track.used(moment, used);
        }
        for (key, role) in [
            ("reasoningText", Role::Thinking),
            ("content", Role::Assistant),
        ] {
            if let Some(text) = look::text(data, key) {
                track.say(moment, role, &text, sink);
            }
        }
        let requests = data.get("toolRequests");
        for request in requests.into_iter().flat_map(JsonRef::elements) {
            if let Some(call) = call(request, "name")
                && self.told.add(&call.id)
            {
                track.call(moment, call, sink);
            }
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
        let Some(data) = line.get("data") else {
            return Ok(());
        };
        let agent = look::text(line, "agentId").or_else(|| look::text(data, "parentToolCallId"));
        let is_main = agent.is_none();
        let agent = agent.as_deref().unwrap_or("main");
        match &*look::text(line, "type").unwrap_or_default() {
            "session.start" | "session.resume" => {
                if let Some(session) = look::text(data, "sessionId") {
                    self.session = session.into();
                }
            }
            "session.usage_record" => {
                // A request without a message is reported all the same.
                if let Some((moment, used)) = self.used.take() {
                    let track = self.tracks.of(&self.session, agent, sink);
                    track.pay(moment, used, sink);
                }
                self.used = data.get("usage").map(|usage| (moment, used(usage)));
            }
            "user.message" if is_main && is_person(data) => {
                let text = look::text(data, "content").unwrap_or_default();
                self.tracks
                    .of(&self.session, agent, sink)
                    .asked(moment, &text, sink);
            }
            "assistant.message" => self.message(agent, moment, data, sink),
            "tool.execution_start" => {
                if let Some(call) = call(data, "toolName")
                    && self.told.add(&call.id)
                {
                    let track = self.tracks.of(&self.session, agent, sink);
                    track.call(moment, call, sink);
                }
            }
            "tool.execution_complete" => {
                if let Some(outcome) = result(data) {
                    let track = self.tracks.of(&self.session, agent, sink);
                    track.result(moment, outcome, sink);
                }
            }
            "assistant.turn_end" => self.tracks.of(&self.session, agent, sink).close(sink),
            "session.compaction_complete" => {
                self.tracks
                    .of(&self.session, agent, sink)
                    .compaction(moment, sink);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        if let Some((moment, used)) = self.used.take() {
            let track = self.tracks.of(&self.session, "main", sink);
            track.pay(moment, used, sink);
        }
        self.tracks.end(sink);
    }
}

fn call(request: JsonRef<'_>, name: &str) -> Option<Call> {
    let id = look::text(request, "toolCallId")?;
    let args = match look::present(request, "arguments") {
        Some(arguments) => match arguments.text() {
            Some(text) => outcome::from_text(&text),
            None => Json::from(arguments),
        },
        None => Json::empty_object(),
    };
    Some(Call::new(
        id,
        look::text(request, name).unwrap_or_default(),
        args,
    ))
}

fn result(data: JsonRef<'_>) -> Option<Outcome> {
    let id = look::text(data, "toolCallId")?;
    let error = look::present(data, "error");
    let code = error.and_then(|error| look::text(error, "code"));
    let status = match code.as_deref() {
        Some("denied" | "rejected") => Status::Denied,
        Some("cancelled" | "canceled" | "aborted") => Status::Cancelled,
        None if look::is_true(data, "success") => Status::Ok,
        _ => Status::Error,
    };
    let output = match error {
        Some(error) => error.get("message"),
        None => data.get("result").and_then(said),
    };
    let mut outcome = outcome::outcome(&id, status, output.map(Json::from));
    outcome.exit_code = look::at(data, &["shellExecution", "exitCode"]).and_then(JsonRef::integer);
    Some(outcome)
}

/// The result as the model got it, without what hooks added to it.
fn said(result: JsonRef<'_>) -> Option<JsonRef<'_>> {
    let content = result.get("content")?;
    let detailed = result.get("detailedContent");
    let is_its_start = |detailed: &JsonRef<'_>| {
        let (content, detailed) = (content.text(), detailed.text());
        content
            .zip(detailed)
            .is_some_and(|(content, detailed)| content.starts_with(&*detailed))
    };
    Some(detailed.filter(is_its_start).unwrap_or(content))
}

fn used(usage: JsonRef<'_>) -> Used {
    Used {
        model: look::text(usage, "model").unwrap_or_default().into(),
        tokens: look::tokens_with_cache(
            look::count(usage, "inputTokens"),
            look::count(usage, "outputTokens"),
            look::count(usage, "cacheReadTokens"),
            look::count(usage, "cacheWriteTokens"),
        ),
        // Its `cost` counts requests, not money.
        cost_micros: None,
    }
}

/// Messages that the harness sends in the person's place say where they come from.
fn is_person(data: JsonRef<'_>) -> bool {
    let source = look::text(data, "source");
    source.is_none_or(|source| source == "user")
        && look::text(data, "content").is_some_and(|text| !text.trim().is_empty())
}

/// Does one of the first lines look like one of a session?
fn recognises(head: &Head<'_>) -> bool {
    const KINDS: [&str; 9] = [
        "session.start",
        "session.resume",
        "session.usage_record",
        "user.message",
        "system.message",
        "assistant.turn_start",
        "assistant.message",
        "tool.execution_start",
        "hook.start",
    ];
    head.any_line(|line| {
        line.says("type", &KINDS) && line.has_all(&["data", "id", "timestamp", "parentId"])
    })
}

#[cfg(test)]
#[path = "copilot_cli_tests.rs"]
mod tests;
