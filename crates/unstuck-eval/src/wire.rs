//! Recordings as streams of events, one JSON object a line, as `unstuck check` reads them.

use std::{
    io::{self, BufRead, BufReader, Read as _, Write},
    path::PathBuf,
};

use serde::Serialize;
use unstuck::{Event, EventKind, Json, Role, Status, Timestamp, Usage};

use crate::{
    corpus::{CorpusError, Runs, open, read_lines},
    events::events,
};

/// Why a stream could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// A recording cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The stream cannot be written, or a file of events not be read.
    #[error(transparent)]
    Stream(#[from] io::Error),
}

/// Writes the events of these files as one stream, in which every run is a session, and returns the number of lines. A
/// file that holds events already is copied.
pub fn write_events(paths: &[PathBuf], out: &mut impl Write) -> Result<u64, WireError> {
    let mut lines = 0;
    let mut runs = Runs::default();
    for path in paths {
        let name = path.display().to_string();
        let mut input = BufReader::with_capacity(1 << 18, open(path)?);
        let mut first = Vec::new();
        input.read_until(b'\n', &mut first)?;
        // Events and runs are distinguished by their first line.
        let is_events = Event::parse(first.trim_ascii()).is_ok();
        let input = first.as_slice().chain(input);
        if is_events {
            lines += copy(input, out)?;
            continue;
        }
        let mut written = Ok(());
        read_lines(&name, input, &mut |run| {
            let run = runs.name(run);
            for (_, event) in events(&run) {
                // What the engine cannot take is not an event; `eval` counts it.
                let Some(line) = event.ok().as_ref().and_then(line) else {
                    continue;
                };
                lines += 1;
                if written.is_ok() {
                    written = writeln!(out, "{line}");
                }
            }
        })?;
        written?;
    }
    Ok(lines)
}

fn copy(mut input: impl BufRead, out: &mut impl Write) -> io::Result<u64> {
    let mut lines = 0;
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        out.write_all(&line)?;
        lines += 1;
        line.clear();
    }
    Ok(lines)
}

/// Fields of an event that a recording can have.
#[derive(Default, Serialize)]
struct Line<'a> {
    event: &'static str,
    session: &'a str,
    agent: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// The line of an event; `None` for kinds and fields that are not made from recordings.
fn line(event: &Event) -> Option<String> {
    let mut line = Line {
        session: &event.session,
        agent: &event.agent,
        at: event.at,
        ..Line::default()
    };
    match &event.kind {
        EventKind::Call(call) => {
            line.event = "call";
            line.id = Some(&call.id);
            line.tool = Some(&call.tool);
            line.args = Some(&call.args);
        }
        EventKind::Result(outcome) => {
            line.event = "result";
            line.id = Some(&outcome.id);
            line.status = Some(match outcome.status {
                Status::Ok => "ok",
                Status::Error => "error",
                _ => return None,
            });
            line.output = outcome.output.as_ref();
        }
        EventKind::Text(text) if text.role == Role::Assistant => {
            line.event = "text";
            line.text = Some(&text.text);
        }
        EventKind::Turn(usage) if *usage == Usage::default() => line.event = "turn",
        EventKind::User => line.event = "user",
        _ => return None,
    }
    serde_json::to_string(&line).ok()
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
