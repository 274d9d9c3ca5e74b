//! OpenHands' events: those of its SDK (V1), which have a `kind`, and those before it (V0), which are an `action` or an
//! `observation`. As lines, as one list, or one event a file.

use std::collections::{HashMap, HashSet};

use unstuck::{Call, Json, Outcome, Role, Status};
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Location, Reading, Root};
use crate::{
    elements::Raw,
    head::Head,
    look::{at, count, integer, is_true, micros, present, says, text, tokens_with_cache, words},
    message::{arguments, is_harness, name, without},
    readable::readable,
    said::{result, result_of},
    seen::Seen,
    sink::{Sink, Tokens},
    time::time,
    track::{Moment, Track, Used},
    transcript::Origin,
    values::{Either, Place, Values, beginning},
};

pub(super) static OPENHANDS: FormatSpec = FormatSpec {
    name: "openhands",
    title: "OpenHands",
    agent: "openhands",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &["events"],
    directory: &[],
    locations: &[Location {
        root: Root::Home(".openhands", None),
        under: "conversations",
        title: None,
    }],
};

/// How many open calls and uses of models are remembered.
const REMEMBERED: usize = 4_096;

pub(crate) type Reader = Either<Events>;

fn reader(origin: &Origin) -> Reader {
    let session = if origin.session.is_empty() {
        "default"
    } else {
        &origin.session
    };
    Either::new(Events {
        track: Track::new(session, "main"),
        open: HashSet::new(),
        paid: HashMap::new(),
        owed: Vec::new(),
        answers: Seen::default(),
    })
}

/// The events of one conversation.
pub(crate) struct Events {
    track: Track,
    /// Calls of V0 that wait for their observation.
    open: HashSet<Box<str>>,
    /// What each use of a model had spent when it was reported last.
    paid: HashMap<Box<str>, Used>,
    /// What was spent before the model's message it was spent on.
    owed: Vec<(Moment, Used)>,
    /// Answers of V0 whose tokens were reported.
    answers: Seen,
}

impl Values for Events {
    fn value(&mut self, place: Place, value: Raw<'_>, sink: &mut dyn Sink) {
        // Evaluations put the events of a run into a record of it.
        let recorded = value.get("history").or_else(|| value.get("events"));
        let list = recorded.unwrap_or(value);
        if !list.is_array() {
            return self.event(place, value, sink);
        }
        for element in list.elements() {
            // The oldest lists have pairs of an action and its observation.
            if element.is_array() {
                for inner in element.elements() {
                    self.event(place, inner, sink);
                }
            } else {
                self.event(place, element, sink);
            }
        }
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.settle(sink);
        self.track.close(sink);
    }
}

impl Events {
    fn event(&mut self, place: Place, event: Raw<'_>, sink: &mut dyn Sink) {
        match event.json() {
            Ok(json) => {
                let told = json.view();
                let here = Moment {
                    line: place.line(event),
                    at: told.get("timestamp").and_then(time),
                };
                if let Some(kind) = text(told, "kind") {
                    self.current(&kind, told, here, sink);
                } else if told.get("action").is_some() {
                    self.old_action(told, here, sink);
                } else if told.get("observation").is_some() {
                    self.old_observation(told, here, sink);
                }
            }
            Err(error) if event.has_end() => place.problem(event, "event", &error, sink),
            Err(_) => {}
        }
    }

    /// An event of V1.
    fn current(&mut self, kind: &str, told: JsonRef<'_>, here: Moment, sink: &mut dyn Sink) {
        let id = name(told.get("tool_call_id"));
        match kind {
            "ActionEvent" => {
                self.model(&name(told.get("llm_response_id")), sink);
                self.say(told, here, sink);
                let args = at(told, &["tool_call", "arguments"]).or_else(|| told.get("action"));
                // Texts about the call that are not part of it.
                let args = without(&arguments(args), &["security_risk", "summary", "kind"]);
                let call = Call::new(id, name(told.get("tool_name")), args);
                self.track.call(here, call, sink);
            }
            "ObservationEvent" => {
                let outcome = observed(&id, told.get("observation"));
                self.track.result(here, outcome, sink);
            }
            "AgentErrorEvent" => {
                let outcome = result(&id, Status::Error, present(told, "error"));
                self.track.result(here, outcome, sink);
            }
            "UserRejectObservation" => {
                let reason = present(told, "rejection_reason");
                let outcome = result(&id, Status::Denied, reason);
                self.track.result(here, outcome, sink);
            }
            "MessageEvent" => {
                let content = at(told, &["llm_message", "content"]);
                let said = content.map(words).unwrap_or_default();
                if says(told, "source", "user") {
                    self.ask(&said, here, sink);
                } else if says(told, "source", "agent") {
                    self.model(&name(told.get("llm_response_id")), sink);
                    self.say(told, here, sink);
                    self.track.say(here, Role::Assistant, &said, sink);
                }
            }
            "Condensation" => self.track.compaction(here, sink),
            "ConversationStateUpdateEvent" => {
                let value = told.get("value");
                let stats = if says(told, "key", "stats") {
                    value
                } else {
                    value.and_then(|value| value.get("stats"))
                };
                if let Some(uses) = stats.and_then(|stats| stats.get("usage_to_metrics")) {
                    for (use_of, metrics) in uses.members() {
                        self.spent(&use_of, metrics, here);
                    }
                }
            }
            _ => {}
        }
    }

    /// What the model thought and said beside a call.
    fn say(&mut self, told: JsonRef<'_>, here: Moment, sink: &mut dyn Sink) {
        let message = told.get("llm_message").unwrap_or(told);
        let thought = text(message, "reasoning_content").unwrap_or_default();
        self.track.say(here, Role::Thinking, &thought, sink);
        let said = told.get("thought").map(words).unwrap_or_default();
        // Some models write what they think into what they say, too.
        let said = match said.split_once("</think>") {
            Some((_, said)) if !thought.is_empty() => said,
            _ => &said,
        };
        self.track.say(here, Role::Assistant, said, sink);
    }

    fn ask(&mut self, said: &str, here: Moment, sink: &mut dyn Sink) {
        if !said.trim().is_empty() && !is_harness(said) {
            self.track.asked(here, said, sink);
        }
    }

    /// What came on top of what a use of a model had spent before.
    fn spent(&mut self, use_of: &str, metrics: JsonRef<'_>, here: Moment) {
        let Some(usage) = present(metrics, "accumulated_token_usage") else {
            return;
        };
        let total = Used {
            model: name(present(metrics, "model_name").or_else(|| usage.get("model"))),
            tokens: tokens_with_cache(
                count(usage, "prompt_tokens"),
                count(usage, "completion_tokens"),
                count(usage, "cache_read_tokens"),
                count(usage, "cache_write_tokens"),
            ),
            cost_micros: micros(metrics.get("accumulated_cost").and_then(JsonRef::number)),
        };
        if self.paid.len() >= REMEMBERED {
            return;
        }
        let before = self
            .paid
            .insert(use_of.into(), total.clone())
            .unwrap_or_default();
        let tokens = Tokens {
            input: total.tokens.input.saturating_sub(before.tokens.input),
            output: total.tokens.output.saturating_sub(before.tokens.output),
            cache_read: total
                .tokens
                .cache_read
                .saturating_sub(before.tokens.cache_read),
            cache_write: total
                .tokens
                .cache_write
                .saturating_sub(before.tokens.cache_write),
        };
        let cost = total
            .cost_micros
            .map(|cost| cost.saturating_sub(before.cost_micros.unwrap_or(0)));
        if tokens.total() == 0 && cost.unwrap_or(0) == 0 {
            return;
        }
        let used = Used {
            model: total.model,
            tokens,
            // Where no price is known, nothing was ever added up.
            cost_micros: cost.filter(|_| total.cost_micros != Some(0)),
        };
        self.owed.push((here, used));
    }

    /// The model begins a message, or goes on with it. What was spent up to now was spent on it.
    fn model(&mut self, answer: &str, sink: &mut dyn Sink) {
        self.track.message(answer, sink);
        self.settle(sink);
    }

    fn settle(&mut self, sink: &mut dyn Sink) {
        for (moment, used) in std::mem::take(&mut self.owed) {
            self.track.pay(moment, used, sink);
        }
    }

    /// An action of V0.
    fn old_action(&mut self, told: JsonRef<'_>, here: Moment, sink: &mut dyn Sink) {
        let action = text(told, "action").unwrap_or_default();
        let args = told.get("args");
        let source = text(told, "source").unwrap_or_default();
        let content = args
            .and_then(|args| text(args, "content"))
            .unwrap_or_default();
        match (&*action, &*source) {
            ("message", "user") => return self.ask(&content, here, sink),
            ("message", _) => {
                self.model("", sink);
                self.track.say(here, Role::Assistant, &content, sink);
                return self.pay_old(told, here, sink);
            }
            ("condensation", _) => return self.track.compaction(here, sink),
            ("system" | "recall" | "change_agent_state" | "null" | "condensation_request", _) => {
                return;
            }
            (_, "agent") => {}
            // The harness sets things up with actions of its own.
            _ => return,
        }
        let answer = at(told, &["tool_call_metadata", "model_response"]);
        self.model(&name(answer.and_then(|answer| answer.get("id"))), sink);
        if let Some(thought) = args.and_then(|args| text(args, "thought")) {
            self.track.say(here, Role::Assistant, &thought, sink);
        }
        self.pay_old(told, here, sink);
        if matches!(&*action, "finish" | "think" | "reject") {
            return;
        }
        let function = at(told, &["tool_call_metadata", "function_name"]);
        let tool = match (name(function), &*action) {
            (function, _) if !function.is_empty() => function,
            (_, "run") => "bash".into(),
            (_, "run_ipython") => "execute_ipython_cell".into(),
            (_, action) => action.into(),
        };
        let args = without(&arguments(args), &NO_ARGUMENTS);
        let id = name(told.get("id"));
        if self.open.len() < REMEMBERED {
            self.open.insert(id.clone());
        }
        self.track.call(here, Call::new(id, tool, args), sink);
    }

    /// An observation of V0.
    fn old_observation(&mut self, told: JsonRef<'_>, here: Moment, sink: &mut dyn Sink) {
        let cause = name(told.get("cause"));
        if !self.open.remove(&cause) {
            return;
        }
        let status = match text(told, "observation").as_deref() {
            Some("error") => Status::Error,
            Some("user_rejected") => Status::Denied,
            _ => Status::Ok,
        };
        let mut outcome = result(&cause, status, present(told, "content"));
        let extras = told.get("extras");
        let code = extras.and_then(|extras| {
            integer(extras, "exit_code").or_else(|| integer(extras.get("metadata")?, "exit_code"))
        });
        outcome.exit_code = code.filter(|code| *code >= 0);
        self.track.result(here, outcome, sink);
    }

    /// What an action of V0 used: added up over the run, or of old with the answer it came from.
    fn pay_old(&mut self, told: JsonRef<'_>, here: Moment, sink: &mut dyn Sink) {
        if let Some(metrics) = present(told, "llm_metrics") {
            self.spent("", metrics, here);
            return self.settle(sink);
        }
        let Some(answer) = at(told, &["tool_call_metadata", "model_response"]) else {
            return;
        };
        if self.answers.add(&name(answer.get("id")))
            && let Some(used) = super::openai_chat::used(answer)
        {
            self.track.pay(here, used, sink);
        }
    }
}

/// Fields of an action of V0 that say nothing of what is done.
const NO_ARGUMENTS: [&str; 8] = [
    "blocking",
    "confirmation_state",
    "hidden",
    "is_confirmed",
    "keep_prompt",
    "security_risk",
    "thought",
    "translated_ipython_code",
];

fn observed(id: &str, told: Option<JsonRef<'_>>) -> Outcome {
    let Some(told) = told else {
        return result(id, Status::Ok, None);
    };
    let status = if is_true(told, "is_error") {
        Status::Error
    } else {
        Status::Ok
    };
    let output = ["content", "output", "error"];
    let output = output.iter().find_map(|member| present(told, member));
    let mut outcome = match output {
        Some(output) => result(id, status, Some(output)),
        None => result_of(id, status, Some(without(&Json::from(told), &["kind"]))),
    };
    let code = integer(told, "exit_code").or_else(|| integer(told.get("metadata")?, "exit_code"));
    // Minus one stands for a command that did not end.
    outcome.exit_code = code.filter(|code| *code >= 0);
    outcome
}

/// Are these events of OpenHands?
fn recognises(head: &Head<'_>) -> bool {
    /// How many events are looked at.
    const EVENTS: usize = 8;
    let text = readable(head.bytes);
    let text = beginning(&text);
    let mut rest = text;
    let values = std::iter::from_fn(|| {
        let (value, behind) = Raw::first(rest)?;
        rest = behind;
        Some(value)
    });
    let mut events = values.take(EVENTS).flat_map(|value| {
        if value.is_array() {
            value.elements().take(EVENTS).collect()
        } else if let Some(history) = value
            .get("history")
            .filter(|_| value.get("instance_id").is_some())
        {
            history.elements().take(EVENTS).collect()
        } else {
            vec![value]
        }
    });
    events.any(|event| is_event(event.elements().next().unwrap_or(event)))
}

fn is_event(event: Raw<'_>) -> bool {
    const KINDS: [&str; 8] = [
        "ActionEvent",
        "ObservationEvent",
        "AgentErrorEvent",
        "UserRejectObservation",
        "MessageEvent",
        "SystemPromptEvent",
        "ConversationStateUpdateEvent",
        "Condensation",
    ];
    let has = |name: &str| event.get(name).is_some();
    let kind = event.get("kind").and_then(Raw::string);
    match kind {
        Some(kind) => KINDS.contains(&&*kind) && has("source"),
        None => {
            has("source")
                && ((has("action") && has("args")) || (has("observation") && has("content")))
        }
    }
}
