//! What was found in recorded runs, and how it is shown.
//!
//! ```text
//!  Report ─> terminal · json · json lines · sarif · markdown · junit · html
//! ```
//!
//! A [`Report`] is plain data; every renderer is a function from it to text, in a file of its own. Nothing here reads a
//! file, a clock or the environment. Text from transcripts is hostile input: no renderer lets it act.

#![forbid(unsafe_code)]

mod error;
mod figures;
mod html;
mod json;
mod junit;
mod markdown;
mod plain;
mod redact;
mod report;
mod sarif;
mod skipped;
mod terminal;

pub use error::RenderError;
pub use figures::{counted, grouped};
pub use html::{HtmlOptions, html};
pub use json::{SCHEMA_VERSION, json, json_lines, json_lines_schema, json_schema};
pub use junit::junit;
pub use markdown::markdown;
pub use plain::{Cut, one_line};
pub use report::{
    Beat, ErrorKind, Excerpt, Loop, Move, Report, ReportVerdict, Run, ScanError, Share, ToolCount,
    Totals, Wasted,
};
pub use sarif::sarif;
pub use skipped::{SkipReason, SkippedFile, SkippedFiles};
pub use terminal::{TerminalOptions, terminal};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
