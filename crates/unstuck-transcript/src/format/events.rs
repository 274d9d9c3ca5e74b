//! Events as `unstuck check` reads them: the wire contract, one JSON object a line.

use unstuck::{EventKind, EventReader, Json};
use unstuck_json::lossy_text;

use super::contract::{FormatSpec, Reading};
use crate::{
    head::Head,
    sink::Sink,
    transcript::{Lines, Origin},
};

pub(super) static EVENTS: FormatSpec = FormatSpec {
    name: "events",
    title: "unstuck events",
    agent: "events",
    recognises,
    reading: Reading::Lines(|origin| Box::new(Reader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

pub(crate) struct Reader {
    events: EventReader,
    session: Box<str>,
}

impl Reader {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            events: EventReader::default(),
            session: origin.session.clone(),
        }
    }
}

impl Lines for Reader {
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let mut event = self
            .events
            .read(line)
            .map_err(|error| error.to_string().into_boxed_str())?;
        event.line = Some(number);
        // Streams that name no session are distinguished by their files.
        if &*event.session == "default" && !self.session.is_empty() {
            event.session.clone_from(&self.session);
        }
        if let EventKind::User = event.kind
            && let Some(text) = Json::parse(&lossy_text(line)).ok().and_then(|line| {
                let text = line.view().get("text")?.text()?;
                Some(text.into_owned())
            })
        {
            sink.asked(&event.session, &event.agent, &text);
        }
        sink.event(event);
        Ok(())
    }
}

/// Does this begin with an event?
fn recognises(head: &Head<'_>) -> bool {
    const KINDS: [&str; 10] = [
        "call",
        "result",
        "step",
        "text",
        "turn",
        "user",
        "retry",
        "compaction",
        "resume",
        "reset",
    ];
    head.lines
        .first()
        .is_some_and(|line| line.says("event", &KINDS))
}
