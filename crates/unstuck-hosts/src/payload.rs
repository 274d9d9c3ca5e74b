//! The JSON object that a hook is given.

mod condense;

use std::borrow::Cow;

use unstuck::Json;
use unstuck_json::{JsonKind, JsonRef};

use crate::hook::DecodeError;
pub use condense::Condenser;
use condense::digest;

/// An object with its members found once; inputs may be megabytes.
pub(crate) struct Payload<'a> {
    members: Vec<(Cow<'a, str>, JsonRef<'a>)>,
}

/// Reads a hook's input. Where the engine would refuse a part of it, that part is replaced; `key` is for digests of such
/// parts.
pub(crate) fn parse(input: &[u8], key: &[u8; 32]) -> Result<Json, DecodeError> {
    let json = if let Ok(json) = Json::from_slice(input) {
        json
    } else {
        // What replaces broken bytes is longer than they are.
        let mut condenser = if input.len() > LARGEST_REPAIRED {
            Condenser::of_oversized(key)
        } else {
            Condenser::of_whole(key)
        };
        condenser.feed(input);
        Json::parse(&condenser.finish())?
    };
    match json.view().kind() {
        JsonKind::Object => Ok(json),
        _ => Err(DecodeError::NoObject),
    }
}

/// Bytes of an input that is repaired as a whole; of a larger one, long parts become digests.
const LARGEST_REPAIRED: usize = 8 << 20;

/// Names that are longer than this are cut: hosts choose short ones.
const LONGEST_NAME: usize = 512;

/// A name of bounded length. A longer one keeps its beginning and gets a digest, so that different names stay different.
pub(crate) fn bounded(name: &mut Box<str>, key: &[u8; 32]) {
    if name.len() > LONGEST_NAME {
        let beginning = &name[..unstuck_text::floor_char_boundary(name, LONGEST_NAME / 2)];
        let digest = digest(key, name.as_bytes());
        *name = format!("{beginning}…{digest}").into();
    }
}

impl<'a> Payload<'a> {
    pub(crate) fn of(object: JsonRef<'a>) -> Self {
        Self {
            members: object.members().collect(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<JsonRef<'a>> {
        let found = self.members.iter().find(|(member, _)| member == name);
        let value = found.map(|(_, value)| *value)?;
        (value.kind() != JsonKind::Null).then_some(value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn object(&self, name: &str) -> Option<Self> {
        let value = self.get(name)?;
        (value.kind() == JsonKind::Object).then(|| Self::of(value))
    }

    pub(crate) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name)?.text()
    }

    pub(crate) fn boxed(&self, name: &str) -> Option<Box<str>> {
        self.text(name).map(|text| text.into_owned().into())
    }

    /// A text, or a number taken as its text.
    pub(crate) fn id(&self, name: &str) -> Option<Box<str>> {
        let value = self.get(name)?;
        match value.kind() {
            JsonKind::Number => Some(value.as_str().into()),
            _ => self.boxed(name).filter(|id| !id.is_empty()),
        }
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(JsonRef::boolean) == Some(true)
    }

    pub(crate) fn json(&self, name: &str) -> Option<Json> {
        self.get(name).map(Json::from)
    }

    /// Arguments: an object, also where it comes as its text.
    pub(crate) fn args(&self, name: &str) -> Json {
        match self.get(name) {
            None => Json::empty_object(),
            Some(value) => match value.text() {
                Some(text) if text.starts_with('{') => {
                    Json::parse(&text).unwrap_or_else(|_| value.into())
                }
                _ => value.into(),
            },
        }
    }

    /// A moment: milliseconds, or a time of ISO 8601 in UTC.
    pub(crate) fn stamp(&self, name: &str) -> Option<i64> {
        let value = self.get(name)?;
        value
            .integer()
            .or_else(|| milliseconds(&value.text().unwrap_or_default()))
    }
}

/// An object without some of its members.
pub(crate) fn without(object: &Json, names: &[&str]) -> Json {
    let view = object.view();
    if !names.iter().any(|name| view.get(name).is_some()) {
        return object.clone();
    }
    let kept: Vec<_> = view
        .members()
        .filter(|(name, _)| !names.contains(&&**name))
        .map(|(name, value)| format!("{}:{}", Json::string(&name), value.as_str()))
        .collect();
    // Members of canonical JSON, in their order, are canonical again.
    Json::parse(&format!("{{{}}}", kept.join(","))).unwrap_or_else(|_| object.clone())
}

/// `2026-11-15T06:42:25.153Z` in milliseconds since 1970.
fn milliseconds(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let fixed = text.as_bytes();
    if fixed.len() < 20 || fixed[4] != b'-' || fixed[10] != b'T' || !text.ends_with('Z') {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    // Days since 1970 in the Gregorian calendar, with years that begin in March.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days =
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    let seconds = days * 86_400 + number(11, 13)? * 3_600 + number(14, 16)? * 60 + number(17, 19)?;
    let fraction = match text.get(19..text.len() - 1)?.strip_prefix('.') {
        Some(digits) => format!("{digits:0<3}").get(..3)?.parse().ok()?,
        None => 0,
    };
    Some(seconds * 1_000 + fraction)
}

#[cfg(test)]
#[path = "payload_tests.rs"]
mod tests;
