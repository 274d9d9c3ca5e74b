//! From hooks to events: which hooks belong to one call, which fired twice, and what is still to be said to the model.
//!
//! Every hook is a process of its own, and hooks of parallel calls come in any order. What one hook must know of
//! another one is kept here, per agent, and travels with the engine's snapshot.

mod again;
mod token;
mod way_out;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use unstuck::{
    Call, Decision, Engine, Event, EventKind, Mode, Outcome, Status, Verdict, message::MARKER,
};

use crate::{
    answer::Answer,
    hook::{CallEnded, CallMade, Happened, Hook, Moment},
    hosts::contract::{Denial, Halt, Hooks, Results},
};
use again::{Batch, Ended, call_token};
use token::{hash, key};
use way_out::with_way_out;

/// Calls that wait for their result.
const OPEN: usize = 64;

/// Tools remembered for which the host asks for permission.
const ASKED: usize = 32;

/// The same last words within this time are one hook that fired twice.
const SAID_TWICE_WITHIN_MS: i64 = 500;

/// Halted calls that are let through to a host's question. Only the question can end the run there; whether it will
/// really be asked is known from earlier hooks alone.
const LET_THROUGH: u8 = 3;

/// How the engine begins the words of a denial.
const NOT_RUN: &str = "This call was not run. ";

/// What is known of one agent between its hooks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    open: VecDeque<Open>,
    ended: VecDeque<Ended>,
    batch: Option<Batch>,
    /// Calls so far.
    made: u64,
    rounds: Rounds,
    /// Rounds so far.
    round: u64,
    /// Halted calls that were let through to a question.
    let_through: u8,
    /// Calls that returned since the last turn.
    back: u32,
    asked: VecDeque<Box<str>>,
    /// A nudge that could not be said yet.
    untold: Option<Box<str>>,
    /// The last words of the agent and when they were said.
    said: Option<(u64, i64)>,
}

/// A call without a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Open {
    /// The id that the engine knows it by.
    id: Box<str>,
    /// Finds it where the host names no id.
    key: u64,
    tool: Box<str>,
    /// Finds a second hook of the same call.
    token: Option<u64>,
    /// When it was made, and in which round.
    at: i64,
    round: u64,
    /// Calls made with this one.
    number: u64,
    /// What it was answered, if that was more than a nudge.
    refused: Option<(Verdict, Box<str>)>,
    /// The host asked a person about it.
    asked: bool,
}

/// How the end of a model's turn is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Rounds {
    /// By a call that comes after a result.
    #[default]
    Guessed,
    /// The host tells it.
    Told,
}

/// What came of a hook.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Judged {
    /// The strictest decision on what happened, if anything did.
    pub decision: Option<Decision>,
    /// The answer to the host.
    pub answer: Answer,
}

/// An event, and how its verdict counts.
struct Planned {
    kind: EventKind,
    counts: Counts,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Fully,
    /// The host refused the call itself: to deny it is only to talk about it.
    AsWords,
    /// The call has run, so that there is nothing to deny any more.
    OnlyHalt,
}

/// What a hook means.
enum Plan {
    Events(Vec<Planned>),
    /// The hook has been here before; the call's answer stands.
    Again(Option<(Verdict, Box<str>)>),
}

impl Watch {
    /// Shows a hook to the engine and finds the answer. `at` is the time in milliseconds.
    pub fn take(&mut self, hook: &Hook, engine: &mut Engine, at: i64) -> Judged {
        let hooks = &hook.host.spec().hooks;
        let planned = match self.plan(hook, hooks, at) {
            Plan::Events(planned) => planned,
            Plan::Again(Some((verdict, text))) if engine.settings().mode == Mode::Enforce => {
                return Judged {
                    decision: None,
                    answer: Answer::new(verdict, text),
                };
            }
            // Asks nothing but whether the run is halted.
            Plan::Again(_) => vec![Planned::fully(EventKind::Resume)],
        };
        let mut strictest: Option<(Verdict, Decision)> = None;
        for Planned { kind, counts } in planned {
            let event = Event::new(kind)
                .in_session(hook.session.clone())
                .by_agent(hook.agent.clone())
                .at(at);
            let decision = engine.observe(event);
            let weight = match (counts, decision.verdict) {
                (Counts::AsWords, Verdict::Deny) => Verdict::Nudge,
                (Counts::OnlyHalt, Verdict::Nudge | Verdict::Deny) => Verdict::Allow,
                (_, verdict) => verdict,
            };
            let rank = |weight: Verdict, decision: &Decision| (weight, decision.would);
            let stricter = strictest
                .as_ref()
                .is_none_or(|(most, known)| rank(weight, &decision) > rank(*most, known));
            if stricter {
                strictest = Some((weight, decision));
            }
        }
        let answer = match &strictest {
            Some((verdict, decision)) => {
                let message = decision.message().unwrap_or_default();
                self.answer(hook, hooks, *verdict, message)
            }
            None => Answer::allow(),
        };
        Judged {
            decision: strictest.map(|(_, decision)| decision),
            answer,
        }
    }

    /// Forgets what was refused: a person lets the agent go on.
    pub fn lift(&mut self) {
        self.untold = None;
        self.let_through = 0;
        for open in &mut self.open {
            open.refused = None;
        }
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.made
    }

    fn plan(&mut self, hook: &Hook, hooks: &Hooks, at: i64) -> Plan {
        let mut planned = Vec::new();
        match &hook.happened {
            Happened::Call(call) => {
                let key = key(call);
                let token = call_token(call, key, hook.stamp);
                if let Some(open) = self.asked_before(token, at) {
                    return Plan::Again(open.refused.clone());
                }
                if hooks.results == Results::Unreported {
                    self.open.clear();
                    self.back = u32::from(self.made > 0);
                }
                if self.rounds == Rounds::Guessed && self.back > 0 {
                    self.end_round(&mut planned);
                }
                let id = self.enter(call, key, token, at);
                planned.push(Planned::fully(made(id, call)));
            }
            Happened::Result(call, ended) => {
                let key = key(call);
                if self.reported_before(call, key, (hook.stamp, at), ended) {
                    return Plan::Again(None);
                }
                let was_open = self.find(call, key).is_some();
                self.settle(call, key, ended, Counts::OnlyHalt, &mut planned);
                self.remember_result(call, key, (hook.stamp, at), ended, was_open);
                self.back = self.back.saturating_add(1);
            }
            Happened::Batch(calls) => {
                if self.batch_before(calls, at) {
                    return Plan::Again(None);
                }
                for (call, ended) in calls {
                    let key = key(call);
                    if !self.ended_in_round(call, key) {
                        self.settle(call, key, ended, Counts::AsWords, &mut planned);
                    }
                }
                self.batch_is_counted();
                self.rounds = Rounds::Told;
                self.end_round(&mut planned);
            }
            Happened::RoundOver => {
                self.rounds = Rounds::Told;
                self.round += 1;
                self.close_silent(&mut planned);
                if self.back > 0 || !planned.is_empty() {
                    self.end_round(&mut planned);
                }
            }
            Happened::Asked(call) => self.note_question(call),
            Happened::Said(text) => {
                let words = hash(&[text.as_bytes()]);
                let again = |(known, when): (u64, i64)| {
                    known == words && at.saturating_sub(when) < SAID_TWICE_WITHIN_MS
                };
                if self.said.is_some_and(again) {
                    return Plan::Again(None);
                }
                self.said = Some((words, at));
                if !text.trim().is_empty() {
                    planned.push(Planned::fully(Event::text(text.clone()).kind));
                }
                self.end_round(&mut planned);
            }
            // Any process can send these hooks, so neither lifts a halt, and warnings stay known.
            Happened::UserSpoke | Happened::Cleared => {
                if self.back > 0 || !self.open.is_empty() {
                    self.end_round(&mut planned);
                }
                planned.push(Planned::fully(EventKind::User));
            }
            Happened::Compacted => planned.push(Planned::fully(EventKind::Compaction)),
            Happened::Resumed | Happened::Started | Happened::GoesOn | Happened::Nothing => {}
        }
        if planned.is_empty() && hook.happened != Happened::Nothing {
            planned.push(Planned::fully(EventKind::Resume));
        }
        Plan::Events(planned)
    }

    fn enter(&mut self, call: &CallMade, key: u64, token: Option<u64>, at: i64) -> Box<str> {
        self.made += 1;
        let id = match &call.id {
            Some(id) => id.clone(),
            None => format!("{key:016x}.{}", self.made).into(),
        };
        // The engine, too, takes the newest call of an id.
        self.open.retain(|open| open.id != id || open.key != key);
        let open = Open {
            id: id.clone(),
            key,
            tool: call.tool.clone(),
            token,
            at,
            round: self.round,
            number: self.made,
            refused: None,
            asked: false,
        };
        push(&mut self.open, open, OPEN);
        id
    }

    /// The open call that this is: by its id, or the oldest one like it that may run.
    fn find(&self, call: &CallMade, key: u64) -> Option<usize> {
        let open = &self.open;
        let alike = |open: &Open| open.key == key;
        if let Some(id) = &call.id {
            let named = |open: &Open| open.id == *id;
            return open
                .iter()
                .rposition(|open| named(open) && alike(open))
                .or_else(|| open.iter().rposition(named));
        }
        let running = |open: &Open| alike(open) && open.refused.is_none();
        open.iter()
            .position(running)
            .or_else(|| open.iter().position(alike))
    }

    /// A call returned.
    fn settle(
        &mut self,
        call: &CallMade,
        key: u64,
        ended: &CallEnded,
        unseen: Counts,
        planned: &mut Vec<Planned>,
    ) {
        let open = self.find(call, key).and_then(|at| self.open.remove(at));
        let id = match open {
            // The result is our own denial: nothing was run.
            Some(open) if open.refused.is_some() && is_refusal(ended) => return,
            Some(open) => {
                // It was left to the host's question to end the run, and the host did not ask.
                if !open.asked && open.refused.is_some() {
                    self.asked.retain(|tool| *tool != open.tool);
                }
                open.id
            }
            // Its start was not reported. The refusal of such a call means nothing.
            None if ended.status == Status::Denied => return,
            None => {
                let id = self.enter(call, key, None, 0);
                self.open.pop_back();
                planned.push(Planned {
                    kind: made(id.clone(), call),
                    counts: unseen,
                });
                id
            }
        };
        let label = Call::new("", call.tool.clone(), call.args.clone()).label();
        planned.push(Planned::fully(came_back(id, ended, Some(label))));
    }

    /// Where a host reports no failures, a call without a result has failed; commands may still be running.
    fn close_silent(&mut self, planned: &mut Vec<Planned>) {
        let mut left = VecDeque::new();
        for open in self.open.drain(..) {
            if open.refused.is_some() {
                continue;
            }
            if &*open.tool == "Bash" {
                left.push_back(open);
                continue;
            }
            let status = if open.asked {
                Status::Denied
            } else {
                Status::Error
            };
            planned.push(Planned::fully(came_back(
                open.id,
                &CallEnded::new(status, None),
                None,
            )));
        }
        self.open = left;
    }

    fn end_round(&mut self, planned: &mut Vec<Planned>) {
        self.back = 0;
        self.round += 1;
        self.open.retain(|open| open.refused.is_none());
        planned.push(Planned::fully(Event::turn().kind));
    }

    fn note_question(&mut self, call: &CallMade) {
        if !self.asked.contains(&call.tool) {
            push(&mut self.asked, call.tool.clone(), ASKED);
        }
        let of_id = |open: &Open| call.id.as_ref().is_some_and(|id| open.id == *id);
        let of_tool = |open: &Open| open.tool == call.tool;
        let open = &self.open;
        let found = open
            .iter()
            .rposition(of_id)
            .or_else(|| open.iter().rposition(of_tool));
        if let Some(at) = found {
            self.open[at].asked = true;
        }
    }

    fn answer(&mut self, hook: &Hook, hooks: &Hooks, verdict: Verdict, message: &str) -> Answer {
        let verdict = match verdict {
            Verdict::Deny
                if hook.moment != Moment::BeforeCall || hooks.denial == Denial::Unavailable =>
            {
                Verdict::Nudge
            }
            verdict => verdict,
        };
        match verdict {
            Verdict::Deny | Verdict::Halt => {
                self.untold = None;
                let text = with_way_out(verdict, message, &hook.session);
                if hook.moment == Moment::BeforeCall
                    && let Some(open) = self.open.back_mut()
                {
                    open.refused = Some((verdict, text.clone()));
                    let ends_when_asked = hooks.halt == Halt::WhenAsked
                        && verdict == Verdict::Halt
                        && self.let_through < LET_THROUGH
                        && self.asked.contains(&open.tool);
                    if ends_when_asked {
                        self.let_through += 1;
                        // Denied here, the host would not ask, and only its question can end the run.
                        return Answer::allow();
                    }
                }
                Answer::new(verdict, text)
            }
            _ => {
                let said = (verdict == Verdict::Nudge).then(|| message.replacen(NOT_RUN, "", 1));
                self.say(hook.moment, hooks, said)
            }
        }
    }

    /// Says what is to be said now, or keeps it for the next moment at which the host hands it to the model.
    fn say(&mut self, moment: Moment, hooks: &Hooks, said: Option<String>) -> Answer {
        if !hooks.text_at.contains(&moment) {
            if let Some(said) = said {
                self.untold = Some(said.into());
            }
            return Answer::allow();
        }
        let texts: Vec<_> = self
            .untold
            .take()
            .map(String::from)
            .into_iter()
            .chain(said)
            .collect();
        if texts.is_empty() {
            return Answer::allow();
        }
        Answer::new(Verdict::Nudge, texts.join("\n\n"))
    }
}

impl Planned {
    fn fully(kind: EventKind) -> Self {
        Self {
            kind,
            counts: Counts::Fully,
        }
    }
}

fn made(id: Box<str>, call: &CallMade) -> EventKind {
    EventKind::Call(Call::new(id, call.tool.clone(), call.args.clone()))
}

fn came_back(id: Box<str>, ended: &CallEnded, label: Option<Box<str>>) -> EventKind {
    let mut outcome = Outcome::ok(id, unstuck::Json::null());
    outcome.status = ended.status;
    outcome.output.clone_from(&ended.output);
    outcome.exit_code = ended.exit_code;
    outcome.label = label;
    EventKind::Result(outcome)
}

/// Does the result only repeat that the call was refused?
fn is_refusal(ended: &CallEnded) -> bool {
    let said = ended.output.as_ref().map_or("", unstuck::Json::as_str);
    ended.status == Status::Denied || said.contains(MARKER)
}

fn push<T>(queue: &mut VecDeque<T>, item: T, capacity: usize) {
    while queue.len() >= capacity {
        queue.pop_front();
    }
    queue.push_back(item);
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
