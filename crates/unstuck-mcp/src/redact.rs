//! Takes secrets out of arguments before they are recorded.

use std::{borrow::Cow, fmt::Write as _};

use unstuck::{Json, settings::ToolPattern};
use unstuck_json::{JsonKind, JsonRef};

use unstuck_text::Arguments;
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

/// A JSON value without what looks like a secret, as the audit records arguments: texts are judged by the member, the
/// command or the pair they belong to. To be called before a value is printed, because its text alone tells less.
///
/// ```
/// let arguments = unstuck::Json::parse(r#"{"argv":["mysql","-psword","db"]}"#).unwrap();
/// assert_eq!(unstuck_mcp::redact_json(&arguments).as_str(), r#"{"argv":["mysql","-p[redacted]","db"]}"#);
/// ```
pub fn redact_json(value: &Json) -> Json {
    let walk = Walk {
        hidden: &[],
        arguments: RecordedArguments::Redacted,
    };
    let mut out = String::with_capacity(value.as_str().len());
    walk.value(value.view(), &mut out);
    // What the walk writes is JSON.
    Json::parse(&out).unwrap_or_else(|_| Json::string(REDACTED))
}

struct Walk<'a> {
    hidden: &'a [&'a str],
    arguments: RecordedArguments,
}

/// Members that name what another member of the same object holds, in small letters, in order.
const NAMES: [&str; 25] = [
    "attribute",
    "element",
    "envname",
    "field",
    "flag",
    "header",
    "id",
    "k",
    "key",
    "label",
    "locator",
    "name",
    "option",
    "param",
    "parameter",
    "parameterkey",
    "parametername",
    "placeholder",
    "property",
    "selector",
    "setting",
    "type",
    "var",
    "variable",
    "variablename",
];

/// Members that hold what another one names, in small letters, in order.
const VALUES: [&str; 13] = [
    "content",
    "default",
    "envvalue",
    "new_value",
    "newvalue",
    "parametervalue",
    "stringvalue",
    "text",
    "v",
    "val",
    "value",
    "valuefrom",
    "values",
];

/// Members that hold the words of a command, and members that hold its program, in order.
const WORDS: [&str; 6] = ["args", "arguments", "argv", "flags", "options", "params"];
const PROGRAMS: [&str; 7] = [
    "binary",
    "cmd",
    "command",
    "exe",
    "executable",
    "file",
    "program",
];

/// Whether a table has a name, whatever its case.
fn has(table: &[&str], name: &str) -> bool {
    /// No name of a table is longer.
    const LONGEST: usize = 14;
    let mut small = [0; LONGEST];
    let Some(small) = small.get_mut(..name.len()) else {
        return false;
    };
    small.copy_from_slice(name.as_bytes());
    small.make_ascii_lowercase();
    table
        .binary_search_by(|known| known.as_bytes().cmp(small))
        .is_ok()
}

impl Walk<'_> {
    fn value(&self, value: JsonRef<'_>, out: &mut String) {
        match value.kind() {
            JsonKind::Object => self.object(value, out),
            JsonKind::Array => self.list(value, Arguments::default(), out),
            JsonKind::String => match value.text() {
                Some(text) => self.string(&text, out),
                None => out.push_str("null"),
            },
            // A card's number may come as a number.
            JsonKind::Number if self.redacts() => {
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

    fn object(&self, object: JsonRef<'_>, out: &mut String) {
        out.push('{');
        let members: Vec<_> = object.members().collect();
        // Looked for once, where a member may be a part of a pair.
        let mut pair = None;
        for (place, (name, value)) in members.iter().enumerate() {
            let value = *value;
            if place > 0 {
                out.push(',');
            }
            self.string(name, out);
            out.push(':');
            let paired =
                members.len() > 1 && self.redacts() && (has(&VALUES, name) || has(&NAMES, name));
            let pair = paired.then(|| &*pair.get_or_insert_with(|| Pair::of(&members)));
            let hides = match pair {
                Some(pair) if pair.is_complete() => {
                    self.hidden.contains(&&**name) || has(&VALUES, name) && pair.hides(value)
                }
                _ => self.hides(name, value),
            };
            if hides {
                push_string(REDACTED, out);
            } else if value.kind() == JsonKind::Array && self.redacts() && has(&WORDS, name) {
                self.list(value, words_of(&members), out);
            } else {
                self.value(value, out);
            }
        }
        out.push('}');
    }

    /// Elements of a list, of which texts may be the words of a command or names and values in turn.
    fn list(&self, list: JsonRef<'_>, mut words: Arguments, out: &mut String) {
        out.push('[');
        for (place, value) in list.elements().enumerate() {
            if place > 0 {
                out.push(',');
            }
            match value.kind() {
                JsonKind::String if self.redacts() => {
                    let text = value.text().unwrap_or_default();
                    push_string(&words.redact(&text), out);
                }
                JsonKind::Array if self.redacts() => self.couple(value, out),
                _ => self.value(value, out),
            }
        }
        out.push(']');
    }

    /// A list in a list, which may be a name and its value.
    fn couple(&self, list: JsonRef<'_>, out: &mut String) {
        let mut elements = list.elements();
        let (name, value, more) = (elements.next(), elements.next(), elements.next());
        if let (Some(name), Some(value), None) = (name, value, more)
            && let Some(name) = name.text()
            && unstuck_text::names_secret_value(&name, value.as_str())
        {
            out.push('[');
            self.string(&name, out);
            out.push(',');
            push_string(REDACTED, out);
            out.push(']');
        } else {
            self.value(list, out);
        }
    }

    fn redacts(&self) -> bool {
        self.arguments == RecordedArguments::Redacted
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

type Member<'a> = (Cow<'a, str>, JsonRef<'a>);

/// A name and a value that are members of one object: `{"name": "DB_PASSWORD", "value": "…"}`.
#[derive(Default)]
struct Pair {
    names: Vec<String>,
    has_value: bool,
}

impl Pair {
    fn of(members: &[Member<'_>]) -> Self {
        /// More names are not those of one value.
        const MOST: usize = 24;
        let mut pair = Self::default();
        for (name, value) in members {
            if has(&VALUES, name) {
                pair.has_value = true;
            } else if pair.names.len() < MOST
                && has(&NAMES, name)
                && value.kind() == JsonKind::String
                && let Some(text) = value.text()
            {
                pair.names.push(text.into_owned());
            }
        }
        pair
    }

    fn is_complete(&self) -> bool {
        self.has_value && !self.names.is_empty()
    }

    /// Whether one of the names says that the value is secret.
    fn hides(&self, value: JsonRef<'_>) -> bool {
        let telling = !matches!(value.kind(), JsonKind::Bool | JsonKind::Null);
        // What stands for a value is a text: `${SECRET}`.
        let value = value.as_str().trim_start_matches(['{', '[']);
        let secret = |name: &String| unstuck_text::names_secret_value(name, value);
        telling && self.names.iter().any(secret)
    }
}

/// The words of the program that another member names.
fn words_of(members: &[Member<'_>]) -> Arguments {
    let mut programs = members.iter().filter(|(name, _)| has(&PROGRAMS, name));
    let program = programs.find_map(|(_, program)| match program.kind() {
        JsonKind::String => program.text(),
        // `"command": ["mysql"]`
        JsonKind::Array => program.elements().next()?.text(),
        _ => None,
    });
    match program {
        Some(program) => Arguments::of(&program),
        None => Arguments::default(),
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
