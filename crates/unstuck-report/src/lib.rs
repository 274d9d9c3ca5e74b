//! What was found in recorded runs, and how it is shown.
//!
//! ```text
//!  Report ─> terminal · json · jsonl · sarif · markdown · junit · html
//! ```
//!
//! A [`Report`] is plain data; every renderer is a function from it to text, in a file of its own. Nothing here reads a
//! file, a clock or the environment.

mod report;

pub use report::{
    Beat, Excerpt, Loop, Move, Report, ReportVerdict, Run, ScanError, Share, ToolCount, Totals,
    Wasted,
};
