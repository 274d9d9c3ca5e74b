//! One page that needs nothing but itself.
//!
//! The report is embedded as JSON and drawn by a small script. What comes from transcripts is only ever data: it is
//! escaped so that it cannot end its element, and the script writes it as text. The page's policy lets nothing else run
//! and nothing be fetched, so that a mistake here would still not let a transcript act.

mod summary;

use std::collections::BTreeMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use unstuck::RuleName;

use super::{Output, OutputKind, RenderOptions};
use crate::{error::RenderError, report::Report};

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
/// The parts of the script, in the order they need each other.
const SCRIPT: [&str; 6] = [
    include_str!("html/words.js"),
    include_str!("html/diff.js"),
    include_str!("html/charts.js"),
    include_str!("html/strip.js"),
    include_str!("html/reader.js"),
    include_str!("html/script.js"),
];

pub(super) const OUTPUT: Output = Output {
    name: "html",
    aliases: &[],
    help: "One page that shows everything, the calls of every loop included",
    endings: &["html", "htm"],
    also: &[],
    kind: OutputKind::Page,
    render: html,
};

/// The report as one HTML page.
fn html(report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPT.concat());
    let data = embedded(&Data {
        version: env!("CARGO_PKG_VERSION"),
        now: options.now,
        rules: RuleName::ALL
            .iter()
            .map(|rule| (rule.as_str(), rule.summary()))
            .collect(),
        report,
    })?;
    let parts = [
        ("style-hash", hash(STYLE)),
        ("script-hash", hash(&script)),
        ("style", STYLE.to_owned()),
        ("script", script),
        ("summary", summary::table(report)),
        ("data", data),
    ];
    Ok(filled(&parts))
}

#[derive(Serialize)]
struct Data<'a> {
    version: &'a str,
    now: Option<i64>,
    /// What each rule looks for.
    rules: BTreeMap<&'static str, &'static str>,
    #[serde(flatten)]
    report: &'a Report,
}

/// JSON that is inert inside a script element, whatever its strings hold.
fn embedded(data: &Data<'_>) -> Result<String, RenderError> {
    let text = serde_json::to_string(data)?;
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    // All of these can only stand inside strings.
    for each in text.chars() {
        match each {
            '<' => out += "\\u003c",
            '>' => out += "\\u003e",
            '&' => out += "\\u0026",
            '\u{2028}' => out += "\\u2028",
            '\u{2029}' => out += "\\u2029",
            each => out.push(each),
        }
    }
    Ok(out)
}

/// What a content security policy calls a text by.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The page with its slots filled: read once from start to end, so that what fills a slot is never looked at again.
fn filled(parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("%%") {
        let Some((name, after)) = after.split_once("%%") else {
            break;
        };
        out += before;
        if let Some((_, part)) = parts.iter().find(|(slot, _)| *slot == name) {
            out += part;
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
