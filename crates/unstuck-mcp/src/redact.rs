//! Takes secrets out of arguments before they are recorded.

use std::fmt::Write as _;

use unstuck::{Json, settings::ToolPattern};
use unstuck_text::JsonRedactor;
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
        let redactor = match self.arguments {
            RecordedArguments::Raw => JsonRedactor::only(&hidden),
            _ => JsonRedactor::secrets_and(&hidden),
        };
        redactor.push(arguments, out);
    }
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
