//! Takes secrets out of JSON, by its shape.

use std::borrow::Cow;

use unstuck_json::{Json, JsonKind, JsonRef};

use super::{Arguments, REDACTED, names_a_secret, names_secret_value, redact};

/// Returns a JSON value without what looks like a secret: texts are judged by the member, the command or the pair they
/// belong to. Call this before a value is printed, because its text alone shows less.
///
/// ```
/// let arguments = unstuck_json::Json::parse(r#"{"argv":["mysql","-psword","db"]}"#).unwrap();
/// assert_eq!(unstuck_text::redact_json(&arguments).as_str(), r#"{"argv":["mysql","-p[redacted]","db"]}"#);
/// ```
pub fn redact_json(value: &Json) -> Json {
    let mut out = String::with_capacity(value.as_str().len());
    JsonRedactor::default().push(value, &mut out);
    // What is written here is JSON.
    Json::parse(&out).unwrap_or_else(|_| Json::string(REDACTED))
}

/// Which parts of a JSON value are replaced.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonRedactor<'a> {
    hidden: &'a [&'a str],
    taken_out: TakenOut,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TakenOut {
    #[default]
    Secrets,
    HiddenMembers,
}

impl<'a> JsonRedactor<'a> {
    /// Replaces the members with these names, at any depth, as well as what looks like a secret.
    pub fn secrets_and(hidden: &'a [&'a str]) -> Self {
        Self {
            hidden,
            taken_out: TakenOut::Secrets,
        }
    }

    /// Replaces the members with these names, at any depth, and nothing else.
    pub fn only(hidden: &'a [&'a str]) -> Self {
        Self {
            hidden,
            taken_out: TakenOut::HiddenMembers,
        }
    }

    /// Appends the value as JSON.
    pub fn push(self, value: &Json, out: &mut String) {
        self.value(value.view(), out);
    }
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

impl JsonRedactor<'_> {
    fn value(self, value: JsonRef<'_>, out: &mut String) {
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
                    Json::push_string(REDACTED, out);
                }
            }
            _ => out.push_str(value.as_str()),
        }
    }

    fn object(self, object: JsonRef<'_>, out: &mut String) {
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
                Json::push_string(REDACTED, out);
            } else if value.kind() == JsonKind::Array && self.redacts() && has(&WORDS, name) {
                self.list(value, words_of(&members), out);
            } else {
                self.value(value, out);
            }
        }
        out.push('}');
    }

    /// Elements of a list, of which texts may be the words of a command or names and values in turn.
    fn list(self, list: JsonRef<'_>, mut words: Arguments, out: &mut String) {
        out.push('[');
        for (place, value) in list.elements().enumerate() {
            if place > 0 {
                out.push(',');
            }
            match value.kind() {
                JsonKind::String if self.redacts() => {
                    let text = value.text().unwrap_or_default();
                    Json::push_string(&words.redact(&text), out);
                }
                JsonKind::Array if self.redacts() => self.couple(value, out),
                _ => self.value(value, out),
            }
        }
        out.push(']');
    }

    /// A list in a list, which may be a name and its value.
    fn couple(self, list: JsonRef<'_>, out: &mut String) {
        let mut elements = list.elements();
        let (name, value, more) = (elements.next(), elements.next(), elements.next());
        if let (Some(name), Some(value), None) = (name, value, more)
            && let Some(name) = name.text()
            && names_secret_value(&name, value.as_str())
        {
            out.push('[');
            self.string(&name, out);
            out.push(',');
            Json::push_string(REDACTED, out);
            out.push(']');
        } else {
            self.value(list, out);
        }
    }

    fn redacts(self) -> bool {
        self.taken_out == TakenOut::Secrets
    }

    fn string(self, text: &str, out: &mut String) {
        if self.redacts() {
            Json::push_string(&redact(text), out);
        } else {
            Json::push_string(text, out);
        }
    }

    fn hides(self, name: &str, value: JsonRef<'_>) -> bool {
        if self.hidden.contains(&name) {
            return true;
        }
        let telling = !matches!(value.kind(), JsonKind::Bool | JsonKind::Null);
        // `max_tokens` counts.
        let counts = value.kind() == JsonKind::Number && name.ends_with('s');
        self.redacts() && telling && !counts && names_a_secret(name)
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
        let secret = |name: &String| names_secret_value(name, value);
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

#[cfg(test)]
#[path = "structured_tests.rs"]
mod tests;
