//! One line of the wire contract to one event.

use std::{borrow::Cow, collections::VecDeque, mem};

use super::{Call, Event, EventKind, Outcome, Role, Step, Text, Timestamp, Usage};
use unstuck_json::{Json, JsonError, JsonKind, Scanner, Scratch};

/// Maximum length of a line in bytes.
pub const MAX_LINE_BYTES: usize = 64 << 20;

/// Reason why a line is not an event. The line is skipped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// Not JSON, or JSON that cannot be compared exactly.
    #[error("not an event: {0}")]
    Json(#[from] JsonError),
    /// JSON, but not an object.
    #[error("not an event: expected a JSON object, found {0}")]
    NotAnObject(JsonKind),
    /// No `event` field.
    #[error("not an event: the field `event` is missing")]
    NoKind,
    /// An `event` that this version does not know.
    #[error(
        "unknown event `{0}`; known are call, result, step, text, turn, user, retry, compaction, resume and reset"
    )]
    UnknownKind(Box<str>),
    /// A field that this kind of event needs.
    #[error("`{event}` needs the field `{field}`")]
    MissingField {
        /// The kind of event.
        event: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A field of the wrong type.
    #[error("the field `{field}` must be {expected}, found {found}")]
    WrongType {
        /// The field.
        field: &'static str,
        /// What it has to be.
        expected: &'static str,
        /// What it is.
        found: JsonKind,
    },
    /// A value that the field does not have.
    #[error("the field `{field}` must be one of {known}, found `{found}`")]
    UnknownWord {
        /// The field.
        field: &'static str,
        /// The values it has.
        known: &'static str,
        /// The value.
        found: Box<str>,
    },
    /// Longer than [`MAX_LINE_BYTES`].
    #[error("the line has {0} bytes, at most {MAX_LINE_BYTES} are read")]
    TooLong(usize),
}

/// Reads events line by line and keeps its buffers between them.
///
/// ```
/// let mut reader = unstuck::EventReader::default();
/// assert!(reader.read(br#"{"event":"turn"}"#).is_ok());
/// assert!(reader.read(b"{").is_err());
/// ```
#[derive(Default)]
pub struct EventReader {
    scratch: Scratch,
    unknown: UnknownFields,
}

/// A field that no event of the contract has. It was ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownField {
    /// The kind of the event that it was first seen on.
    pub event: Box<str>,
    /// Its name, at most 64 bytes of it.
    pub name: Box<str>,
}

/// Names of unknown fields, each noted once.
#[derive(Default)]
struct UnknownFields {
    names: Vec<Box<str>>,
    /// Names that have not been taken yet.
    fresh: VecDeque<UnknownField>,
}

impl UnknownFields {
    /// Different names that are noted in one stream.
    const MOST: usize = 64;
    const LONGEST: usize = 64;

    fn note(&mut self, event: &str, name: &str) {
        let name = &name[..unstuck_text::floor_char_boundary(name, Self::LONGEST)];
        if self.names.len() < Self::MOST && !self.names.iter().any(|known| **known == *name) {
            self.names.push(name.into());
            self.fresh.push_back(UnknownField {
                event: event.into(),
                name: name.into(),
            });
        }
    }
}

/// The fields of a line, before it is known which kind of event they make.
#[derive(Default)]
struct Fields<'a> {
    event: Option<Cow<'a, str>>,
    session: Option<Cow<'a, str>>,
    agent: Option<Cow<'a, str>>,
    swarm: Option<Cow<'a, str>>,
    at: Option<i64>,
    id: Option<Cow<'a, str>>,
    tool: Option<Cow<'a, str>>,
    args: Option<Json>,
    key: Option<Cow<'a, str>>,
    read_only: Option<bool>,
    idempotent: Option<bool>,
    status: Option<Cow<'a, str>>,
    output: Option<Json>,
    exit_code: Option<i64>,
    code: Option<Cow<'a, str>>,
    text: Option<Cow<'a, str>>,
    role: Option<Cow<'a, str>>,
    tokens: Option<i64>,
    cost: Option<f64>,
    /// Fields of a wrong type: an error only for an event that has such a field.
    wrong: Vec<EventError>,
    /// Names of fields that no event has, at most [`UnknownFields::MOST`].
    unknown: Vec<Cow<'a, str>>,
}

/// The fields that mean something to a kind of event, beside the ones every event has.
fn fields_of(event: &str) -> &'static [&'static str] {
    match event {
        "call" => &["id", "tool", "args", "key", "read_only", "idempotent"],
        "result" => &["id", "status", "output", "exit_code"],
        "step" => &["code", "output"],
        "text" => &["text", "role"],
        "user" => &["text"],
        "turn" => &["tokens", "cost"],
        _ => &[],
    }
}

impl EventReader {
    /// Reads one line, with or without its line end.
    pub fn read(&mut self, line: &[u8]) -> Result<Event, EventError> {
        if line.len() > MAX_LINE_BYTES {
            return Err(EventError::TooLong(line.len()));
        }
        // Lines are long and mostly text: checking them eight times as fast as `std` does is worth a dependency.
        let text = simdutf8::compat::from_utf8(line).map_err(|error| JsonError::Utf8 {
            at: error.valid_up_to(),
        })?;
        let mut scanner = Scanner::new(text, &mut self.scratch);
        let kind = scanner.peek_kind()?;
        if kind != JsonKind::Object {
            return Err(EventError::NotAnObject(kind));
        }
        let mut fields = Fields::read(&mut scanner)?;
        scanner.end()?;
        let unknown = mem::take(&mut fields.unknown);
        let kind = (!unknown.is_empty())
            .then(|| fields.event.clone())
            .flatten();
        let event = fields.into_event()?;
        for name in &unknown {
            self.unknown.note(kind.as_deref().unwrap_or_default(), name);
        }
        Ok(event)
    }

    /// Returns the next field that no event has, each name once in the life of the reader and 64 names at most. Lines
    /// that are errors add none.
    ///
    /// ```
    /// let mut reader = unstuck::EventReader::default();
    /// let call = br#"{"event":"call","id":1,"tool":"read","arguments":{"path":"a"}}"#;
    /// assert!(reader.read(call).is_ok());
    /// assert_eq!(&*reader.next_unknown_field().unwrap().name, "arguments");
    /// assert!(reader.read(call).is_ok());
    /// assert_eq!(reader.next_unknown_field(), None);
    /// ```
    pub fn next_unknown_field(&mut self) -> Option<UnknownField> {
        self.unknown.fresh.pop_front()
    }
}

impl std::fmt::Debug for EventReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventReader").finish_non_exhaustive()
    }
}

impl<'a> Fields<'a> {
    fn read(scanner: &mut Scanner<'a, '_>) -> Result<Self, EventError> {
        let mut fields = Self::default();
        scanner.begin_object()?;
        while let Some(name) = scanner.next_key()? {
            match &*name {
                "event" => fields.event = fields.keep(word(scanner, "event"))?,
                "session" => fields.session = fields.keep(word(scanner, "session"))?,
                "agent" => fields.agent = fields.keep(word(scanner, "agent"))?,
                "swarm" => fields.swarm = fields.keep(word(scanner, "swarm"))?,
                "at" => {
                    fields.at = fields.keep(integer(scanner, "at", "an integer (milliseconds)"))?;
                }
                "id" => fields.id = fields.keep(id(scanner, "id"))?,
                "tool" => fields.tool = fields.keep(word(scanner, "tool"))?,
                "args" => fields.args = Some(scanner.canonical()?),
                "key" => fields.key = fields.keep(id(scanner, "key"))?,
                "read_only" => fields.read_only = fields.keep(flag(scanner, "read_only"))?,
                "idempotent" => fields.idempotent = fields.keep(flag(scanner, "idempotent"))?,
                "status" => fields.status = fields.keep(word(scanner, "status"))?,
                "output" => fields.output = Some(scanner.canonical()?),
                "exit_code" => {
                    fields.exit_code = fields.keep(integer(scanner, "exit_code", "an integer"))?;
                }
                "code" => fields.code = fields.keep(word(scanner, "code"))?,
                "text" => fields.text = fields.keep(word(scanner, "text"))?,
                "role" => fields.role = fields.keep(word(scanner, "role"))?,
                "tokens" => {
                    fields.tokens = fields.keep(integer(scanner, "tokens", "a whole number"))?;
                }
                "cost" => fields.cost = fields.keep(number(scanner, "cost"))?,
                _ => {
                    scanner.skip_value()?;
                    if fields.unknown.len() < UnknownFields::MOST {
                        fields.unknown.push(name);
                    }
                }
            }
        }
        Ok(fields)
    }

    /// Sets a field of a wrong type aside until it is known whether it matters.
    fn keep<T>(&mut self, read: Result<Option<T>, EventError>) -> Result<Option<T>, EventError> {
        match read {
            Err(error @ EventError::WrongType { .. }) => {
                self.wrong.push(error);
                Ok(None)
            }
            read => read,
        }
    }

    fn into_event(mut self) -> Result<Event, EventError> {
        const COMMON: [&str; 5] = ["event", "session", "agent", "swarm", "at"];
        let kind = self.event.as_deref().unwrap_or_default();
        let matters = |error: &EventError| match error {
            EventError::WrongType { field, .. } => {
                COMMON.contains(field) || fields_of(kind).contains(field)
            }
            _ => true,
        };
        if let Some(at) = self.wrong.iter().position(matters) {
            return Err(self.wrong.swap_remove(at));
        }
        let Some(event) = &self.event else {
            return Err(EventError::NoKind);
        };
        let need = |event, field, value: Option<Cow<'a, str>>| {
            value
                .map(|value| Box::from(&*value))
                .ok_or(EventError::MissingField { event, field })
        };
        let owned = |value: Option<Cow<'a, str>>| value.map(|value| Box::from(&*value));
        let kind = match &**event {
            "call" => EventKind::Call(Call {
                id: need("call", "id", self.id)?,
                tool: need("call", "tool", self.tool)?,
                args: self.args.unwrap_or_else(Json::empty_object),
                key: owned(self.key),
                read_only: self.read_only,
                idempotent: self.idempotent,
                fingerprint: None,
            }),
            "result" => EventKind::Result(Outcome {
                id: need("result", "id", self.id)?,
                status: self.status.as_deref().unwrap_or("ok").parse()?,
                output: self.output,
                exit_code: self.exit_code,
                fingerprint: None,
                label: None,
            }),
            "step" => EventKind::Step(Step {
                code: need("step", "code", self.code)?,
                output: self.output,
            }),
            "text" => EventKind::Text(Text {
                text: need("text", "text", self.text)?,
                role: role(self.role.as_deref())?,
            }),
            "turn" => EventKind::Turn(Usage {
                tokens: u64::try_from(self.tokens.unwrap_or(0)).unwrap_or(0),
                cost_micros: micros(self.cost),
            }),
            "user" => EventKind::User,
            "retry" => EventKind::Retry,
            "compaction" => EventKind::Compaction,
            "resume" => EventKind::Resume,
            "reset" => EventKind::Reset,
            unknown => return Err(EventError::UnknownKind(unknown.into())),
        };
        Ok(Event {
            session: owned(self.session).unwrap_or_else(|| "default".into()),
            agent: owned(self.agent).unwrap_or_else(|| "main".into()),
            swarm: owned(self.swarm),
            at: self.at.map(Timestamp),
            line: None,
            kind,
        })
    }
}

/// A string; null stands for a field that is not there.
fn word<'a>(
    scanner: &mut Scanner<'a, '_>,
    field: &'static str,
) -> Result<Option<Cow<'a, str>>, EventError> {
    match scanner.peek_kind()? {
        JsonKind::String => Ok(Some(scanner.string()?)),
        found => null(scanner, field, "a string", found),
    }
}

/// A string, or a number taken as its text.
fn id<'a>(
    scanner: &mut Scanner<'a, '_>,
    field: &'static str,
) -> Result<Option<Cow<'a, str>>, EventError> {
    match scanner.peek_kind()? {
        JsonKind::String => Ok(Some(scanner.string()?)),
        JsonKind::Number => Ok(Some(Cow::Owned(scanner.canonical()?.as_str().to_owned()))),
        found => null(scanner, field, "a string or a number", found),
    }
}

fn integer(
    scanner: &mut Scanner<'_, '_>,
    field: &'static str,
    expected: &'static str,
) -> Result<Option<i64>, EventError> {
    match scanner.peek_kind()? {
        found @ JsonKind::Number => match scanner.canonical()?.view().integer() {
            Some(value) => Ok(Some(value)),
            None => Err(EventError::WrongType {
                field,
                expected,
                found,
            }),
        },
        found => null(scanner, field, expected, found),
    }
}

fn number(scanner: &mut Scanner<'_, '_>, field: &'static str) -> Result<Option<f64>, EventError> {
    match scanner.peek_kind()? {
        JsonKind::Number => Ok(scanner.canonical()?.view().number()),
        found => null(scanner, field, "a number", found),
    }
}

fn flag(scanner: &mut Scanner<'_, '_>, field: &'static str) -> Result<Option<bool>, EventError> {
    match scanner.peek_kind()? {
        JsonKind::Bool => Ok(scanner.canonical()?.view().boolean()),
        found => null(scanner, field, "true or false", found),
    }
}

fn null<T>(
    scanner: &mut Scanner<'_, '_>,
    field: &'static str,
    expected: &'static str,
    found: JsonKind,
) -> Result<Option<T>, EventError> {
    scanner.skip_value()?;
    if found == JsonKind::Null {
        return Ok(None);
    }
    Err(EventError::WrongType {
        field,
        expected,
        found,
    })
}

fn role(word: Option<&str>) -> Result<Role, EventError> {
    match word.unwrap_or("assistant") {
        "assistant" => Ok(Role::Assistant),
        "thinking" => Ok(Role::Thinking),
        found => Err(EventError::UnknownWord {
            field: "role",
            known: "assistant and thinking",
            found: found.into(),
        }),
    }
}

/// Money in millionths; zero for anything but an amount.
fn micros(cost: Option<f64>) -> u64 {
    let cost = cost.unwrap_or(0.0).clamp(0.0, 9e12);
    #[expect(clippy::cast_sign_loss, reason = "clamped to zero and above")]
    let micros = (cost * 1e6) as u64;
    micros
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
