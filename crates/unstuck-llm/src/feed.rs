//! Gives the engine the events of a history, in steps, and collects its decisions.
//!
//! A step is a message of the model, with the results of its calls and what a person says before the next one. Where steps
//! end follows from the history alone.

use unstuck::{
    Call, Decision, Engine, Event, EventKind, Json, Outcome, Role, Status, Text, Usage, Verdict,
};
use unstuck_transcript::{Message, Part, Speaker};

use crate::own;

/// One agent's engine, and the step that its history is in.
pub(crate) struct Feed {
    engine: Engine,
    session: Box<str>,
    agent: Box<str>,
    /// Calls of the step that have no result yet, as (id, tool).
    open: Vec<(Box<str>, Box<str>)>,
    /// Whether anything happened since the last turn.
    is_begun: bool,
    /// Whether the last message was not the model's.
    is_answered: bool,
    /// The strictest decision of the step that asks for a note.
    note: Option<(Verdict, Box<str>)>,
    halted: Option<Box<Decision>>,
    unnamed: u64,
    /// Decisions that say more than `allow`, since they were last taken.
    decisions: Vec<Decision>,
    spoke: bool,
}

/// Decisions that are kept until they are taken.
const MOST_DECISIONS: usize = 256;

impl Feed {
    pub(crate) fn new(engine: Engine, session: &str, agent: &str) -> Self {
        Self {
            engine,
            session: session.into(),
            agent: agent.into(),
            open: Vec::new(),
            is_begun: false,
            is_answered: false,
            note: None,
            halted: None,
            unnamed: 0,
            decisions: Vec::new(),
            spoke: false,
        }
    }

    /// A message. What the model says after others spoke begins a step.
    pub(crate) fn message(&mut self, message: Message) {
        if message.speaker == Speaker::Model {
            if self.is_answered {
                self.close();
                self.note = None;
            }
            self.is_answered = false;
        } else if !message.parts.is_empty() {
            self.is_answered = true;
        }
        for part in message.parts {
            self.part(part);
        }
        if self.is_answered && self.open.is_empty() {
            self.close();
        }
    }

    /// The context was compacted.
    pub(crate) fn compaction(&mut self) {
        self.close();
        self.open.clear();
        self.note = None;
        self.observe(EventKind::Compaction);
    }

    /// Clears what is held against the agent.
    pub(crate) fn reset(&mut self) {
        self.halted = None;
        self.note = None;
        self.observe(EventKind::Reset);
    }

    /// The text that belongs behind what was reported last, once the calls of the step are answered.
    pub(crate) fn take_note(&mut self) -> Option<Box<str>> {
        if !self.is_answered || !self.open.is_empty() {
            return None;
        }
        self.note.take().map(|(_, text)| text)
    }

    /// The decision that halted the agent, while it is halted.
    pub(crate) fn halted(&self) -> Option<&Decision> {
        self.halted.as_deref()
    }

    /// The decisions since this was last asked that say more than `allow`.
    pub(crate) fn take_decisions(&mut self) -> Vec<Decision> {
        std::mem::take(&mut self.decisions)
    }

    /// Whether a person spoke since this was last asked.
    pub(crate) fn take_spoke(&mut self) -> bool {
        std::mem::take(&mut self.spoke)
    }

    /// Judges a call before it runs, without counting it.
    pub(crate) fn check(&self, call: &Call) -> Decision {
        self.engine.check(&self.session, &self.agent, call)
    }

    fn part(&mut self, part: Part) {
        match part {
            Part::Said(text) => self.said(&text),
            Part::Thought(text) => self.text(&text, Role::Thinking),
            Part::Called(call) => self.call(call),
            Part::Returned { outcome, tool } => self.result(outcome, &tool),
            Part::Asked(text) => self.asked(&text),
        }
    }

    fn said(&mut self, text: &str) {
        if let Some(own) = own::without_own(text) {
            self.text(&own, Role::Assistant);
        }
        for (tool, args) in own::denied(text) {
            self.unnamed += 1;
            let id: Box<str> = format!("unstuck-denied-{}", self.unnamed).into();
            self.is_begun = true;
            self.observe(EventKind::Call(Call::new(id.clone(), tool, args)));
            self.observe(EventKind::Result(Outcome::new(id, Status::Denied)));
        }
    }

    fn text(&mut self, text: &str, role: Role) {
        self.is_begun = true;
        self.observe(EventKind::Text(Text::new(text, role)));
    }

    fn call(&mut self, mut call: Call) {
        // Layers that translate between APIs write such calls, and no agent runs them.
        if call.tool.is_empty() {
            return;
        }
        if call.id.is_empty() {
            self.unnamed += 1;
            call.id = format!("unnamed-{}", self.unnamed).into();
        }
        self.is_begun = true;
        self.open.push((call.id.clone(), call.tool.clone()));
        self.observe(EventKind::Call(call));
    }

    /// A result without an id answers the first call of its tool that waits, or the first of all.
    fn result(&mut self, mut outcome: Outcome, tool: &str) {
        let waiting = if outcome.id.is_empty() {
            let same_tool = self.open.iter().position(|(_, name)| **name == *tool);
            same_tool.or((!self.open.is_empty()).then_some(0))
        } else {
            self.open.iter().position(|(id, _)| *id == outcome.id)
        };
        if let Some(waiting) = waiting {
            outcome.id = self.open.remove(waiting).0;
        }
        self.is_begun = true;
        self.observe(EventKind::Result(outcome));
    }

    fn asked(&mut self, text: &str) {
        if own::is_automatic(text) {
            return;
        }
        self.close();
        self.open.clear();
        self.spoke = true;
        if self.halted.is_some() {
            self.reset();
        }
        self.observe(EventKind::User);
    }

    /// The calls of the step are over.
    fn close(&mut self) {
        if self.is_begun {
            self.is_begun = false;
            self.observe(EventKind::Turn(Usage::default()));
        }
    }

    fn observe(&mut self, kind: EventKind) {
        let event = Event::of(self.session.clone(), self.agent.clone(), kind);
        let decision = self.engine.observe(event);
        if decision.reason.is_none() {
            return;
        }
        match decision.verdict {
            Verdict::Allow => {}
            Verdict::Nudge | Verdict::Deny => self.keep_note(&decision),
            Verdict::Halt => {
                self.note = None;
                // An agent that is halted gets that verdict again with every event.
                if self.halted.is_some() {
                    return;
                }
                self.halted = Some(Box::new(decision.clone()));
            }
        }
        if self.decisions.len() < MOST_DECISIONS {
            self.decisions.push(decision);
        }
    }

    fn keep_note(&mut self, decision: &Decision) {
        let weaker = |(verdict, _): &(Verdict, Box<str>)| *verdict < decision.verdict;
        if let Some(message) = decision.message()
            && self.note.as_ref().is_none_or(weaker)
        {
            self.note = Some((decision.verdict, message.into()));
        }
    }
}

/// The text in place of a call that is denied.
pub(crate) fn denial(decision: &Decision, call: &Call) -> Option<String> {
    if decision.permits() {
        return None;
    }
    let args: &Json = &call.args;
    Some(own::denial(decision.message()?, &call.tool, args))
}
