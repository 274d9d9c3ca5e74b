//! One hook, read: what happened, in which agent, and when in the life of a call.

use unstuck::{Json, JsonError, Status, settings::Attendance};

use crate::hosts::Host;

/// The input of a hook.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hook {
    /// Who really called: a host may run hooks that were registered for another one.
    pub host: Host,
    /// The run.
    pub session: Box<str>,
    /// The agent within it; `main` unless it is a sub-agent.
    pub agent: Box<str>,
    /// Where the agent works.
    pub directory: Option<Box<str>>,
    /// Whether a person watches, where the host tells.
    pub attendance: Option<Attendance>,
    /// The event, as the host calls it.
    pub name: Box<str>,
    /// When it fires.
    pub moment: Moment,
    /// When it happened on the host's clock, in milliseconds. Tells a hook that fired twice from a call made twice.
    pub stamp: Option<i64>,
    /// What happened.
    pub happened: Happened,
}

/// When a hook fires. What can be answered depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moment {
    /// A call is about to run.
    BeforeCall,
    /// A call returned.
    AfterCall,
    /// A call failed, where the host has an event of its own for that.
    AfterFailure,
    /// All calls of one step of the model returned.
    AfterBatch,
    /// The host asks whether a call may run.
    Permission,
    /// A person said something.
    Prompt,
    /// The run goes on with the results of its calls, where the host has an event for that.
    Continuation,
    /// The model is about to be asked.
    ModelRequest,
    /// The agent ended its turn.
    Stop,
    /// The session begins or goes on.
    SessionStart,
    /// Anything else.
    Other,
}

/// What happened, in terms of calls.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Happened {
    /// A call is about to run.
    Call(CallMade),
    /// A call returned.
    Result(CallMade, CallEnded),
    /// All calls of a step returned, also those that no other hook reported.
    Batch(Vec<(CallMade, CallEnded)>),
    /// The host asks about a call.
    Asked(CallMade),
    /// The model ended its turn, with these words.
    Said(Box<str>),
    /// A person spoke.
    UserSpoke,
    /// All calls of a step returned; the host does not say which.
    RoundOver,
    /// The context was compacted.
    Compacted,
    /// The session goes on after a break.
    Resumed,
    /// A person cleared the context. Hosts that begin a new session with that give it a new id.
    Cleared,
    /// The session began.
    Started,
    /// The run continues without anything new.
    GoesOn,
    /// Nothing that matters here.
    Nothing,
}

/// A call, as a hook names it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CallMade {
    /// Some hosts name none.
    pub id: Option<Box<str>>,
    /// The tool's name.
    pub tool: Box<str>,
    /// The arguments.
    pub args: Json,
}

/// How a call ended, as a hook tells it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CallEnded {
    /// How it ended.
    pub status: Status,
    /// What it returned.
    pub output: Option<Json>,
    /// The exit code of a command.
    pub exit_code: Option<i64>,
}

/// Why a hook's input was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// Not JSON.
    #[error("the hook input is not JSON: {0}")]
    NotJson(#[from] JsonError),
    /// JSON, but no object.
    #[error("the hook input is not a JSON object")]
    NoObject,
    /// Something that is needed is not there.
    #[error("the hook input of {host} has no `{field}`")]
    Missing {
        /// Whose hook it is.
        host: Host,
        /// What is missing.
        field: &'static str,
    },
}

impl Hook {
    /// The names that the host, a client of it or the model chose.
    pub(crate) fn names(&mut self) -> Vec<&mut Box<str>> {
        let mut names = vec![&mut self.session, &mut self.agent, &mut self.name];
        match &mut self.happened {
            Happened::Call(call) | Happened::Asked(call) | Happened::Result(call, _) => {
                names.extend(call.names());
            }
            Happened::Batch(calls) => {
                names.extend(calls.iter_mut().flat_map(|(call, _)| call.names()));
            }
            _ => {}
        }
        names
    }
}

impl CallMade {
    fn names(&mut self) -> impl Iterator<Item = &mut Box<str>> {
        self.id.iter_mut().chain([&mut self.tool])
    }

    pub(crate) fn new(id: Option<Box<str>>, tool: impl Into<Box<str>>, args: Json) -> Self {
        Self {
            id,
            tool: tool.into(),
            args,
        }
    }
}

impl CallEnded {
    pub(crate) fn new(status: Status, output: Option<Json>) -> Self {
        Self {
            status,
            output,
            exit_code: None,
        }
    }

    pub(crate) fn ok(output: Option<Json>) -> Self {
        Self::new(Status::Ok, output)
    }

    /// With the exit code of a command. Most hosts call a command that failed a success; here it is none.
    pub(crate) fn exited(mut self, code: Option<i64>) -> Self {
        self.exit_code = code;
        if self.status == Status::Ok && code.is_some_and(|code| code != 0) {
            self.status = Status::Error;
        }
        self
    }
}
