//! Canonical forms, checked from outside.
//!
//! The preset `tool-loop-detector` halts on three equal calls, so three calls and a `turn` show whether it takes two
//! texts for the same call: `a a' a'` halts when `a` is `a'`, and does not when they differ.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use unstuck_conformance::{CanonicalRow, Form, quoted, start_of};

use super::Failure;

pub(super) const PRESET: &str = "tool-loop-detector";

const SHOWN: usize = 60;

/// The lines to send, and what must come back.
#[derive(Debug, Default)]
pub(super) struct Plan {
    lines: Vec<String>,
    checks: Vec<Check>,
    /// Rows that are wrong themselves.
    broken: Vec<Failure>,
}

#[derive(Debug)]
struct Check {
    row: String,
    /// Index of the decision.
    at: usize,
    want: Want,
    why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Want {
    Allow,
    Error,
    Halt,
}

impl Plan {
    pub(super) fn of(rows: &[CanonicalRow]) -> Self {
        let mut plan = Self::default();
        for (at, row) in rows.iter().enumerate() {
            let name = format!("line {} {}", at + 1, start_of(&row.json, SHOWN));
            match &row.expect {
                Form::Refused { error: true } => {
                    plan.call(&format!("e{at}"), &row.json);
                    plan.expect(&name, Want::Error, "must be refused".to_owned());
                }
                Form::Refused { error: false } => {
                    plan.broken(name, "neither a canonical form nor an error");
                }
                Form::Canonical { canonical, sha256 } => {
                    if hex(&Sha256::digest(canonical)) != *sha256 {
                        plan.broken(name.clone(), "sha256 is not that of the canonical form");
                    }
                    plan.round(&format!("s{at}"), &row.json, canonical);
                    plan.expect(
                        &name,
                        Want::Halt,
                        "must equal its canonical form".to_owned(),
                    );
                    if let Some(other) = next_other(rows, at, canonical) {
                        plan.round(&format!("d{at}"), &row.json, other);
                        let why = format!("must differ from {}", start_of(other, SHOWN));
                        plan.expect(&name, Want::Allow, why);
                    }
                }
            }
        }
        plan
    }

    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// At most one failure a row.
    pub(super) fn judge(self, decisions: &[Value]) -> Vec<Failure> {
        let mut failures = self.broken;
        for check in self.checks {
            let have = decisions.get(check.at);
            if check.want.is_met(have) || failures.iter().any(|known| known.name == check.row) {
                continue;
            }
            let have = have.map_or_else(|| "nothing".to_owned(), Value::to_string);
            failures.push(Failure {
                name: check.row,
                why: format!("{}: expected {}, got {have}", check.why, check.want.name()),
            });
        }
        failures
    }

    fn round(&mut self, session: &str, first: &str, then: &str) {
        self.call(session, first);
        self.call(session, then);
        self.call(session, then);
        self.lines
            .push(json!({"event": "turn", "session": session}).to_string());
    }

    /// The arguments go in as they are: their text is what is tested.
    fn call(&mut self, session: &str, args: &str) {
        self.lines.push(format!(
            r#"{{"event":"call","session":{},"id":"c{}","tool":"t","args":{args}}}"#,
            quoted(session),
            self.lines.len()
        ));
    }

    /// Of the line added last.
    fn expect(&mut self, row: &str, want: Want, why: String) {
        self.checks.push(Check {
            row: row.to_owned(),
            at: self.lines.len() - 1,
            want,
            why,
        });
    }

    fn broken(&mut self, name: String, why: &str) {
        self.broken.push(Failure {
            name,
            why: format!("the vector itself is broken: {why}"),
        });
    }
}

/// The text of the next row, round the end, that has another canonical form.
fn next_other<'a>(rows: &'a [CanonicalRow], at: usize, canonical: &str) -> Option<&'a str> {
    let (before, after) = rows.split_at(at);
    after
        .iter()
        .chain(before)
        .find_map(|row| match &row.expect {
            Form::Canonical {
                canonical: other, ..
            } if other != canonical => Some(row.json.as_str()),
            Form::Canonical { .. } | Form::Refused { .. } => None,
        })
}

impl Want {
    fn is_met(self, decision: Option<&Value>) -> bool {
        let Some(Value::Object(fields)) = decision else {
            return false;
        };
        match self {
            Self::Error => fields.contains_key("error"),
            Self::Allow | Self::Halt => {
                !fields.contains_key("error")
                    && fields.get("verdict").and_then(Value::as_str) == Some(self.name())
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Error => "error",
            Self::Halt => "halt",
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
#[path = "canonical_tests.rs"]
mod tests;
