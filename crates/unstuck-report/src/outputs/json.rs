//! JSON: one object.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use unstuck_text::quiet_json;

use super::{Output, OutputKind};
use crate::{
    error::RenderError,
    report::Report,
    schema::{Stamp, schema},
};

pub(super) const OUTPUT: Output = Output {
    name: "json",
    aliases: &[],
    help: "One JSON document",
    endings: &["json"],
    also: &[],
    kind: OutputKind::Document,
    render: |report, _| json(report),
};

/// The name of the schema.
const SCAN: &str = "scan";

/// The report as one indented JSON object.
fn json(report: &Report) -> Result<String, RenderError> {
    let document = Document {
        stamp: Stamp::new(SCAN),
        report,
    };
    let text = serde_json::to_string_pretty(&document)? + "\n";
    Ok(quiet_json(&text).into_owned())
}

/// The JSON schema of the output `json`.
pub fn json_schema() -> Value {
    schema::<Document<'_>>(SCAN, "What `unstuck scan --format json` writes")
}

#[derive(Serialize, JsonSchema)]
struct Document<'a> {
    #[serde(flatten)]
    stamp: Stamp,
    #[serde(flatten)]
    report: &'a Report,
}
