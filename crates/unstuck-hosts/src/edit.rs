//! Changing a host's configuration in place.
//!
//! What is added is only ever inserted: no byte that was there is touched, so comments, order and layout stay as they
//! are. Each insertion is recorded as a step, and taking the steps back gives the old bytes again. Where the file was
//! changed in between and the steps no longer fit, entries are found by what they run, and taken out one by one.

pub(crate) mod json;
mod node;
pub(crate) mod toml;

pub use node::Node;
pub(crate) use node::quoted;

use serde::{Deserialize, Serialize};

/// An element that a list of a configuration file shall hold. Lists and tables on the way are made where they are missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Keys from the root to the list.
    pub list: Vec<String>,
    /// What to put at the end of it.
    pub element: Node,
}

/// One insertion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Where, in bytes of the text as it was before this step.
    pub at: usize,
    /// What.
    pub text: String,
}

/// How a text came about, so that it can be taken back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The insertions, in the order they were made.
    pub steps: Vec<Step>,
    /// Paths of lists and tables that were not there before, and of members added by default.
    pub created: Vec<Vec<String>>,
}

/// A text with something added to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The new text.
    pub text: String,
    /// What was done.
    pub record: Record,
}

/// What is left of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Nothing that says anything: no members, or only those that were added by default.
    Nothing,
    /// Something of the user's.
    Something,
}

/// Why a file is left as it is, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct EditError {
    /// What is wrong.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl EditError {
    fn new(text: &str, at: usize, message: impl Into<String>) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            message: message.into(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// Says whether a command of a hook is ours.
pub(crate) type IsOurs<'a> = &'a dyn Fn(&str) -> bool;

/// Takes recorded steps back, the last one first. `None` if the text no longer has them.
pub(crate) fn undo(text: &str, steps: &[Step]) -> Option<String> {
    let mut text = text.to_owned();
    for step in steps.iter().rev() {
        let end = step.at.checked_add(step.text.len())?;
        if text.get(step.at..end)? != step.text {
            return None;
        }
        text.replace_range(step.at..end, "");
    }
    Some(text)
}

/// The line ending that a text uses.
fn newline_of(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
#[path = "edit/edit_tests.rs"]
mod tests;
