//! The engine and the founding classes for JavaScript, without a binding to any runtime.
//!
//! ```text
//!  ts/ (values, classes, typings) ─> addon of Node.js │ module of WebAssembly ─> this crate ─> engine
//! ```
//!
//! Values come in as JSON text and decisions go out as JSON text, because one long string crosses into Rust faster than an
//! object with many members. A decision that only allows is a line number: no text is written or read for it.

#![forbid(unsafe_code)]

mod classic;
mod error;
mod guard;
mod lines;
mod options;
mod recording;

pub use classic::{Classic, fingerprint};
pub use error::Error;
pub use guard::{Answer, Args, Event, Guard, Output, id_of_line};
pub use options::Options;
pub use recording::read_transcript;

/// Names of all rules, in the order of the table of rules.
pub fn rule_names() -> Vec<&'static str> {
    unstuck::RuleName::ALL
        .iter()
        .map(|rule| rule.as_str())
        .collect()
}
