//! Events: an agent's calls, results, texts and turns.
//!
//! These are the items of the wire contract, version 1. [`Event::parse`] reads one line of it; a library user builds
//! the same values with the constructors.

mod wire;

use std::str::FromStr;

use crate::fingerprint::Fingerprint;
use unstuck_json::Json;

pub use wire::{EventError, EventReader, MAX_LINE_BYTES, UnknownField};

/// A line number, small enough to be kept with every call.
pub(crate) type Line = u32;

/// Milliseconds on the caller's clock. Only differences matter.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Milliseconds from `earlier` to `self`, zero if the clock went back.
    pub fn since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// The time `milliseconds` later.
    pub(crate) fn after(self, milliseconds: u64) -> Self {
        let milliseconds = i64::try_from(milliseconds).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(milliseconds))
    }
}

/// One thing that happened to one agent of one session.
///
/// ```
/// use unstuck::{Call, Event, Json};
///
/// let call = Call::new("c1", "read_file", Json::parse(r#"{"path":"src/auth.py"}"#)?);
/// let event = Event::call(call).in_session("s1").at(1_760_000_000_000);
/// assert_eq!(&*event.agent, "main");
/// # Ok::<(), unstuck::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// The run this belongs to; `default` unless given.
    pub session: Box<str>,
    /// The agent within the session; `main` unless given.
    pub agent: Box<str>,
    /// The group in which repeated calls are counted together; the session unless given.
    pub swarm: Option<Box<str>>,
    /// Time of the event. Without it the clock does not advance.
    pub at: Option<Timestamp>,
    /// The line number that decisions and findings quote. Counted by the engine unless given.
    pub line: Option<u64>,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// The agent is about to call a tool.
    Call(Call),
    /// The result of a call.
    Result(Outcome),
    /// A compound action with its outcome, judged as one.
    Step(Step),
    /// The model wrote something.
    Text(Text),
    /// The model's turn ended and all its calls ran.
    Turn(Usage),
    /// A person sent a message.
    User,
    /// The provider replays the turn: the calls since the last turn are discarded.
    Retry,
    /// The context was compacted.
    Compaction,
    /// The session goes on in a new process.
    Resume,
    /// A person clears the session.
    Reset,
}

/// A tool call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// Pairs the call with its result.
    pub id: Box<str>,
    /// The tool's name.
    pub tool: Box<str>,
    /// The arguments.
    pub args: Json,
    /// Identity of the call as declared by the tool; it replaces the arguments.
    pub key: Option<Box<str>>,
    /// Whether the tool changes nothing.
    pub read_only: Option<bool>,
    /// Whether calling twice has the effect of calling once. Part of the wire contract; no rule reads it.
    pub idempotent: Option<bool>,
    /// What [`Fingerprinter::action`](crate::fingerprint::Fingerprinter::action) gives for tool and arguments under the secret of
    /// the settings, where the caller has it anyway: rules on swarms then need not hash them again. Within a session calls are
    /// compared by tool and arguments.
    pub fingerprint: Option<Fingerprint>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// It ran.
    #[default]
    Ok,
    /// It failed.
    Error,
    /// A person or a policy refused it.
    Denied,
    /// It was cancelled.
    Cancelled,
    /// It is still running.
    Pending,
}

impl Status {
    /// The word of the wire contract for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::Pending => "pending",
        }
    }
}

/// Reads the word of the wire contract.
///
/// ```
/// use unstuck::Status;
///
/// assert_eq!("denied".parse(), Ok(Status::Denied));
/// assert_eq!(Status::Denied.as_str(), "denied");
/// assert!("refused".parse::<Status>().is_err());
/// ```
impl FromStr for Status {
    type Err = EventError;

    fn from_str(word: &str) -> Result<Self, EventError> {
        match word {
            "ok" => Ok(Self::Ok),
            "error" => Ok(Self::Error),
            "denied" => Ok(Self::Denied),
            "cancelled" => Ok(Self::Cancelled),
            "pending" => Ok(Self::Pending),
            found => Err(EventError::UnknownWord {
                field: "status",
                known: "ok, error, denied, cancelled and pending",
                found: found.into(),
            }),
        }
    }
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The call's id.
    pub id: Box<str>,
    /// How it ended.
    pub status: Status,
    /// What it returned; `None` where nothing was recorded.
    pub output: Option<Json>,
    /// The exit code of a command.
    pub exit_code: Option<i64>,
    /// What [`Fingerprinter::canonical`](crate::fingerprint::Fingerprinter::canonical) gives for the output as an outcome under the
    /// secret of the settings, where the caller has it. Decisions do not depend on it.
    pub fingerprint: Option<Fingerprint>,
    /// The call's [`label`](Call::label), from a host that repeats the call with its result. Stored state names a call
    /// that was not seen before by its tool alone.
    pub label: Option<Box<str>>,
}

/// A compound action with its outcome.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// What was run.
    pub code: Box<str>,
    /// The output. `None`, null and the empty string are three different outcomes.
    pub output: Option<Json>,
}

/// Something the model wrote.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Text {
    /// The text.
    pub text: Box<str>,
    /// Whether it is a text for the user or a thought.
    pub role: Role,
}

/// Whether a text is addressed to the user or is a thought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A text for the user.
    #[default]
    Assistant,
    /// A thought.
    Thinking,
}

/// Cost of a turn, for budgets. Zero if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens read and written.
    pub tokens: u64,
    /// Money, in millionths of the currency the budget is set in.
    pub cost_micros: u64,
}

impl Event {
    /// An event of the agent `main` in the session `default`.
    pub fn new(kind: EventKind) -> Self {
        Self::of("default", "main", kind)
    }

    /// An event of an agent in a session.
    ///
    /// ```
    /// use unstuck::{Event, EventKind};
    ///
    /// let event = Event::new(EventKind::User).in_session("s1").by_agent("tester");
    /// assert_eq!(Event::of("s1", "tester", EventKind::User), event);
    /// ```
    pub fn of(session: impl Into<Box<str>>, agent: impl Into<Box<str>>, kind: EventKind) -> Self {
        Self {
            session: session.into(),
            agent: agent.into(),
            swarm: None,
            at: None,
            line: None,
            kind,
        }
    }

    /// A tool call.
    pub fn call(call: Call) -> Self {
        Self::new(EventKind::Call(call))
    }

    /// A call's result.
    pub fn result(outcome: Outcome) -> Self {
        Self::new(EventKind::Result(outcome))
    }

    /// A compound step.
    pub fn step(code: impl Into<Box<str>>, output: Option<Json>) -> Self {
        Self::new(EventKind::Step(Step {
            code: code.into(),
            output,
        }))
    }

    /// A text of the model.
    pub fn text(text: impl Into<Box<str>>) -> Self {
        Self::new(EventKind::Text(Text::new(text, Role::Assistant)))
    }

    /// The end of a turn.
    pub fn turn() -> Self {
        Self::new(EventKind::Turn(Usage::default()))
    }

    /// Puts the event into a session.
    #[must_use]
    pub fn in_session(mut self, session: impl Into<Box<str>>) -> Self {
        self.session = session.into();
        self
    }

    /// Names the agent.
    #[must_use]
    pub fn by_agent(mut self, agent: impl Into<Box<str>>) -> Self {
        self.agent = agent.into();
        self
    }

    /// Names the swarm.
    #[must_use]
    pub fn of_swarm(mut self, swarm: impl Into<Box<str>>) -> Self {
        self.swarm = Some(swarm.into());
        self
    }

    /// Sets the time of the event, in milliseconds.
    #[must_use]
    pub fn at(mut self, milliseconds: i64) -> Self {
        self.at = Some(Timestamp(milliseconds));
        self
    }

    /// Reads one line of the wire contract.
    ///
    /// ```
    /// use unstuck::Event;
    ///
    /// let event = Event::parse(br#"{"event":"turn","session":"s1"}"#)?;
    /// assert_eq!(event, Event::turn().in_session("s1"));
    /// # Ok::<(), unstuck::EventError>(())
    /// ```
    pub fn parse(line: &[u8]) -> Result<Self, EventError> {
        EventReader::default().read(line)
    }

    /// The swarm this event counts for.
    pub fn swarm_name(&self) -> &str {
        self.swarm.as_deref().unwrap_or(&self.session)
    }
}

impl Text {
    /// A text in a role.
    pub fn new(text: impl Into<Box<str>>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
        }
    }
}

impl Call {
    /// A call with an id, a tool and its arguments.
    pub fn new(id: impl Into<Box<str>>, tool: impl Into<Box<str>>, args: Json) -> Self {
        Self {
            id: id.into(),
            tool: tool.into(),
            args,
            key: None,
            read_only: None,
            idempotent: None,
            fingerprint: None,
        }
    }

    /// Declares the call's identity, in place of its arguments.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<Box<str>>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Declares that the tool changes nothing.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.read_only = Some(true);
        self
    }
}

impl Outcome {
    /// A call that ended like this; nothing is known of what it returned.
    pub fn new(id: impl Into<Box<str>>, status: Status) -> Self {
        Self {
            id: id.into(),
            status,
            output: None,
            exit_code: None,
            fingerprint: None,
            label: None,
        }
    }

    /// A call that ran and returned this.
    pub fn ok(id: impl Into<Box<str>>, output: Json) -> Self {
        Self {
            output: Some(output),
            ..Self::new(id, Status::Ok)
        }
    }

    /// A call that failed with this.
    pub fn error(id: impl Into<Box<str>>, output: Json) -> Self {
        Self {
            status: Status::Error,
            ..Self::ok(id, output)
        }
    }

    /// Adds the exit code of a command.
    #[must_use]
    pub fn with_exit_code(mut self, code: i64) -> Self {
        self.exit_code = Some(code);
        self
    }

    /// Whether the call failed: with an error, or as a command with an exit code other than 0.
    pub fn failed(&self) -> bool {
        match self.status {
            Status::Error => true,
            Status::Ok => self.exit_code.is_some_and(|code| code != 0),
            Status::Denied | Status::Cancelled | Status::Pending => false,
        }
    }

    /// Whether the call ran to its end. A refused call is not evidence about the agent.
    pub fn settled(&self) -> bool {
        matches!(self.status, Status::Ok | Status::Error)
    }
}
