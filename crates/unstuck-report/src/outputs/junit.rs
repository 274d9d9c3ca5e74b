//! `JUnit` XML: for whatever shows the results of tests.
//!
//! A run is a suite and a loop a failed test of it; a run without loops is one test that passed. What could not be read
//! is a suite of errors.

use std::io;

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesText, Event},
};

use super::{Output, OutputKind};
use crate::{
    error::RenderError,
    figures::{cost, laps, second},
    plain::{self, Cut, one_line},
    report::{Loop, Report, Run, ScanError},
};

/// Longest name of a test, in columns.
const NAME: usize = 160;
/// Longest text of a failure, in characters.
const LONGEST: usize = 4000;

pub(super) const OUTPUT: Output = Output {
    name: "junit",
    aliases: &[],
    help: "JUnit XML, for build servers",
    endings: &["xml"],
    also: &[],
    kind: OutputKind::Document,
    render: |report, _| junit(report),
};

/// The report as `JUnit` XML.
fn junit(report: &Report) -> Result<String, RenderError> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let tests: usize = report.runs.iter().map(tests).sum();
    let failures: usize = report.runs.iter().map(|run| run.loops.len()).sum();
    writer
        .create_element("testsuites")
        .with_attribute(("name", "unstuck scan"))
        .with_attribute(("tests", (tests + report.errors.len()).to_string().as_str()))
        .with_attribute(("failures", failures.to_string().as_str()))
        .with_attribute(("errors", report.errors.len().to_string().as_str()))
        .write_inner_content(|writer| {
            if report.totals.redacted {
                // Two hyphens end a comment.
                let note = " Secrets were removed; scan with the option no-redact to keep them. ";
                writer.write_event(Event::Comment(quick_xml::events::BytesText::new(note)))?;
            }
            for run in &report.runs {
                suite(writer, run)?;
            }
            unread(writer, &report.errors)
        })?;
    let text = String::from_utf8(writer.into_inner()).map_err(io::Error::other)?;
    Ok(text + "\n")
}

type Xml = Writer<Vec<u8>>;

/// A run without loops is still one test.
fn tests(run: &Run) -> usize {
    run.loops.len().max(1)
}

fn suite(writer: &mut Xml, run: &Run) -> io::Result<()> {
    let name = title(&format!("{} ({})", run.path, run.agent), Cut::Start);
    let (tests, failures) = (tests(run).to_string(), run.loops.len().to_string());
    let mut suite = writer
        .create_element("testsuite")
        .with_attribute(("name", name.as_str()))
        .with_attribute(("tests", tests.as_str()))
        .with_attribute(("failures", failures.as_str()))
        .with_attribute(("errors", "0"));
    let started = run.started.and_then(second);
    if let Some(started) = &started {
        suite = suite.with_attribute(("timestamp", started.as_str()));
    }
    suite.write_inner_content(|writer| {
        if run.loops.is_empty() {
            writer
                .create_element("testcase")
                .with_attribute(("classname", name.as_str()))
                .with_attribute(("name", "no loop"))
                .write_empty()?;
        }
        for each in &run.loops {
            failure(writer, &name, run, each)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn failure(writer: &mut Xml, suite: &str, run: &Run, each: &Loop) -> io::Result<()> {
    let pattern = each.pattern.join(" | ");
    let name = title(&format!("{}: {pattern}", each.rule), Cut::End);
    let message = format!("{}, {} wasted", laps(each), cost(&each.wasted));
    let line = match each.from {
        0 => String::new(),
        line => format!(":{line}"),
    };
    let mut text = format!("{}{line}\n", run.path);
    if !run.title.is_empty() {
        text = text + "task: " + &run.title + "\n";
    }
    for member in &each.pattern {
        text.push_str(member);
        text.push('\n');
    }
    if let Some((label, result)) = each.shown_result() {
        text = text + label + ": " + result + "\n";
    }
    writer
        .create_element("testcase")
        .with_attribute(("classname", suite))
        .with_attribute(("name", name.as_str()))
        .write_inner_content(|writer| {
            writer
                .create_element("failure")
                .with_attribute(("type", each.verdict.as_str()))
                .with_attribute(("message", message.as_str()))
                .write_text_content(BytesText::new(&body(&text)))?;
            Ok(())
        })?;
    Ok(())
}

fn unread(writer: &mut Xml, errors: &[ScanError]) -> io::Result<()> {
    if errors.is_empty() {
        return Ok(());
    }
    let count = errors.len().to_string();
    writer
        .create_element("testsuite")
        .with_attribute(("name", "not read"))
        .with_attribute(("tests", count.as_str()))
        .with_attribute(("failures", "0"))
        .with_attribute(("errors", count.as_str()))
        .write_inner_content(|writer| {
            for error in errors {
                let line = error
                    .line
                    .map_or_else(String::new, |line| format!(":{line}"));
                let name = title(&error.path, Cut::Start) + &line;
                let message = title(&error.error, Cut::End);
                writer
                    .create_element("testcase")
                    .with_attribute(("classname", "not read"))
                    .with_attribute(("name", name.as_str()))
                    .write_inner_content(|writer| {
                        writer
                            .create_element("error")
                            .with_attribute(("message", message.as_str()))
                            .write_text_content(BytesText::new(&body(&error.error)))?;
                        Ok(())
                    })?;
            }
            Ok(())
        })?;
    Ok(())
}

/// An attribute.
fn title(text: &str, cut: Cut) -> String {
    allowed(&one_line(text, NAME, cut))
}

/// A text between tags.
fn body(text: &str) -> String {
    allowed(&plain::lines(text, LONGEST))
}

/// XML cannot hold two characters that are not control characters.
fn allowed(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
