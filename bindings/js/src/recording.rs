//! Recordings of agents as events of the wire contract.

use serde_json::{Value, json};
use unstuck::{Event, EventKind, Json, Outcome, Role, Status};
use unstuck_transcript::{Format, Layout, Origin, Problem, Sink, Transcript, Usage};

use crate::error::{Error, guarded};

/// Reads a transcript. The result is a JSON object: `format` is null where the format is not known, `events` is one line
/// for each event, `problems` has what could not be read. `session` names the run where the transcript does not.
pub fn read_transcript(session: &str, bytes: &[u8]) -> Result<String, Error> {
    guarded(|| {
        let format = Format::detect(bytes);
        let mut written = Written::default();
        if let Some(format) = format {
            read(format, session, bytes, &mut written);
        }
        let recording = json!({
            "format": format.map(Format::name),
            "events": written.events,
            "problems": written.problems,
        });
        Ok(recording.to_string())
    })
}

fn read(format: Format, session: &str, bytes: &[u8], sink: &mut dyn Sink) {
    let origin = Origin {
        session: session.into(),
    };
    let mut transcript = Transcript::new(format, &origin);
    if format.layout() == Layout::Lines {
        let mut rest = bytes;
        let mut number = 0;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            number += 1;
            transcript.line(number, &rest[..end], sink);
            rest = &rest[end + 1..];
        }
        if !rest.is_empty() {
            let _ = transcript.tail(number + 1, rest, sink);
        }
    } else {
        transcript.document(bytes, sink);
    }
    transcript.end(sink);
}

#[derive(Default)]
struct Written {
    events: String,
    problems: Vec<Value>,
}

impl Sink for Written {
    fn event(&mut self, event: Event) {
        self.events.push_str(&line(&event));
        self.events.push('\n');
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, problem: Problem) {
        let problem = json!({ "line": problem.line, "message": problem.message });
        self.problems.push(problem);
    }
}

/// The line of the wire contract that is read as this event.
fn line(event: &Event) -> String {
    let mut members = Members::default();
    let kind = match &event.kind {
        EventKind::Call(_) => "call",
        EventKind::Result(_) => "result",
        EventKind::Step(_) => "step",
        EventKind::Text(_) => "text",
        EventKind::Turn(_) => "turn",
        EventKind::User => "user",
        EventKind::Retry => "retry",
        EventKind::Compaction => "compaction",
        EventKind::Resume => "resume",
        _ => "reset",
    };
    members.add("event", kind);
    members.add("session", &*event.session);
    members.add("agent", &*event.agent);
    members.some("swarm", event.swarm.as_deref().map(Value::from));
    members.some("at", event.at.map(|at| at.0.into()));
    match &event.kind {
        EventKind::Call(call) => {
            members.add("id", &*call.id);
            members.add("tool", &*call.tool);
            members.json("args", Some(&call.args));
            members.some("key", call.key.as_deref().map(Value::from));
            members.some("read_only", call.read_only.map(Value::from));
            members.some("idempotent", call.idempotent.map(Value::from));
        }
        EventKind::Result(outcome) => result(&mut members, outcome),
        EventKind::Step(step) => {
            members.add("code", &*step.code);
            members.json("output", step.output.as_ref());
        }
        EventKind::Text(text) => {
            members.add("text", &*text.text);
            let is_thought = text.role == Role::Thinking;
            members.some("role", is_thought.then(|| "thinking".into()));
        }
        EventKind::Turn(usage) => {
            members.some("tokens", (usage.tokens > 0).then(|| usage.tokens.into()));
            #[expect(
                clippy::cast_precision_loss,
                reason = "amounts are read as doubles again"
            )]
            let cost = usage.cost_micros as f64 / 1e6;
            members.some("cost", (usage.cost_micros > 0).then(|| cost.into()));
        }
        _ => {}
    }
    members.text()
}

fn result(members: &mut Members, outcome: &Outcome) {
    let status = (outcome.status != Status::Ok).then(|| outcome.status.as_str());
    members.add("id", &*outcome.id);
    members.some("status", status.map(Value::from));
    members.json("output", outcome.output.as_ref());
    members.some("exit_code", outcome.exit_code.map(Value::from));
}

/// Members of an object, as text.
#[derive(Default)]
struct Members(String);

impl Members {
    fn add(&mut self, name: &str, value: impl Into<Value>) {
        self.raw(name, &value.into().to_string());
    }

    fn some(&mut self, name: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    fn json(&mut self, name: &str, value: Option<&Json>) {
        if let Some(value) = value {
            self.raw(name, value.as_str());
        }
    }

    fn raw(&mut self, name: &str, value: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        // Names are those of the contract, in which nothing is escaped.
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
        self.0.push_str(value);
    }

    fn text(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

#[cfg(test)]
#[path = "recording_tests.rs"]
mod tests;
