//! A recorded run as the events a guard would have seen.

use unstuck::{Call, Event, EventKind, Json, JsonError, Outcome, Status};

use crate::{
    spoken::spoken,
    trajectory::{Step, Trajectory},
};

/// Sets whose user turns are a person, if a simulated one. Elsewhere they are the harness ("please continue").
const PEOPLE: [&str; 2] = ["taubench", "agentrx_tau"];

/// Results longer than this were cut when they were recorded.
const RESULT_CUT: u64 = 4000;

/// Milliseconds a step takes where no time was recorded.
const STEP_MS: i64 = 5000;

/// Milliseconds from a call to its result.
const RESULT_MS: i64 = 1000;

/// An event of a step, or why the engine cannot take what was recorded.
pub type StepEvent = (usize, Result<Event, JsonError>);

/// The run as events, each with the index of its step.
pub fn events(run: &Trajectory) -> Vec<StepEvent> {
    let called = |step: &Step| step.tool.as_deref().is_some_and(|tool| !tool.is_empty());
    let mut stream = Stream {
        run,
        clock: first_clock(run),
        before_user: true,
        last_call: run.steps.iter().rposition(called),
        events: Vec::with_capacity(run.steps.len() * 3),
    };
    for (at, step) in run.steps.iter().enumerate() {
        stream.step(at, step);
    }
    one_turn_a_reply(run, stream.events)
}

/// Leaves out turns within one reply of the model: steps of the assistant that follow each other with the same time or
/// the same `reply`.
fn one_turn_a_reply(run: &Trajectory, events: Vec<StepEvent>) -> Vec<StepEvent> {
    let mut kept = Vec::with_capacity(events.len());
    let mut open: Option<StepEvent> = None;
    for event in events {
        if matches!(
            &event.1,
            Ok(Event {
                kind: EventKind::Turn(_),
                ..
            })
        ) {
            open = Some(event);
            continue;
        }
        if let Some(turn) = open.take_if(|(at, _)| *at != event.0) {
            let goes_on =
                event.0 == turn.0 + 1 && is_one_reply(&run.steps[turn.0], &run.steps[event.0]);
            if !goes_on {
                kept.push(turn);
            }
        }
        kept.push(event);
    }
    kept.extend(open);
    kept
}

fn is_one_reply(one: &Step, other: &Step) -> bool {
    one.role == "assistant"
        && other.role == "assistant"
        && ((one.reply.is_some() && one.reply == other.reply)
            || (one.ts.is_some() && one.ts == other.ts))
}

/// Whether a converter wrote the text, not the model: `None`, or `Executed TOOL ID`.
fn is_converters(text: &str) -> bool {
    let words = text.strip_prefix("Executed ").map(|rest| rest.split(' '));
    let is_id = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
    text == "None" || words.is_some_and(|mut words| words.clone().count() == 2 && words.all(is_id))
}

fn first_clock(run: &Trajectory) -> i64 {
    let mut known = run.steps.iter().filter_map(recorded);
    known.next().map_or(0, |first| first - STEP_MS)
}

fn recorded(step: &Step) -> Option<i64> {
    step.ts.as_ref()?.milliseconds()
}

struct Stream<'a> {
    run: &'a Trajectory,
    clock: i64,
    /// Whether no user step has come yet.
    before_user: bool,
    last_call: Option<usize>,
    events: Vec<StepEvent>,
}

impl Stream<'_> {
    fn step(&mut self, at: usize, step: &Step) {
        self.clock = match recorded(step) {
            Some(time) => time.max(self.clock + 1),
            None => self.clock + STEP_MS,
        };
        let agent = step.agent.as_deref().filter(|agent| !agent.is_empty());
        let text = step.text.as_deref().filter(|text| !text.is_empty());
        let text = text.filter(|text| step.role != "assistant" || !is_converters(text));
        match step.tool.as_deref() {
            None if step.role == "user" => {
                let host = self
                    .run
                    .label
                    .all
                    .get("host")
                    .and_then(|host| host.as_str());
                let is_people = |set: &str| PEOPLE.contains(&set);
                let is_person =
                    self.before_user || is_people(&self.run.set) || host.is_some_and(is_people);
                if text.is_some() && is_person {
                    self.push(at, agent, Event::new(EventKind::User));
                }
                self.before_user = false;
            }
            None => {
                // What is neither a user nor the assistant are words of the harness; some of them hold the label.
                if let Some(text) = text
                    && step.role == "assistant"
                {
                    self.say(at, agent, text);
                }
            }
            Some(tool) => {
                if let Some(name) = tool.strip_prefix("say:") {
                    let agent = if name.is_empty() { "main" } else { name };
                    let words = match &step.args {
                        // Whatever JSON the corpus holds can be read, because the whole line was.
                        Some(args) => spoken(args).unwrap_or_default(),
                        None => text.unwrap_or_default().to_owned(),
                    };
                    if !words.is_empty() {
                        self.say(at, Some(agent), &words);
                    }
                } else {
                    if let Some(text) = text {
                        self.push(at, agent, Event::text(text));
                    }
                    self.call(at, agent, tool, step);
                }
            }
        }
    }

    fn say(&mut self, at: usize, agent: Option<&str>, text: &str) {
        self.push(at, agent, Event::text(text));
        self.push(at, agent, Event::turn());
    }

    fn call(&mut self, at: usize, agent: Option<&str>, tool: &str, step: &Step) {
        let id = format!("c{at}");
        match arguments(step) {
            Ok(args) => self.push(at, agent, Event::call(Call::new(&*id, tool, args))),
            Err(error) => self.events.push((at, Err(error))),
        }
        // The run ended before the result of its last call was recorded.
        if step.result.is_none() && self.last_call == Some(at) {
            self.push(at, agent, Event::turn());
            return;
        }
        self.clock += RESULT_MS;
        match output(step) {
            Ok(output) => {
                let mut outcome = Outcome::ok(id, output);
                if step.error == Some(true) {
                    outcome.status = Status::Error;
                }
                self.push(at, agent, Event::result(outcome));
            }
            Err(error) => self.events.push((at, Err(error))),
        }
        self.push(at, agent, Event::turn());
    }

    fn push(&mut self, at: usize, agent: Option<&str>, event: Event) {
        let event = event.in_session(&*self.run.id).at(self.clock);
        let event = match agent {
            Some(agent) => event.by_agent(agent),
            None => event,
        };
        self.events.push((at, Ok(event)));
    }
}

/// Arguments that were cut get the mark of the whole, so that they are equal exactly when the whole was.
fn arguments(step: &Step) -> Result<Json, JsonError> {
    let Some(args) = &step.args else {
        return Ok(Json::empty_object());
    };
    let args = Json::parse(args.get())?;
    let mut members = args.view().members();
    match (members.next(), members.next()) {
        (Some((name, value)), None) if name == "_truncated" => {
            let kept = value.text().unwrap_or_else(|| value.as_str().into());
            let cut = format!("{kept}\n[cut {}]", or_none(step.args_sha.as_deref()));
            Json::from_serialize(&serde_json::json!({ "_truncated": cut }))
        }
        _ => Ok(args),
    }
}

/// The result; where it was cut, with the length and the mark of the whole.
fn output(step: &Step) -> Result<Json, JsonError> {
    let Some(result) = &step.result else {
        return Ok(Json::null());
    };
    let result = Json::parse(result.get())?;
    match step.result_len {
        Some(length) if length > RESULT_CUT => {
            let view = result.view();
            let kept = view.text().unwrap_or_else(|| view.as_str().into());
            let mark = or_none(step.result_sha.as_deref());
            Ok(Json::string(&format!("{kept}\n[cut {length} {mark}]")))
        }
        _ => Ok(result),
    }
}

/// The reference scorer's word for what is not there.
fn or_none(mark: Option<&str>) -> &str {
    mark.unwrap_or("None")
}
