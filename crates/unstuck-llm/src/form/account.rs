//! What several answers used together, where one answer to the client is made of them.

use unstuck::Json;
use unstuck_json::{JsonKind, JsonRef};

/// The accounts of answers that the client gets as one, each a JSON object as the provider wrote it.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// Sum of the answers before the present one.
    before: Option<String>,
    /// The present answer's, as far as it is known.
    current: Option<String>,
}

impl Account {
    /// Takes an account of the present answer. A later one replaces the members it has.
    pub(crate) fn add(&mut self, usage: &str) {
        self.current = Some(match &self.current {
            Some(current) => combined(current, usage, |_, later| later.as_str().to_owned()),
            None => usage.to_owned(),
        });
    }

    /// Another answer begins.
    pub(crate) fn next(&mut self) {
        self.before = self.total();
        self.current = None;
    }

    /// The sum of all answers. `None` if no account was given.
    pub(crate) fn total(&self) -> Option<String> {
        match (&self.before, &self.current) {
            (Some(before), Some(current)) => Some(sum(before, current)),
            (before, current) => before.clone().or_else(|| current.clone()),
        }
    }
}

/// Adds up the numbers of two accounts. Of everything else the second account's is kept.
pub(crate) fn sum(first: &str, second: &str) -> String {
    combined(first, second, |first, second| {
        if let (Some(a), Some(b)) = (first.integer(), second.integer()) {
            return a.saturating_add(b).to_string();
        }
        match (first.number(), second.number()) {
            (Some(a), Some(b)) => (a + b).to_string(),
            _ => second.as_str().to_owned(),
        }
    })
}

/// An object with the members of both. Objects under the same name are combined likewise, and `both` writes other values.
fn combined(first: &str, second: &str, both: fn(JsonRef<'_>, JsonRef<'_>) -> String) -> String {
    let (Ok(first), Ok(second)) = (
        Json::lossy(first.as_bytes()),
        Json::lossy(second.as_bytes()),
    ) else {
        return second.to_owned();
    };
    combined_values(first.view(), second.view(), both)
}

fn combined_values(
    first: JsonRef<'_>,
    second: JsonRef<'_>,
    both: fn(JsonRef<'_>, JsonRef<'_>) -> String,
) -> String {
    if first.kind() != JsonKind::Object || second.kind() != JsonKind::Object {
        return both(first, second);
    }
    let mut out = String::from("{");
    let mut add = |name: &str, value: &str| {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(Json::string(name).as_str());
        out.push(':');
        out.push_str(value);
    };
    for (name, value) in first.members() {
        match second.get(&name) {
            Some(other) => add(&name, &combined_values(value, other, both)),
            None => add(&name, value.as_str()),
        }
    }
    for (name, value) in second.members() {
        if first.get(&name).is_none() {
            add(&name, value.as_str());
        }
    }
    out.push('}');
    out
}

#[cfg(test)]
#[path = "account_tests.rs"]
mod tests;
