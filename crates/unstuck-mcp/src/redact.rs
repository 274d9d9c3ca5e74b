//! Takes secrets out of arguments before they are recorded.

use std::fmt::Write as _;

use unstuck::{Json, JsonKind, JsonRef, ToolPattern};

pub(crate) use unstuck_text::REDACTED;
pub use unstuck_text::redact;

/// Longer arguments are recorded by size and hash alone.
const LONGEST: usize = 16 << 10;

/// Takes secrets out of arguments.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    fields: Vec<(ToolPattern, Box<str>)>,
    arguments: RecordedArguments,
}

/// How much of the arguments is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordedArguments {
    /// All that does not look like a secret.
    #[default]
    Redacted,
    /// Nothing but size and hash.
    None,
    /// Everything, secrets included.
    Raw,
}

impl Redactor {
    /// A redactor that records this much.
    pub fn new(arguments: RecordedArguments) -> Self {
        Self {
            fields: Vec::new(),
            arguments,
        }
    }

    /// Never records this field of the tools that match, at whatever depth it stands.
    pub fn hide(&mut self, tool: ToolPattern, field: &str) {
        self.fields.push((tool, field.into()));
    }

    /// The arguments as they may be recorded, as JSON.
    pub(crate) fn arguments(&self, tool: &str, arguments: &Json, out: &mut String) {
        let text = arguments.as_str();
        if self.arguments == RecordedArguments::None || text.len() > LONGEST {
            // Writing to a string cannot fail.
            let _ = write!(out, "\"[{} bytes]\"", text.len());
            return;
        }
        if self.arguments == RecordedArguments::Raw && self.fields.is_empty() {
            out.push_str(text);
            return;
        }
        let hidden = self.fields.iter();
        let hidden = hidden.filter(|(pattern, _)| pattern.matches(tool));
        let hidden: Vec<&str> = hidden.map(|(_, field)| &**field).collect();
        let walk = Walk {
            hidden: &hidden,
            arguments: self.arguments,
        };
        walk.value(arguments.view(), out);
    }
}

struct Walk<'a> {
    hidden: &'a [&'a str],
    arguments: RecordedArguments,
}

impl Walk<'_> {
    fn value(&self, value: JsonRef<'_>, out: &mut String) {
        match value.kind() {
            JsonKind::Object => {
                out.push('{');
                for (place, (name, value)) in value.members().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    self.string(&name, out);
                    out.push(':');
                    if self.hides(&name, value) {
                        push_string(REDACTED, out);
                    } else {
                        self.value(value, out);
                    }
                }
                out.push('}');
            }
            JsonKind::Array => {
                out.push('[');
                for (place, value) in value.elements().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    self.value(value, out);
                }
                out.push(']');
            }
            JsonKind::String => match value.text() {
                Some(text) => self.string(&text, out),
                None => out.push_str("null"),
            },
            // A card's number may come as a number.
            JsonKind::Number if self.arguments == RecordedArguments::Redacted => {
                let text = value.as_str();
                if redact(text) == text {
                    out.push_str(text);
                } else {
                    push_string(REDACTED, out);
                }
            }
            _ => out.push_str(value.as_str()),
        }
    }

    fn string(&self, text: &str, out: &mut String) {
        match self.arguments {
            RecordedArguments::Redacted => push_string(&redact(text), out),
            _ => push_string(text, out),
        }
    }

    fn hides(&self, name: &str, value: JsonRef<'_>) -> bool {
        if self.hidden.contains(&name) {
            return true;
        }
        let telling = !matches!(value.kind(), JsonKind::Bool | JsonKind::Null);
        // `max_tokens` counts.
        let counts = value.kind() == JsonKind::Number && name.ends_with('s');
        self.arguments == RecordedArguments::Redacted
            && telling
            && !counts
            && unstuck_text::names_a_secret(name)
    }
}

pub(crate) fn push_string(text: &str, out: &mut String) {
    // To the end, found or not: so it compiles to vector instructions.
    let odd = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    if text.bytes().fold(false, |found, byte| found | odd(byte)) {
        out.push_str(Json::string(text).as_str());
    } else {
        out.push('"');
        out.push_str(text);
        out.push('"');
    }
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
