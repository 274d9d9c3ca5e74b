//! What the many message formats have in common.

use std::hash::{DefaultHasher, Hash, Hasher};

use unstuck::{Call, Json, Outcome, Timestamp};
use unstuck_json::{JsonKind, JsonRef};

use crate::{task::task, track::Used};

/// One message of a conversation.
#[derive(Debug, Default)]
pub struct Message {
    /// Number of the line of the file that it begins on; 0 where there is none.
    pub number: u64,
    /// Who wrote it.
    pub speaker: Speaker,
    /// Its parts, in their order.
    pub parts: Vec<Part>,
    /// When it was written.
    pub at: Option<Timestamp>,
    /// What the request that brought it used.
    pub used: Option<Used>,
}

/// Whose message it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// The model.
    Model,
    /// A person, a tool, or the harness: its parts tell.
    #[default]
    Other,
}

/// A part of a message.
#[derive(Clone, Debug)]
pub enum Part {
    /// A text of the model for the user.
    Said(Box<str>),
    /// A thought of the model.
    Thought(Box<str>),
    /// A call of a tool.
    Called(Call),
    /// The result of a call.
    Returned {
        /// The result.
        outcome: Outcome,
        /// The tool, where the result names it.
        tool: Box<str>,
    },
    /// A person's words.
    Asked(Box<str>),
}

impl Message {
    pub(crate) fn of_model() -> Self {
        Self {
            speaker: Speaker::Model,
            ..Self::default()
        }
    }

    /// Adds what was said, if anything was.
    pub(crate) fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.parts.push(Part::Said(text.into()));
        }
    }

    /// Adds what was thought, if anything was.
    pub(crate) fn think(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.parts.push(Part::Thought(text.into()));
        }
    }

    /// Adds words that came as a user's, unless they are the harness's.
    pub(crate) fn ask(&mut self, text: &str) {
        if !text.trim().is_empty() && !is_harness(text) {
            self.parts.push(Part::Asked(text.into()));
        }
    }

    /// Adds the task that a harness gave. The words may be unknown; that there was a task is not.
    pub(crate) fn give_task(&mut self, prompt: &str) {
        self.parts.push(Part::Asked(task(prompt).into()));
    }

    pub(crate) fn call(&mut self, id: &str, tool: &str, args: Json) {
        self.parts.push(Part::Called(Call::new(id, tool, args)));
    }

    /// Adds a result. `tool` may be empty; it helps to find the call where there is no id.
    pub(crate) fn answer(&mut self, outcome: Outcome, tool: &str) {
        let tool = tool.into();
        self.parts.push(Part::Returned { outcome, tool });
    }

    /// How many calls are in it.
    pub(crate) fn calls(&self) -> usize {
        let called = |part: &&Part| matches!(part, Part::Called(_));
        self.parts.iter().filter(called).count()
    }

    /// Is there nothing in it that events could tell?
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.used.is_none() && self.speaker == Speaker::Other
    }
}

impl Part {
    /// Tells parts of one conversation apart; what the model thought is left out, because histories drop it.
    pub fn mark(&self) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        match self {
            Self::Thought(_) => return None,
            Self::Said(text) => (0, text.trim()).hash(&mut hasher),
            Self::Asked(text) => (1, text.trim()).hash(&mut hasher),
            Self::Called(call) => (2, &call.id, &call.tool, &call.args).hash(&mut hasher),
            Self::Returned { outcome, .. } => (3, &outcome.id, &outcome.output).hash(&mut hasher),
        }
        Some(hasher.finish())
    }
}

/// Is this text put into a person's mouth by the harness: wrapped in a tag, or a notice of its own?
pub(crate) fn is_harness(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with("[Request interrupted by user") {
        return true;
    }
    let Some(rest) = text.strip_prefix('<') else {
        return false;
    };
    let name_end = rest
        .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '-'))
        .unwrap_or(rest.len());
    let name = &rest[..name_end];
    let closed = || {
        text.strip_suffix('>')?
            .strip_suffix(name)?
            .strip_suffix("</")
    };
    !name.is_empty() && closed().is_some()
}

/// Arguments, which many formats write as a string of JSON. What is none stays a string.
pub(crate) fn arguments(value: Option<JsonRef<'_>>) -> Json {
    let Some(value) = value else {
        return Json::empty_object();
    };
    match value.kind() {
        JsonKind::Null => Json::empty_object(),
        JsonKind::String => {
            let text = value.text().unwrap_or_default();
            if text.trim().is_empty() {
                return Json::empty_object();
            }
            Json::lossy(text.as_bytes()).unwrap_or_else(|_| value.into())
        }
        _ => value.into(),
    }
}

/// An object with one member.
pub(crate) fn object_of(name: &str, value: &Json) -> Json {
    let text = format!("{{{}:{}}}", Json::string(name), value);
    Json::parse(&text).unwrap_or_default()
}

/// An object without some of its members. What is not an object stays as it is.
pub(crate) fn without(value: &Json, names: &[&str]) -> Json {
    let view = value.view();
    if view.kind() != JsonKind::Object {
        return value.clone();
    }
    let mut text = String::from("{");
    for (key, value) in view.members() {
        if names.contains(&&*key) {
            continue;
        }
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(Json::string(&key).as_str());
        text.push(':');
        text.push_str(value.as_str());
    }
    text.push('}');
    Json::parse(&text).unwrap_or_default()
}

/// What a string or a number is called.
pub(crate) fn name(value: Option<JsonRef<'_>>) -> Box<str> {
    match value.map(|value| (value.kind(), value)) {
        Some((JsonKind::String, text)) => text.text().unwrap_or_default().into(),
        Some((JsonKind::Number, number)) => number.as_str().into(),
        _ => Box::default(),
    }
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
