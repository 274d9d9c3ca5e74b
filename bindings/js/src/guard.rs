//! One engine, asked and told by text.

use unstuck::{Agent, Before, Call, Decision, Engine, EventReader, Json, Outcome};

use unstuck_json::{Composer, Scanner, Scratch};

use crate::{
    error::{Error, guarded},
    lines::check_lines,
    options::Options,
};

/// Watches agents. Every answer is either a line number or the text of a decision.
#[derive(Debug)]
pub struct Guard {
    engine: Engine,
    reader: EventReader,
    scratch: Scratch,
    options: Options,
    /// Line of the next event.
    next_line: u64,
}

/// The answer to an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Line of an event whose decision is `allow` and has nothing more to it.
    Allowed(u64),
    /// Any other decision: one line of the wire contract.
    Decided(String),
}

/// Agent and time of an event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Event<'a> {
    /// The run; `default` unless given.
    pub session: Option<&'a str>,
    /// The agent within the run; `main` unless given.
    pub agent: Option<&'a str>,
    /// Time in milliseconds.
    pub at: Option<f64>,
}

/// What a call states beside its tool and arguments.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Stated {
    swarm: Option<Box<str>>,
    key: Option<Box<str>>,
    read_only: Option<bool>,
    idempotent: Option<bool>,
}

/// Arguments of a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Args<'a> {
    /// JSON; `{}` unless given.
    pub json: Option<&'a str>,
    /// Names and values in turn of members that are strings and not in the JSON of the object.
    pub texts: &'a [String],
}

/// What a call returned.
#[derive(Clone, Copy, Debug)]
pub enum Output<'a> {
    /// Nothing is known of it.
    Absent,
    /// JSON.
    Json(&'a str),
    /// A string, which is not written as JSON.
    Text(&'a str),
}

impl Guard {
    /// Creates a guard that has seen nothing.
    pub fn new(options: Options) -> Result<Self, Error> {
        guarded(|| {
            let settings = options.settings.clone();
            Ok(Self {
                engine: Engine::with_index_key(settings, options.index_key),
                reader: EventReader::default(),
                scratch: Scratch::default(),
                options,
                next_line: 1,
            })
        })
    }

    /// Counts a call and answers whether it may run. Without an id, it is `unstuck-` with the line of the decision. `stated` is
    /// a JSON object with any of `swarm`, `key`, `read_only` and `idempotent`.
    pub fn before_call(
        &mut self,
        event: Event<'_>,
        id: Option<&str>,
        tool: &str,
        args: Args<'_>,
        stated: Option<&str>,
    ) -> Result<Answer, Error> {
        guarded(|| {
            let args = args.read(&mut self.scratch)?;
            let mut call = match id {
                Some(id) => Call::new(id, tool, args),
                None => Call::new(format!("unstuck-{}", self.next_line), tool, args),
            };
            let mut swarm = None;
            if let Some(stated) = stated {
                let stated: Stated = serde_json::from_str(stated)
                    .map_err(|error| Error::Settings(error.to_string()))?;
                call.key = stated.key;
                call.read_only = stated.read_only;
                call.idempotent = stated.idempotent;
                swarm = stated.swarm;
            }
            let mut handle = self.agent(event);
            if let Some(swarm) = swarm {
                handle = handle.in_swarm(&swarm);
            }
            let decision = match handle.before_call(call) {
                Before::Permit(permit) => return self.answer(permit.decision()),
                Before::Denied(decision) => decision,
            };
            self.answer(&decision)
        })
    }

    /// Records what a call returned.
    pub fn after_call(
        &mut self,
        event: Event<'_>,
        id: &str,
        status: Option<&str>,
        output: Output<'_>,
        exit_code: Option<f64>,
    ) -> Result<Answer, Error> {
        guarded(|| {
            let mut outcome = Outcome::new(id, status.unwrap_or("ok").parse()?);
            outcome.output = match output {
                Output::Absent => None,
                Output::Json(text) => Some(read(text, &mut self.scratch)?),
                Output::Text(text) => Some(Json::string(text)),
            };
            outcome.exit_code = exit_code.map(milliseconds);
            let decision = self.agent(event).finish_call(outcome);
            self.answer(&decision)
        })
    }

    /// Records the end of a turn.
    pub fn turn(&mut self, event: Event<'_>) -> Result<Answer, Error> {
        guarded(|| {
            let decision = self.agent(event).turn();
            self.answer(&decision)
        })
    }

    /// Records any event, given as a line of the wire contract, and returns the line of its decision: the caller does not
    /// know whose event it is.
    pub fn observe(&mut self, line: &str) -> Result<String, Error> {
        guarded(|| {
            let event = self.reader.read(line.as_bytes())?;
            let decision = self.engine.observe(event);
            self.next_line = decision.line.saturating_add(1);
            text(&decision)
        })
    }

    /// Judges a call as if it were made now, without counting it.
    pub fn check(&self, event: Event<'_>, tool: &str, args: Args<'_>) -> Result<Answer, Error> {
        guarded(|| {
            let call = Call::new("", tool, args.read(&mut Scratch::default())?);
            let (session, agent) = event.names();
            answer(&self.engine.check(session, agent, &call))
        })
    }

    /// Answers lines of events with lines of decisions, as the command `unstuck check` does.
    pub fn check_lines(&mut self, text: &[u8]) -> Result<String, Error> {
        guarded(|| {
            let (answers, last) = check_lines(&mut self.engine, &mut self.reader, text);
            self.next_line = self.next_line.max(last + 1);
            Ok(answers)
        })
    }

    /// The state of one agent. `None` if the agent is not known.
    pub fn snapshot(&self, event: Event<'_>) -> Result<Option<Vec<u8>>, Error> {
        let (session, agent) = event.names();
        guarded(|| Ok(self.engine.snapshot(session, agent)))
    }

    /// Replaces the state of one agent.
    pub fn restore(&mut self, event: Event<'_>, snapshot: &[u8]) -> Result<(), Error> {
        let (session, agent) = event.names();
        guarded(|| {
            self.engine.restore(session, agent, snapshot)?;
            // A decision has the line of the event after the last one, and a snapshot brings lines along.
            let asked = Call::new("", "", Json::empty_object());
            self.next_line = self.engine.check(session, agent, &asked).line;
            Ok(())
        })
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    fn agent(&mut self, event: Event<'_>) -> Agent<'_> {
        let (session, agent) = event.names();
        let mut agent = self.engine.agent(session, agent);
        if let Some(at) = event.at {
            agent.at(milliseconds(at));
        }
        agent
    }

    fn answer(&mut self, decision: &Decision) -> Result<Answer, Error> {
        self.next_line = decision.line.saturating_add(1);
        answer(decision)
    }
}

impl<'a> Args<'a> {
    /// Arguments as JavaScript passes them.
    pub fn new(json: Option<&'a str>, texts: Option<&'a [String]>) -> Self {
        Self {
            json,
            texts: texts.unwrap_or_default(),
        }
    }

    /// The arguments in canonical form.
    fn read(self, scratch: &mut Scratch) -> Result<Json, Error> {
        let json = match self.json {
            None => Json::empty_object(),
            Some(text) => read(text, scratch)?,
        };
        if self.texts.is_empty() {
            return Ok(json);
        }
        let texts = self.texts.as_chunks::<2>().0;
        // Line breaks and quotes take two bytes.
        let lengths = texts
            .iter()
            .map(|[name, text]| name.len() + text.len() + text.len() / 16 + 8);
        let mut composer = Composer::with_capacity(json.as_str().len() + lengths.sum::<usize>());
        let members = json.view().members();
        let mut members: Vec<_> = members.map(|(name, value)| (name, Ok(value))).collect();
        members.extend(texts.iter().map(|[name, text]| (name.into(), Err(text))));
        // Most names are in canonical order then, and no value has to be moved to its place.
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
        composer.begin_object();
        for (name, value) in &members {
            composer.name(name);
            match value {
                Ok(json) => composer.json(*json),
                Err(text) => composer.string(text),
            }
        }
        composer.end();
        Ok(composer.finish()?)
    }
}

impl<'a> Output<'a> {
    /// An output as JavaScript passes it: a string as it is if `is_text`, JSON otherwise.
    pub fn new(text: Option<&'a str>, is_text: bool) -> Self {
        match text {
            None => Self::Absent,
            Some(text) if is_text => Self::Text(text),
            Some(text) => Self::Json(text),
        }
    }
}

/// The id of the call with this line, where the caller gave it none.
pub fn id_of_line(line: f64) -> String {
    format!("unstuck-{line}")
}

impl<'a> Event<'a> {
    /// An event as JavaScript passes it.
    pub fn new(at: Option<f64>, session: Option<&'a str>, agent: Option<&'a str>) -> Self {
        Self { session, agent, at }
    }

    fn names(self) -> (&'a str, &'a str) {
        (
            self.session.unwrap_or("default"),
            self.agent.unwrap_or("main"),
        )
    }
}

fn answer(decision: &Decision) -> Result<Answer, Error> {
    let is_bare = decision.permits()
        && decision.reason.is_none()
        && decision.would.is_none()
        && decision.findings.is_empty()
        && decision.retry_after.is_none()
        && decision.advice.is_none()
        && decision.transitions.is_empty();
    if is_bare {
        return Ok(Answer::Allowed(decision.line));
    }
    text(decision).map(Answer::Decided)
}

fn text(decision: &Decision) -> Result<String, Error> {
    serde_json::to_string(decision).map_err(|error| Error::Fault(error.to_string()))
}

/// What `JSON.stringify` writes is JSON but for half of a surrogate pair, which becomes U+FFFD.
fn read(text: &str, scratch: &mut Scratch) -> Result<Json, Error> {
    let mut scanner = Scanner::lossy(text, scratch);
    let json = scanner.canonical()?;
    scanner.end()?;
    Ok(json)
}

/// A number of JavaScript as an integer; what is beyond one is the nearest, and what is not a number is 0.
fn milliseconds(number: f64) -> i64 {
    number as i64
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
