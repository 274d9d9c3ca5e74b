//! JSON: one object, or one a line.

use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;
use unstuck_text::quiet_json;

use crate::{
    error::RenderError,
    report::{Report, Run, ScanError, Totals},
    skipped::SkippedFiles,
};

/// The report as one indented JSON object.
pub fn json(report: &Report) -> Result<String, RenderError> {
    let text = serde_json::to_string_pretty(report)? + "\n";
    Ok(quiet_json(&text).into_owned())
}

/// The report as lines: `{"run":…}` for each run, `{"error":…}` for what could not be read,
/// `{"skipped":…}` for each reason files were skipped for, `{"totals":…}` last.
pub fn json_lines(report: &Report) -> Result<String, RenderError> {
    let runs = report.runs.iter().map(Line::Run);
    let errors = report.errors.iter().map(Line::Error);
    let skipped = report.skipped.iter().map(Line::Skipped);
    let mut out = String::new();
    for line in runs
        .chain(errors)
        .chain(skipped)
        .chain([Line::Totals(&report.totals)])
    {
        out += &quiet_json(&serde_json::to_string(&line)?);
        out.push('\n');
    }
    Ok(out)
}

/// The JSON schema of [`json`].
pub fn json_schema() -> Value {
    // Of what is written, not of what would be read: keys that are left out when empty are not asked for.
    let settings = SchemaSettings::default().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<Report>();
    schema.insert("title".to_owned(), "What `unstuck scan` found".into());
    schema.to_value()
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Line<'a> {
    Run(&'a Run),
    Error(&'a ScanError),
    Skipped(&'a SkippedFiles),
    Totals(&'a Totals),
}
