//! The events of one agent, in rounds.

use unstuck::{Call, Event, EventKind, Outcome, Role, Text, Timestamp};

use crate::sink::{Sink, Tokens, Usage};

/// Where in a transcript something stands, and when it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Number of the line; 0 where there is none.
    pub(crate) line: u64,
    pub(crate) at: Option<Timestamp>,
}

/// What one request to a model used, before its agent is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Used {
    /// The model; empty where it is not named.
    pub model: Box<str>,
    /// How many tokens.
    pub tokens: Tokens,
    /// What it cost by its own account, in millionths of a dollar.
    pub cost_micros: Option<u64>,
}

/// One agent of a transcript.
///
/// Puts what it did into its session and keeps its rounds apart: the calls of one message of the model, with their
/// results, are one round, and a `turn` ends it when the next message begins, a person speaks, or nothing more comes.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) session: Box<str>,
    pub(crate) agent: Box<str>,
    /// The last thing told; its time stands in for a missing one.
    last: Moment,
    /// The model's message that is being told.
    message: Box<str>,
    round: Round,
    used: Option<(Moment, Used)>,
    /// What was reported of the round at once.
    paid: unstuck::Usage,
}

/// Has anything happened since the last `turn`?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Empty,
    Begun,
}

impl Track {
    pub(crate) fn new(session: impl Into<Box<str>>, agent: impl Into<Box<str>>) -> Self {
        Self {
            session: session.into(),
            agent: agent.into(),
            last: Moment::default(),
            message: Box::default(),
            round: Round::Empty,
            used: None,
            paid: unstuck::Usage::default(),
        }
    }

    /// A message of the model begins, or goes on where it has the id of the last one. One without an id always begins.
    pub(crate) fn message(&mut self, id: &str, sink: &mut dyn Sink) {
        if id.is_empty() || *self.message != *id {
            self.close(sink);
            self.message = id.into();
        }
    }

    /// The model wrote something.
    pub(crate) fn say(&mut self, moment: Moment, role: Role, text: &str, sink: &mut dyn Sink) {
        if text.trim().is_empty() {
            return;
        }
        self.round = Round::Begun;
        self.tell(moment, EventKind::Text(Text::new(text, role)), sink);
    }

    /// The model called a tool.
    pub(crate) fn call(&mut self, moment: Moment, call: Call, sink: &mut dyn Sink) {
        self.round = Round::Begun;
        self.tell(moment, EventKind::Call(call), sink);
    }

    /// A call returned.
    pub(crate) fn result(&mut self, moment: Moment, outcome: Outcome, sink: &mut dyn Sink) {
        self.round = Round::Begun;
        self.tell(moment, EventKind::Result(outcome), sink);
    }

    /// What the model's message used. A later report of the same message replaces it.
    pub(crate) fn used(&mut self, moment: Moment, used: Used) {
        self.round = Round::Begun;
        self.used = Some((moment, used));
    }

    /// What one request used, told at once. A round may have several, and they alone do not make one.
    pub(crate) fn pay(&mut self, moment: Moment, used: Used, sink: &mut dyn Sink) {
        self.owe(&used);
        sink.usage(self.usage(moment, used));
    }

    /// What the whole run used, where single requests are not known. It belongs to no round: the last one is closed first.
    pub(crate) fn pay_for_run(&mut self, moment: Moment, used: Vec<Used>, sink: &mut dyn Sink) {
        for one in &used {
            self.owe(one);
        }
        self.close(sink);
        for one in used {
            sink.usage(self.usage(moment, one));
        }
    }

    /// Adds to what the next `turn` states.
    fn owe(&mut self, used: &Used) {
        let (tokens, cost) = (used.tokens.total(), used.cost_micros.unwrap_or(0));
        self.paid.tokens = self.paid.tokens.saturating_add(tokens);
        self.paid.cost_micros = self.paid.cost_micros.saturating_add(cost);
    }

    /// A person said something.
    pub(crate) fn user(&mut self, moment: Moment, sink: &mut dyn Sink) {
        self.close(sink);
        self.tell(moment, EventKind::User, sink);
    }

    /// A person wrote this.
    pub(crate) fn asked(&mut self, moment: Moment, text: &str, sink: &mut dyn Sink) {
        if !text.trim().is_empty() {
            sink.asked(&self.session, &self.agent, text);
        }
        self.user(moment, sink);
    }

    /// The context was compacted.
    pub(crate) fn compaction(&mut self, moment: Moment, sink: &mut dyn Sink) {
        self.close(sink);
        self.tell(moment, EventKind::Compaction, sink);
    }

    /// The round is over.
    pub(crate) fn close(&mut self, sink: &mut dyn Sink) {
        self.message = Box::default();
        if self.round == Round::Empty {
            return;
        }
        if let Some((moment, used)) = self.used.take() {
            self.pay(moment, used, sink);
        }
        self.round = Round::Empty;
        let turn = std::mem::take(&mut self.paid);
        self.tell(self.last, EventKind::Turn(turn), sink);
    }

    fn usage(&self, moment: Moment, used: Used) -> Usage {
        Usage {
            session: self.session.clone(),
            agent: self.agent.clone(),
            line: moment.line,
            at: moment.at,
            model: used.model,
            tokens: used.tokens,
            cost_micros: used.cost_micros,
        }
    }

    fn tell(&mut self, moment: Moment, kind: EventKind, sink: &mut dyn Sink) {
        self.last = Moment {
            line: moment.line,
            at: moment.at.or(self.last.at),
        };
        let mut event = Event::of(self.session.clone(), self.agent.clone(), kind);
        event.at = self.last.at;
        event.line = (moment.line > 0).then_some(moment.line);
        sink.event(event);
    }
}
