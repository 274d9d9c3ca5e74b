//! JSON, one object a line.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use unstuck_text::quiet_json;

use super::{Output, OutputKind};
use crate::{
    error::RenderError,
    report::{Report, Run, ScanError, Totals},
    schema::{Stamp, schema},
    skipped::SkippedFiles,
};

pub(super) const OUTPUT: Output = Output {
    name: "jsonl",
    aliases: &[],
    help: "JSON, one line for each run",
    endings: &["jsonl", "ndjson"],
    also: &[],
    kind: OutputKind::Lines,
    render: |report, _| json_lines(report),
};

/// The name of the schema.
const SCAN_LINES: &str = "scan-lines";

/// The report as lines: `{"unstuck":…}` first, `{"run":…}` for each run, `{"error":…}` for what could not be read,
/// `{"skipped":…}` for each reason files were skipped for, `{"totals":…}` last.
fn json_lines(report: &Report) -> Result<String, RenderError> {
    let first = [Line::Unstuck(Stamp::new(SCAN_LINES))];
    let runs = report.runs.iter().map(Line::Run);
    let errors = report.errors.iter().map(Line::Error);
    let skipped = report.skipped.iter().map(Line::Skipped);
    let last = [Line::Totals(&report.totals)];
    let lines = first.into_iter().chain(runs).chain(errors);
    let mut out = String::new();
    for line in lines.chain(skipped).chain(last) {
        out += &quiet_json(&serde_json::to_string(&line)?);
        out.push('\n');
    }
    Ok(out)
}

/// The JSON schema of each line of the output `jsonl`.
pub fn json_lines_schema() -> Value {
    schema::<Line<'_>>(SCAN_LINES, "One line of `unstuck scan --format jsonl`")
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Line<'a> {
    /// What the lines are: the first line.
    Unstuck(Stamp),
    /// One run.
    Run(&'a Run),
    /// Something that could not be read.
    Error(&'a ScanError),
    /// Files that were skipped for one reason.
    Skipped(&'a SkippedFiles),
    /// The sums: the last line.
    Totals(&'a Totals),
}
