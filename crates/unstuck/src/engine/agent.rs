//! A handle for one agent that pairs calls with their results.

use serde::Serialize;
use unstuck_json::{Json, JsonError};

use super::Engine;
use crate::{
    decision::{Decision, Verdict},
    event::{Call, Event, EventKind, Outcome, Role, Status, Text, Timestamp, Usage},
};

/// One agent of one session, for a program that runs the agent's loop itself. Made by [`Engine::agent`].
///
/// [`before`](Self::before) asks whether a call may run and returns a [`Permit`]; the permit goes back with the result.
/// The handle makes up the ids that pair the two, so several calls of one turn may be under way at a time. Arguments and
/// results are whatever serde can write.
///
/// The handle keeps the time and the swarm for the events that it emits, and nothing else: everything known about the
/// agent is in the engine. It may be dropped and made again between any two events, and permits stay valid.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use unstuck::{Before, Engine, Settings};
///
/// let mut engine = Engine::new(Settings::default());
/// let mut agent = engine.agent("session", "main");
/// let mut messages = Vec::new();
/// for turn in 1..=9 {
///     // The engine has no clock: time comes from the caller, in milliseconds.
///     agent.at(turn * 2_000);
///     let args = BTreeMap::from([("path", "src/auth.py")]);
///     match agent.before("read_file", &args)? {
///         Before::Permit(permit) => {
///             // A nudge is text for the model; the call runs.
///             messages.extend(permit.nudge().map(str::to_owned));
///             let decision = agent.finish(permit, "def login(): ...")?;
///             messages.extend(decision.message().map(str::to_owned));
///         }
///         // The call does not run; the model gets the message in place of a result.
///         Before::Denied(decision) => messages.extend(decision.message().map(str::to_owned)),
///     }
///     if !agent.turn().permits() {
///         break;
///     }
/// }
/// assert!(messages[0].contains("read_file src/auth.py"));
/// assert_eq!(messages.len(), 7);
/// # Ok::<(), unstuck::JsonError>(())
/// ```
#[derive(Debug)]
pub struct Agent<'e> {
    engine: &'e mut Engine,
    session: Box<str>,
    name: Box<str>,
    swarm: Option<Box<str>>,
    now: Option<Timestamp>,
}

/// The answer to a call that is about to run.
#[derive(Debug)]
pub enum Before {
    /// The call may run.
    Permit(Permit),
    /// The call must not run. A decision of [`Verdict::Halt`] ends the run as well.
    Denied(Decision),
}

/// Permission to run one call, to be given back with its result.
///
/// A plain token without a lifetime: it can be stored, sent to another thread, and given to another handle of the same
/// agent. A permit that is dropped leaves its call without a result, like a call that was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "give the permit back with the result of the call"]
pub struct Permit {
    id: Box<str>,
    decision: Decision,
}

impl<'e> Agent<'e> {
    pub(super) fn new(engine: &'e mut Engine, session: &str, name: &str) -> Self {
        Self {
            engine,
            session: session.into(),
            name: name.into(),
            swarm: None,
            now: None,
        }
    }

    /// Counts the calls of this agent for a swarm; for its session unless given.
    #[must_use]
    pub fn in_swarm(mut self, swarm: &str) -> Self {
        self.swarm = Some(swarm.into());
        self
    }

    /// Sets the time of the events that follow, in milliseconds on the caller's clock. Without it the clock does not advance.
    pub fn at(&mut self, milliseconds: i64) -> &mut Self {
        self.now = Some(Timestamp(milliseconds));
        self
    }

    /// Asks whether a call may run, and counts it.
    ///
    /// # Errors
    ///
    /// If the arguments have no JSON form. The call is not counted then.
    pub fn before(
        &mut self,
        tool: &str,
        args: &(impl Serialize + ?Sized),
    ) -> Result<Before, JsonError> {
        let args = Json::from_serialize(args)?;
        let id = self.engine.new_call_id();
        Ok(self.before_call(Call::new(id, tool, args)))
    }

    /// Asks whether a call may run, and counts it. For callers that set more of a call than its tool and
    /// arguments, or have ids of their own.
    pub fn before_call(&mut self, call: Call) -> Before {
        let id = call.id.clone();
        let decision = self.observe(EventKind::Call(call));
        if decision.permits() {
            Before::Permit(Permit { id, decision })
        } else {
            Before::Denied(decision)
        }
    }

    /// Reports what a call returned.
    ///
    /// # Errors
    ///
    /// If the output has no JSON form. The call is left without a result then.
    pub fn finish(
        &mut self,
        permit: Permit,
        output: &(impl Serialize + ?Sized),
    ) -> Result<Decision, JsonError> {
        let output = Json::from_serialize(output)?;
        Ok(self.finish_call(Outcome::ok(permit.id, output)))
    }

    /// Reports that a call failed, and with which error.
    ///
    /// # Errors
    ///
    /// If the error has no JSON form. The call is left without a result then.
    pub fn fail(
        &mut self,
        permit: Permit,
        error: &(impl Serialize + ?Sized),
    ) -> Result<Decision, JsonError> {
        let error = Json::from_serialize(error)?;
        Ok(self.finish_call(Outcome::error(permit.id, error)))
    }

    /// Reports that a call was cancelled.
    pub fn cancel(&mut self, permit: Permit) -> Decision {
        self.finish_call(Outcome::new(permit.id, Status::Cancelled))
    }

    /// Reports an outcome by the id of its call, which is [`Permit::id`]. For callers that set more than the output,
    /// such as an exit code.
    pub fn finish_call(&mut self, outcome: Outcome) -> Decision {
        self.observe(EventKind::Result(outcome))
    }

    /// Reports the end of the model's turn: all its calls ran.
    pub fn turn(&mut self) -> Decision {
        self.observe(EventKind::Turn(Usage::default()))
    }

    /// Reports what the model wrote. Several texts within one turn are one stream.
    pub fn text(&mut self, text: &str) -> Decision {
        self.observe(EventKind::Text(Text::new(text, Role::Assistant)))
    }

    /// Reports a message of a person.
    pub fn user(&mut self) -> Decision {
        self.observe(EventKind::User)
    }

    /// Forgets everything about this agent and lifts a halt.
    pub fn reset(&mut self) -> Decision {
        self.observe(EventKind::Reset)
    }

    /// Reports anything that happened to this agent.
    pub fn observe(&mut self, kind: EventKind) -> Decision {
        let mut event = Event::of(self.session.clone(), self.name.clone(), kind);
        event.swarm.clone_from(&self.swarm);
        event.at = self.now;
        self.engine.observe(event)
    }
}

impl Permit {
    /// The id of the call, equal in its result.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The text for the model that comes with the permission, if any. The call runs all the same.
    pub fn nudge(&self) -> Option<&str> {
        let nudges = self.decision.verdict == Verdict::Nudge;
        self.decision.message().filter(|_| nudges)
    }

    /// The whole decision about the call.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }
}
