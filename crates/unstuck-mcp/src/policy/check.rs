//! Checks the names that policies use. A mistyped name would make a policy that never applies.
//!
//! Cedar's own validation needs the types of all arguments beforehand, and only tools know those.

use cedar_policy::PolicySet;
use serde_json::Value;

use super::tree::{Tree, context_path, has_path, parts};

const TYPES: [&str; 5] = ["Agent", "Session", "Action", "Tool", "Server"];
const CONTEXT: [&str; 9] = [
    "server",
    "tool",
    "arguments",
    "types",
    "numbers",
    "agent",
    "session",
    "claimed",
    "time",
];
const CLAIMED: [&str; 3] = ["session", "agent", "client"];
const TIME: [&str; 4] = ["epoch_ms", "hour", "minute", "weekday"];

/// Reports the first mistake: its byte offset in the file, and what it is.
pub(super) fn check(
    policies: &PolicySet,
    trees: &[Tree],
    text: &str,
) -> Result<(), (usize, String)> {
    let mut mistakes = Vec::new();
    if let Some(template) = policies.templates().next() {
        let at = text.find(&template.to_string()).unwrap_or(0);
        mistakes.push((at, "templates are not used here; write a policy".to_owned()));
    }
    for tree in trees {
        let mut found = Vec::new();
        walk(&tree.json, &mut found);
        mistakes.extend(found.into_iter().map(|(word, message)| {
            let at = tree.source.find(&word).unwrap_or(0);
            (tree.start + at, message)
        }));
    }
    mistakes.sort_unstable();
    mistakes.into_iter().next().map_or(Ok(()), Err)
}

/// Collects unknown names: the word to look for in the text, and the message.
fn walk(json: &Value, found: &mut Vec<(String, String)>) {
    if json.is_object() {
        if let (Some(kind), Some(id)) = (text(json, "type"), text(json, "id")) {
            entity(kind, id, found);
        }
        if let Some(kind) = text(json, "entity_type")
            && !TYPES.contains(&kind)
        {
            found.push((kind.to_owned(), unknown("type", kind, &TYPES)));
        }
        if let Some(path) = context_path(json).or_else(|| has_path(json)) {
            member_of_context(&path, found);
        }
    }
    parts(json).for_each(|part| walk(part, found));
}

fn entity(kind: &str, id: &str, found: &mut Vec<(String, String)>) {
    if !TYPES.contains(&kind) {
        found.push((kind.to_owned(), unknown("type", kind, &TYPES)));
    } else if kind == "Action" && id != "call" {
        let message = format!("unknown action `{id}`; the only one is `Action::\"call\"`");
        found.push((format!("\"{id}\""), message));
    } else if kind == "Tool" && !id.contains('/') {
        let message = format!("a tool is named with its server: `Tool::\"server/{id}\"`");
        found.push((format!("\"{id}\""), message));
    }
}

fn member_of_context(path: &[&str], found: &mut Vec<(String, String)>) {
    let (name, known): (_, &[&str]) = match path {
        ["time", name, ..] => (name, &TIME),
        ["claimed", name, ..] => (name, &CLAIMED),
        [name, ..] => (name, &CONTEXT),
        [] => return,
    };
    if !known.contains(name) {
        let message = unknown("member of the context", name, known);
        found.push(((*name).to_owned(), message));
    }
}

fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    format!("unknown {what} `{word}`; known are {}", known.join(", "))
}

fn text<'a>(json: &'a Value, name: &str) -> Option<&'a str> {
    json.get(name)?.as_str()
}
