//! What was found in recorded runs, and how it is shown.
//!
//! ```text
//!  Report ─> Output: one file for each, all listed in `outputs`
//! ```
//!
//! A [`Report`] is plain data; every renderer is a function from it to text, in a file of its own. Nothing here reads a
//! file, a clock or the environment. Text from transcripts is hostile input: no renderer lets it act.

#![forbid(unsafe_code)]

mod error;
mod figures;
mod outputs;
mod parquet;
mod plain;
mod redact;
mod report;
mod schema;
mod skipped;
mod tables;

pub use error::RenderError;
pub use figures::{counted, grouped};
pub use outputs::{Output, OutputKind, RenderOptions, json_lines_schema, json_schema};
pub use parquet::parquet;
pub use plain::{Cut, one_line};
pub use report::{
    Beat, ErrorKind, Excerpt, Loop, Move, Report, ReportVerdict, Run, ScanError, Share, ToolCount,
    Totals, Wasted,
};
pub use schema::SCHEMA_VERSION;
pub use skipped::{SkipReason, SkippedFile, SkippedFiles};
pub use tables::{Cell, Column, ColumnKind, TABLES_VERSION, Table, TableKind};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
