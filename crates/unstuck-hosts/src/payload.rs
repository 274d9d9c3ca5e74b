//! The JSON object that a hook is given.

use std::borrow::Cow;

use unstuck::{Json, JsonError, JsonKind, JsonRef};

use crate::hook::DecodeError;

/// An object with its members found once; inputs may be megabytes.
pub(crate) struct Payload<'a> {
    members: Vec<(Cow<'a, str>, JsonRef<'a>)>,
}

/// Reads a hook's input.
pub(crate) fn parse(input: &[u8]) -> Result<Json, DecodeError> {
    let text = String::from_utf8_lossy(input);
    let json = match Json::parse(&text) {
        // Hosts that cut texts by UTF-16 units leave half a character behind.
        Err(JsonError::LoneSurrogate { .. }) => Json::parse(&without_lone_surrogates(&text)),
        read => read,
    }?;
    match json.view().kind() {
        JsonKind::Object => Ok(json),
        _ => Err(DecodeError::NoObject),
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

/// The text of a JSON document in which every half of a character became U+FFFD.
fn without_lone_surrogates(text: &str) -> String {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut repaired = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(backslash) = text[at..].find('\\').map(|offset| at + offset) {
        repaired.push_str(&text[at..backslash]);
        let length = match (unit(backslash), unit(backslash + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                repaired.push_str("\\ufffd");
                at = backslash + 6;
                continue;
            }
            // An escape and what it escapes; never half a character.
            _ => {
                1 + text[backslash + 1..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8)
            }
        };
        repaired.push_str(&text[backslash..backslash + length]);
        at = backslash + length;
    }
    repaired.push_str(&text[at..]);
    repaired
}

#[cfg(test)]
#[path = "payload_tests.rs"]
mod tests;
