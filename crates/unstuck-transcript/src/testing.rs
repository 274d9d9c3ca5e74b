//! What tests of formats share.

use unstuck::{Event, EventKind};

use crate::{Format, Origin, Problem, Sink, Transcript, Usage};

/// Keeps all that a transcript reports.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) events: Vec<Event>,
    pub(crate) usage: Vec<Usage>,
    pub(crate) problems: Vec<Problem>,
    /// What agents were asked, behind their names.
    pub(crate) asked: Vec<String>,
}

impl Sink for Told {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn usage(&mut self, usage: Usage) {
        self.usage.push(usage);
    }

    fn asked(&mut self, session: &str, agent: &str, text: &str) {
        self.asked.push(format!("{session}/{agent}: {text}"));
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

impl Told {
    /// What these lines tell.
    pub(crate) fn of(format: Format, lines: &[&str]) -> Self {
        let mut told = Self::default();
        let mut transcript = Transcript::new(format, &Origin::default());
        for (line, number) in lines.iter().zip(1..) {
            transcript.line(number, line.as_bytes(), &mut told);
        }
        transcript.end(&mut told);
        assert_eq!(told.problems, [], "{lines:?}");
        told
    }

    /// The kinds of events, in short: a call by its id, a result by its id and status.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let kind = |event: &Event| match &event.kind {
            EventKind::Call(call) => format!("call {}", call.id),
            EventKind::Result(result) => format!("result {} {:?}", result.id, result.status),
            EventKind::Text(text) => format!("{:?} {}", text.role, text.text),
            EventKind::Turn(_) => "turn".to_owned(),
            kind => format!("{kind:?}"),
        };
        self.events.iter().map(kind).collect()
    }
}
