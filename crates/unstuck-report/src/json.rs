//! JSON: one object, or one a line.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;
use unstuck_text::quiet_json;

use crate::{
    error::RenderError,
    report::{Report, Run, ScanError, Totals},
    skipped::SkippedFiles,
};

/// Version of both schemas: the number in their `$id` and in every document. A field that is added does not change it;
/// a field that goes, or means something else, does.
pub const SCHEMA_VERSION: u32 = 1;

/// The report as one indented JSON object.
pub fn json(report: &Report) -> Result<String, RenderError> {
    let document = Document {
        stamp: Stamp::new(SCAN),
        report,
    };
    let text = serde_json::to_string_pretty(&document)? + "\n";
    Ok(quiet_json(&text).into_owned())
}

/// The report as lines: `{"unstuck":…}` first, `{"run":…}` for each run, `{"error":…}` for what could not be read,
/// `{"skipped":…}` for each reason files were skipped for, `{"totals":…}` last.
pub fn json_lines(report: &Report) -> Result<String, RenderError> {
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

/// The JSON schema of [`json`].
pub fn json_schema() -> Value {
    schema::<Document<'_>>(SCAN, "What `unstuck scan --format json` writes")
}

/// The JSON schema of each line of [`json_lines`].
pub fn json_lines_schema() -> Value {
    schema::<Line<'_>>(SCAN_LINES, "One line of `unstuck scan --format jsonl`")
}

const SCAN: &str = "scan";
const SCAN_LINES: &str = "scan-lines";

fn schema<T: JsonSchema>(name: &str, title: &str) -> Value {
    // Of what is written, not of what would be read: keys that are left out when empty are not asked for.
    let settings = SchemaSettings::default().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), id(name).into());
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}

/// The name of a schema. Its version is a part of it.
fn id(name: &str) -> String {
    format!("urn:unstuck:schema:{name}:{SCHEMA_VERSION}")
}

/// What a document is and what wrote it.
#[derive(Serialize, JsonSchema)]
struct Stamp {
    /// The `$id` of the schema that the document follows.
    #[serde(rename = "$schema")]
    schema: String,
    /// The version of the schema.
    schema_version: u32,
    /// The version of unstuck that wrote it.
    tool_version: &'static str,
}

impl Stamp {
    fn new(name: &str) -> Self {
        Self {
            schema: id(name),
            schema_version: SCHEMA_VERSION,
            tool_version: env!("CARGO_PKG_VERSION"),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Document<'a> {
    #[serde(flatten)]
    stamp: Stamp,
    #[serde(flatten)]
    report: &'a Report,
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
