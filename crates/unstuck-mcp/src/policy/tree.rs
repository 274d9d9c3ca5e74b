//! Policies as JSON trees (Cedar's EST), and where their parts stand in the file.

use cedar_policy::{PolicyId, PolicySet};
use serde_json::Value;

/// One policy of a file.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) id: PolicyId,
    /// Byte offset of the policy in the file.
    pub(super) start: usize,
    /// The policy's text, comments included.
    pub(super) source: String,
    pub(super) json: Value,
}

/// All policies in the order of the file; an error has the offset and the message.
pub(super) fn trees(policies: &PolicySet, text: &str) -> Result<Vec<Tree>, (usize, String)> {
    let mut found: Vec<_> = policies.policies().collect();
    // Cedar numbers policies in the order of the file: `policy0`, `policy1`, …
    found.sort_by_key(|policy| {
        let id = policy.id().to_string();
        let digits = id.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        (digits.parse::<usize>().unwrap_or(usize::MAX), id)
    });
    let mut from = 0;
    let mut trees = Vec::new();
    for policy in found {
        let source = policy.to_string();
        let start = text[from..].find(&source).map(|at| from + at);
        from = start.map_or(from, |start| start + source.len());
        let start = start.unwrap_or(0);
        let Ok(json) = policy.to_json() else {
            return Err((start, "the policy cannot be read back".to_owned()));
        };
        trees.push(Tree {
            id: policy.id().clone(),
            start,
            source,
            json,
        });
    }
    Ok(trees)
}

/// The members that an expression such as `context.arguments.path` goes through; `None` for any other expression.
pub(super) fn context_path(mut expression: &Value) -> Option<Vec<&str>> {
    let mut path = Vec::new();
    while let Some(access) = expression.get(".") {
        path.push(access.get("attr")?.as_str()?);
        expression = access.get("left")?;
    }
    path.reverse();
    (expression.get("Var")? == "context").then_some(path)
}

/// The members that `context.arguments has path` asks for, those of the left side included.
pub(super) fn has_path(expression: &Value) -> Option<Vec<&str>> {
    let asked = expression.get("has")?;
    let mut path = context_path(asked.get("left")?)?;
    match asked.get("attr")? {
        Value::String(name) => path.push(name),
        Value::Array(names) => path.extend(names.iter().filter_map(Value::as_str)),
        _ => return None,
    }
    Some(path)
}

/// The parts of an expression.
pub(super) fn parts(expression: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match expression {
        Value::Object(members) => Box::new(members.values()),
        Value::Array(values) => Box::new(values.iter()),
        _ => Box::new(std::iter::empty()),
    }
}
