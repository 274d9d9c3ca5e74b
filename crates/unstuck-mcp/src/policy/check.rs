//! Do policies speak of what there is? A mistyped name would make a policy that never applies.
//!
//! Cedar's own validation wants the types of all arguments beforehand, and only tools know those.

use cedar_policy::PolicySet;
use serde_json::Value;

const TYPES: [&str; 5] = ["Agent", "Session", "Action", "Tool", "Server"];
const CONTEXT: [&str; 7] = [
    "server",
    "tool",
    "arguments",
    "agent",
    "session",
    "claimed",
    "time",
];
const CLAIMED: [&str; 3] = ["session", "agent", "client"];
const TIME: [&str; 4] = ["epoch_ms", "hour", "minute", "weekday"];

/// The first mistake: where in the text, and what.
pub(super) fn check(policies: &PolicySet, text: &str) -> Result<(), (usize, String)> {
    let mut mistakes = Vec::new();
    if let Some(template) = policies.templates().next() {
        let at = text.find(&template.to_string()).unwrap_or(0);
        mistakes.push((at, "templates are not used here; write a policy".to_owned()));
    }
    for policy in policies.policies() {
        let source = policy.to_string();
        let start = text.find(&source).unwrap_or(0);
        let Ok(json) = policy.to_json() else {
            mistakes.push((start, "the policy cannot be read back".to_owned()));
            continue;
        };
        let mut found = Vec::new();
        walk(&json, &mut found);
        mistakes.extend(found.into_iter().map(|(word, message)| {
            let at = source.find(&word).unwrap_or(0);
            (start + at, message)
        }));
    }
    mistakes.sort_unstable();
    mistakes.into_iter().next().map_or(Ok(()), Err)
}

/// Collects what is unknown: the word to look for, and what to say.
fn walk(json: &Value, found: &mut Vec<(String, String)>) {
    match json {
        Value::Object(members) => {
            if let (Some(kind), Some(id)) = (text(json, "type"), text(json, "id")) {
                entity(kind, id, found);
            }
            if let Some(kind) = text(json, "entity_type")
                && !TYPES.contains(&kind)
            {
                found.push((kind.to_owned(), unknown("type", kind, &TYPES)));
            }
            for access in [".", "has"] {
                if let Some(attribute) = members.get(access) {
                    attribute_of_context(attribute, found);
                }
            }
            members.values().for_each(|value| walk(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| walk(value, found)),
        _ => {}
    }
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

fn attribute_of_context(access: &Value, found: &mut Vec<(String, String)>) {
    let Some(attribute) = text(access, "attr") else {
        return;
    };
    let left = &access["left"];
    let known: &[&str] = if left["Var"] == "context" {
        &CONTEXT
    } else if left["."]["left"]["Var"] == "context" && left["."]["attr"] == "time" {
        &TIME
    } else if left["."]["left"]["Var"] == "context" && left["."]["attr"] == "claimed" {
        &CLAIMED
    } else {
        return;
    };
    if !known.contains(&attribute) {
        found.push((
            attribute.to_owned(),
            unknown("member of the context", attribute, known),
        ));
    }
}

fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    format!("unknown {what} `{word}`; known are {}", known.join(", "))
}

fn text<'a>(json: &'a Value, name: &str) -> Option<&'a str> {
    json.get(name)?.as_str()
}
