//! The vector files, as data.

use std::fmt;

use anyhow::{Context, Result};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Preset of a case that names none.
const DEFAULT_PRESET: &str = "standard";

/// One file. All its rows are of the kind of the first.
#[derive(Debug)]
pub enum Vectors<'a> {
    /// JSON texts with their canonical forms.
    Canonical(Vec<CanonicalRow>),
    /// The contract of a preset: one expected object for each event.
    Preset(Vec<Case<'a, Vec<Map<String, Value>>>>),
    /// Recordings with bounds on the verdicts.
    Reported(Vec<Case<'a, Bounds>>),
}

impl<'a> Vectors<'a> {
    /// Reads a file; the fields of its first row say of which kind it is.
    pub fn parse(text: &'a str) -> Result<Self> {
        let first = text.lines().find(|line| !line.trim().is_empty());
        let first = first.map_or(Ok(Map::new()), serde_json::from_str)?;
        Ok(if first.contains_key("json") {
            Self::Canonical(rows(text)?)
        } else if first.contains_key("preset") {
            Self::Preset(rows(text)?)
        } else {
            Self::Reported(rows(text)?)
        })
    }
}

fn rows<'a, T: Deserialize<'a>>(text: &'a str) -> Result<Vec<T>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| serde_json::from_str(line).with_context(|| format!("line {}", at + 1)))
        .collect()
}

/// A JSON text with its canonical form, or one that must be refused.
#[derive(Debug, Deserialize)]
pub struct CanonicalRow {
    /// The text.
    pub json: String,
    /// What it is to become.
    #[serde(flatten)]
    pub expect: Form,
}

/// What a JSON text is to become.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Form {
    /// The text has a canonical form.
    Canonical {
        /// That form.
        canonical: String,
        /// Its SHA-256, in hexadecimal digits.
        sha256: String,
    },
    /// The text is rejected.
    Refused {
        /// Always true.
        error: bool,
    },
}

/// Events with what is expected of the decisions.
#[derive(Debug, Deserialize)]
pub struct Case<'a, E> {
    /// Name of the case, unique in its file.
    pub id: String,
    preset: Option<String>,
    /// What is observed, in order.
    #[serde(borrow)]
    pub events: Vec<Event<'a>>,
    /// What is expected of the decisions.
    pub expect: E,
}

impl<E> Case<'_, E> {
    /// Preset that the case is for.
    pub fn preset(&self) -> &str {
        self.preset.as_deref().unwrap_or(DEFAULT_PRESET)
    }

    /// The events as lines for the binary, in sessions of this case alone.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.events.iter().map(|event| event.scoped(&self.id))
    }
}

/// What a reported case allows and asks. Unknown fields are refused: one that is not judged would always pass.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bounds {
    /// The strictest verdict allowed anywhere.
    pub max: Option<Verdict>,
    /// Only `allow` until so many units have been seen.
    pub no_nudge_before_call: u64,
    /// What is counted.
    pub unit: Unit,
    /// The 0-based index of the unit the loop begins with; the fields below count from it.
    pub from_call: u64,
    /// The unit by which the verdict must have been a nudge or stricter.
    pub nudge_by: Option<u64>,
    /// The same for deny or halt.
    pub block_by: Option<u64>,
    /// The same for halt.
    pub halt_by: Option<u64>,
    /// From this unit on every unit event must be denied or halted.
    pub all_blocked_from: Option<u64>,
}

/// From lenient to strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The agent is left alone.
    Allow,
    /// The model gets a message.
    Nudge,
    /// The call does not run.
    Deny,
    /// Nothing runs until a reset.
    Halt,
}

impl Verdict {
    /// Verdict of a decision; `None` if it has none.
    pub fn of(decision: &Value) -> Option<Self> {
        Self::deserialize(decision.get("verdict")?).ok()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allow => "allow",
            Self::Nudge => "nudge",
            Self::Deny => "deny",
            Self::Halt => "halt",
        })
    }
}

/// Events that the bounds of a recording count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Calls of tools.
    #[default]
    Call,
    /// Texts of the model.
    Text,
}

impl Unit {
    /// Name of these events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Text => "text",
        }
    }
}

/// An event as it was written: the order of keys and the text of numbers are part of what is tested.
#[derive(Debug)]
pub struct Event<'a>(Vec<(String, &'a RawValue)>);

impl Event<'_> {
    /// The text of a field; `None` when it is missing or no string.
    pub fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    fn raw(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().rev().find(|(key, _)| key == name);
        field.map(|(_, value)| value.get())
    }

    fn scoped(&self, case: &str) -> String {
        let mut members = Vec::with_capacity(self.0.len() + 1);
        let session = self.text("session").unwrap_or_else(|| "default".to_owned());
        members.push(member("session", &quoted(&format!("{case}|{session}"))));
        for (key, value) in &self.0 {
            match key.as_str() {
                "session" => {}
                "swarm" => {
                    let swarm = self.text("swarm").unwrap_or_default();
                    members.push(member(key, &quoted(&format!("{case}|{swarm}"))));
                }
                _ => members.push(member(key, value.get())),
            }
        }
        format!("{{{}}}", members.join(","))
    }
}

impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 80;
        f.write_str(&self.text("event").unwrap_or_default())?;
        if let Some(tool) = self.text("tool") {
            write!(f, " {tool}")?;
        }
        if let Some(args) = self.raw("args") {
            write!(f, " {}", start_of(args, SHOWN))?;
        }
        Ok(())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Event<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an event, which is an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                if members.is_empty() {
                    return Err(de::Error::custom("an event without fields"));
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Members).map(Self)
    }
}

/// A JSON string.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The first characters, for messages.
pub fn start_of(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters);
    end.map_or(text, |(at, _)| &text[..at])
}

fn member(key: &str, value: &str) -> String {
    format!("{}:{value}", quoted(key))
}
