//! What the forms have in common.

use unstuck::{Call, Json};
use unstuck_json::{JsonKind, JsonRef};

use super::{account::sum, contract::Insertion};
use crate::span::{Edits, at, elements, whole};

/// The inside of the JSON string that says this.
pub(crate) fn escaped(text: &str) -> String {
    let quoted = Json::string(text);
    let quoted = quoted.as_str();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The JSON string that says this.
pub(crate) fn quoted(text: &str) -> String {
    Json::string(text).as_str().to_owned()
}

/// An event of a stream with a type of its own.
pub(crate) fn typed_event(kind: &str, data: &str) -> String {
    format!("event: {kind}\ndata: {data}\n\n")
}

/// An event of a stream that has data only.
pub(crate) fn event(data: &str) -> String {
    format!("data: {data}\n\n")
}

/// Arguments that came as a text, by the same rules as in histories: none are an empty object, and what is not JSON is
/// a string.
pub(crate) fn arguments(text: &str) -> Json {
    if text.trim().is_empty() {
        return Json::empty_object();
    }
    Json::lossy(text.as_bytes()).unwrap_or_else(|_| Json::string(text))
}

/// A call, unless its tool has no name: translating layers write such blocks, and no agent runs them.
pub(crate) fn call(id: &str, tool: &str, args: Json) -> Option<Call> {
    (!tool.is_empty()).then(|| Call::new(id, tool, args))
}

/// What the string under `key` says; empty where there is none.
pub(crate) fn text_of(value: JsonRef<'_>, key: &str) -> String {
    let found = value.get(key).and_then(JsonRef::text);
    found.map(std::borrow::Cow::into_owned).unwrap_or_default()
}

/// Adds a paragraph to the string or list of blocks under a member of an element: to a string at its end, to a list behind
/// the last block that `is_before`, or behind all. `block` writes the text as a block of the list.
pub(crate) fn add_text(
    element: &str,
    member: &[&str],
    text: &str,
    is_before: fn(&str) -> bool,
    block: fn(&str) -> String,
) -> Option<Insertion> {
    let span = at(element, whole(element), member)?;
    match element.as_bytes().get(span.start)? {
        b'"' => Some(Insertion {
            at: span.end - 1,
            text: escaped(&format!("\n\n{text}")),
        }),
        b'[' => {
            let blocks = elements(element, span.clone());
            let Some(all) = blocks.last() else {
                return Some(Insertion {
                    at: span.end - 1,
                    text: block(text),
                });
            };
            let last = blocks
                .iter()
                .rfind(|one| is_before(&element[(*one).clone()]));
            Some(Insertion {
                at: last.unwrap_or(all).end,
                text: format!(",{}", block(text)),
            })
        }
        _ => None,
    }
}

/// The second of two whole answers, with the elements of the first one's list before its own, and the sum of what both
/// used. `None` if either has no such list.
pub(crate) fn joined(first: &str, second: &str, list: &[&str], usage: &str) -> Option<String> {
    let list_of =
        |text: &str| at(text, whole(text), list).map(|span| (elements(text, span.clone()), span));
    let (before, _) = list_of(first)?;
    let (after, place) = list_of(second)?;
    let mut edits = Edits::default();
    let mut written: Vec<_> = before.into_iter().map(|span| &first[span]).collect();
    written.extend(after.into_iter().map(|span| &second[span]));
    edits.replace(place, format!("[{}]", written.join(",")));
    add_usage(first, second, usage, &mut edits);
    Some(edits.apply_text(second))
}

/// Adds what the first of two answers used to what the second says.
pub(crate) fn add_usage(first: &str, second: &str, usage: &str, edits: &mut Edits) {
    let of = |text: &str| at(text, whole(text), &[usage]);
    if let (Some(before), Some(after)) = (of(first), of(second)) {
        let total = sum(&first[before], &second[after.clone()]);
        edits.replace(after, total);
    }
}

/// Whether a value is there and is not `null`.
pub(crate) fn is_given(value: Option<JsonRef<'_>>) -> bool {
    value.is_some_and(|value| value.kind() != JsonKind::Null)
}

/// Events that wait until a call is judged.
#[derive(Debug, Default)]
pub(crate) struct Held(Vec<u8>);

impl Held {
    pub(crate) fn push(&mut self, raw: &[u8]) {
        self.0.extend_from_slice(raw);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn release(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.0);
        self.clear();
    }

    pub(crate) fn clear(&mut self) {
        // A long call is rare, and its memory is not kept.
        self.0 = Vec::new();
    }
}
