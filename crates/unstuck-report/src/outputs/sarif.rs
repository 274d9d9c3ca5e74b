//! SARIF 2.1.0: for code scanning and whatever else reads static analysis.
//!
//! A loop is a result at the place in the transcript where it began. Texts follow the rules for message strings: braces
//! are doubled and brackets escaped, so that nothing in a transcript becomes a placeholder or a link.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use unstuck::RuleName;
use unstuck_text::quiet_json;

use super::{Output, OutputKind};
use crate::{
    figures::{cost, laps},
    plain,
    report::{Loop, Report, ReportVerdict, Run, ScanError},
};

/// The project's page, where the package names one.
const HOME: &str = env!("CARGO_PKG_REPOSITORY");
/// Stands for the page where there is none: readers of SARIF ask for a URI.
const NAME: &str = "urn:unstuck";
/// The most of a transcript's text that goes into one message, in characters.
const LONGEST: usize = 2000;
/// Members of a pattern that are named.
const MEMBERS: usize = 16;

pub(super) const OUTPUT: Output = Output {
    name: "sarif",
    aliases: &[],
    help: "SARIF 2.1.0, for code scanning services",
    endings: &["sarif.json", "sarif"],
    also: &["json"],
    kind: OutputKind::Document,
    render: |report, _| Ok(sarif(report)),
};

/// The report as a SARIF log.
fn sarif(report: &Report) -> String {
    let rules: Vec<_> = RuleName::ALL.iter().map(|rule| descriptor(*rule)).collect();
    let results: Vec<_> = report.runs.iter().flat_map(results).collect();
    let notes: Vec<_> = report.errors.iter().map(notification).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "unstuck",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": if HOME.is_empty() { NAME } else { HOME },
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": !report.totals.interrupted && report.errors.is_empty(),
                "toolExecutionNotifications": notes,
            }],
            "results": results,
            "properties": { "redacted": report.totals.redacted },
        }],
    });
    quiet_json(&format!("{log:#}\n")).into_owned()
}

fn descriptor(rule: RuleName) -> Value {
    let mut descriptor = json!({
        "id": rule.as_str(),
        "shortDescription": { "text": text(rule.summary()) },
        "fullDescription": { "text": text(&what_it_does(rule)) },
        "help": { "text": text(&what_it_does(rule)), "markdown": rule.documentation() },
        "defaultConfiguration": { "level": "warning" },
        "properties": { "tags": ["agent", "loop"] },
    });
    if !HOME.is_empty() {
        let page = format!("{HOME}/blob/main/docs/rules/{}.md", rule.as_str());
        descriptor["helpUri"] = page.into();
    }
    descriptor
}

/// The first section of a rule's documentation, as one paragraph.
fn what_it_does(rule: RuleName) -> String {
    let text = rule.documentation();
    let section = text.split("## ").nth(1).unwrap_or_default();
    let paragraph = section.split_once('\n').map_or("", |(_, rest)| rest);
    let words: Vec<_> = paragraph.split_whitespace().collect();
    words.join(" ").replace('`', "'")
}

fn results(run: &Run) -> Vec<Value> {
    let mut seen: Vec<String> = Vec::new();
    run.loops
        .iter()
        .map(|each| {
            let mut print = fingerprint(run, each, 0);
            // The same loop may come again later in the run.
            let mut again = 0;
            while seen.contains(&print) {
                again += 1;
                print = fingerprint(run, each, again);
            }
            seen.push(print.clone());
            result(run, each, &print)
        })
        .collect()
}

fn result(run: &Run, each: &Loop, print: &str) -> Value {
    let rule = RuleName::ALL
        .iter()
        .position(|rule| rule.as_str() == each.rule);
    let mut place = json!({ "artifactLocation": { "uri": uri(&run.path) } });
    if each.from > 0 {
        place["region"] = json!({ "startLine": each.from, "endLine": each.to.max(each.from) });
    }
    let mut result = json!({
        "ruleId": each.rule,
        "level": level(each.verdict),
        "message": { "text": message(each) },
        "locations": [{
            "physicalLocation": place,
            "logicalLocations": [{
                "name": run.agent,
                "fullyQualifiedName": format!("{}/{}", run.session, run.agent),
                "kind": "agent",
            }],
        }],
        "partialFingerprints": { "unstuckLoop/v1": print },
        "properties": {
            "verdict": each.verdict,
            "repeats": each.repeats,
            "period": each.period,
            "format": run.format,
            "wasted": each.wasted,
        },
    });
    if let Some(rule) = rule {
        result["ruleIndex"] = rule.into();
    }
    result
}

fn notification(error: &ScanError) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(&error.path) } });
    if let Some(line) = error.line.filter(|line| *line > 0) {
        place["region"] = json!({ "startLine": line });
    }
    json!({
        "level": "error",
        "message": { "text": text(&error.error) },
        "locations": [{ "physicalLocation": place }],
    })
}

fn level(verdict: ReportVerdict) -> &'static str {
    match verdict {
        ReportVerdict::Allow => "none",
        ReportVerdict::Nudge => "note",
        ReportVerdict::Deny => "warning",
        ReportVerdict::Halt => "error",
    }
}

fn message(each: &Loop) -> String {
    let mut words = format!(
        "{}: {}, {} wasted.",
        each.rule,
        laps(each),
        cost(&each.wasted)
    );
    for member in each.pattern.iter().take(MEMBERS) {
        words.push('\n');
        words += member;
    }
    text(&words)
}

/// A message string that means just what it says.
fn text(words: &str) -> String {
    let mut out = String::new();
    for each in plain::lines(words, LONGEST).chars() {
        match each {
            '{' => out += "{{",
            '}' => out += "}}",
            '[' | ']' | '\\' => out.extend(['\\', each]),
            each => out.push(each),
        }
    }
    out
}

/// What makes a loop the same when the transcript has grown and is scanned again: lines and counts are not in it.
fn fingerprint(run: &Run, each: &Loop, again: u64) -> String {
    let mut hash = Sha256::new();
    let fixed = [&run.format, &run.session, &run.agent, &each.rule];
    for part in fixed.into_iter().chain(&each.pattern) {
        // The length in front keeps neighbours apart.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(again.to_le_bytes());
    let digest = hash.finalize();
    digest.iter().take(16).fold(String::new(), |mut out, byte| {
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// A path as a URI: absolute ones with their scheme, others relative.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes().get(2) == Some(&b'/');
    let mut out = match (path.starts_with('/'), drive) {
        (true, _) => "file://".to_owned(),
        (false, true) => "file:///".to_owned(),
        (false, false) => String::new(),
    };
    for (index, byte) in path.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            b':' if drive && index == 1 => out.push(':'),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
#[path = "sarif_tests.rs"]
mod tests;
