//! What an excerpt may show of an event.

use std::borrow::Cow;

use unstuck::{Event, EventKind, Json, Role, Status};
use unstuck_json::JsonKind;
use unstuck_text::{cut, readable, redact_json};

use super::work::Excerpts;

/// Characters of arguments and of results that are shown.
const SHOWN: usize = 4_000;
/// Bytes that are looked at to show something. Longer values are rendered at once, so that they need not be kept.
const LOOK: usize = 32 << 10;
/// Members of an object that are shown.
const MEMBERS: usize = 32;

/// An event of which an excerpt may show something.
#[derive(Debug)]
pub(crate) enum Seen {
    Call {
        id: Box<str>,
        place: Place,
        tool: Box<str>,
        args: Content,
    },
    Result {
        id: Box<str>,
        status: &'static str,
        exit_code: Option<i64>,
        output: Content,
    },
    Step {
        place: Place,
        code: String,
        output: Content,
    },
    Text {
        place: Place,
        role: Role,
        text: String,
    },
}

/// Where and when an event was recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Line of the file; 0 where it is unknown.
    pub(crate) line: u64,
    /// In milliseconds since 1970.
    pub(crate) at: Option<i64>,
}

/// Arguments or an output.
#[derive(Debug)]
pub(crate) enum Content {
    Arguments(Json),
    Output(Json),
    /// As it is shown.
    Rendered(String),
}

impl Seen {
    /// Takes over what an excerpt may show, if it shows anything of such events.
    pub(crate) fn of(event: &Event, excerpts: Excerpts) -> Option<Self> {
        let place = Place {
            line: event.line.unwrap_or(0),
            at: event.at.map(|at| at.0),
        };
        Some(match &event.kind {
            EventKind::Call(call) => Self::Call {
                id: call.id.clone(),
                place,
                tool: call.tool.clone(),
                args: Content::of_arguments(&call.args, excerpts),
            },
            EventKind::Result(outcome) => Self::Result {
                id: outcome.id.clone(),
                status: match outcome.status {
                    Status::Ok if outcome.failed() => "error",
                    Status::Ok => "ok",
                    Status::Error => "error",
                    Status::Denied => "denied",
                    Status::Cancelled => "cancelled",
                    Status::Pending => "pending",
                    _ => "",
                },
                exit_code: outcome.exit_code,
                output: Content::of_output(outcome.output.as_ref(), excerpts),
            },
            EventKind::Step(step) => Self::Step {
                place,
                code: cut(&step.code, SHOWN),
                output: Content::of_output(step.output.as_ref(), excerpts),
            },
            EventKind::Text(text) => Self::Text {
                place,
                role: text.role,
                text: cut(&text.text, SHOWN),
            },
            _ => return None,
        })
    }

    /// Whether it is one of the calls that are counted.
    pub(crate) fn is_call(&self) -> bool {
        matches!(self, Self::Call { .. } | Self::Step { .. })
    }

    /// Bytes of its texts.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Call { id, tool, args, .. } => id.len() + tool.len() + args.bytes(),
            Self::Result { id, output, .. } => id.len() + output.bytes(),
            Self::Step { code, output, .. } => code.len() + output.bytes(),
            Self::Text { text, .. } => text.len(),
        }
    }
}

impl Content {
    fn of_arguments(arguments: &Json, excerpts: Excerpts) -> Self {
        if arguments.as_str().len() > LOOK {
            return Self::Rendered(shown_arguments(arguments, excerpts));
        }
        Self::Arguments(arguments.clone())
    }

    fn of_output(output: Option<&Json>, excerpts: Excerpts) -> Self {
        match output {
            None => Self::Rendered(String::new()),
            Some(output) if output.as_str().len() > LOOK => {
                Self::Rendered(shown_output(output, excerpts))
            }
            Some(output) => Self::Output(output.clone()),
        }
    }

    /// The text that is shown.
    pub(crate) fn shown(&self, excerpts: Excerpts) -> String {
        match self {
            Self::Arguments(arguments) => shown_arguments(arguments, excerpts),
            Self::Output(output) => shown_output(output, excerpts),
            Self::Rendered(text) => text.clone(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Arguments(json) | Self::Output(json) => json.as_str().len(),
            Self::Rendered(text) => text.len(),
        }
    }
}

/// A command as it was typed, with its other arguments below it; anything else as indented JSON. One tool's calls look
/// alike, whichever arguments each of them has, so that a comparison shows what differs and nothing else.
fn shown_arguments(arguments: &Json, excerpts: Excerpts) -> String {
    let arguments = without_secrets(arguments, excerpts);
    let (mut command, mut others) = (None, String::new());
    for (name, value) in arguments.view().members().take(MEMBERS) {
        let text = value.text();
        match (&*name, text) {
            ("command" | "cmd" | "code" | "input", Some(text)) if command.is_none() => {
                command = Some(cut(&text, SHOWN));
            }
            (name, text) => {
                let value = text.as_deref().unwrap_or(value.as_str());
                others = others + "\n" + name + ": " + &cut(value, SHOWN);
            }
        }
    }
    if let Some(command) = command {
        return cut(&(command + &others), SHOWN);
    }
    let text = arguments.as_str();
    let value: Option<serde_json::Value> = (text.len() <= LOOK)
        .then(|| serde_json::from_str(text).ok())
        .flatten();
    let pretty = value.and_then(|value| serde_json::to_string_pretty(&value).ok());
    cut(pretty.as_deref().unwrap_or(text), SHOWN)
}

fn shown_output(output: &Json, excerpts: Excerpts) -> String {
    let output = without_secrets(output, excerpts);
    let text = output.as_str();
    cut(&readable(&text[..text.floor_char_boundary(LOOK)]), SHOWN)
}

/// A value without secrets, unless they are wanted. Lists and objects are redacted before they are printed: printed, the
/// words of a command are on lines of their own. Texts are redacted with the report.
fn without_secrets(value: &Json, excerpts: Excerpts) -> Cow<'_, Json> {
    if excerpts == Excerpts::Raw || value.view().kind() == JsonKind::String {
        return Cow::Borrowed(value);
    }
    Cow::Owned(redact_json(value))
}

#[cfg(test)]
#[path = "seen_tests.rs"]
mod tests;
