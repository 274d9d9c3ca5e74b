//! What is printed: the first difference of a stream, and the table at the end.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;

use super::Comparison;
use super::compare::Difference;
use super::replay::{Outcome, Replay};
use super::streams::{Kind, Stream, line_of};

/// Characters that are shown of an event, of a decision and of a value.
const SHOWN_EVENT: usize = 600;
const SHOWN_DECISION: usize = 1_500;
const SHOWN_VALUE: usize = 300;

/// The first difference of a stream with its event, or `None` if there is none.
pub(super) fn first_difference(
    replay: &Replay<'_>,
    outcome: &Outcome,
    of: &Comparison<'_>,
) -> Result<Option<String>> {
    if outcome.differences == 0 {
        return Ok(None);
    }
    let place = format!("{} {} {}", replay.stream, replay.preset, replay.mode.name);
    let mut lines = vec![format!("  DIFFERENT {place}")];
    if let Some(difference) = &outcome.first {
        let event = match difference.line {
            Some(line) => line_of(&replay.stream.path, line)?,
            None => None,
        };
        lines.extend(describe(&place, difference, event.as_deref()));
    }
    for fault in &outcome.faults {
        lines.push(format!("    fault     {fault}"));
    }
    let input = replay.stream.path.display();
    let once = |program: &str, arguments: Vec<String>| {
        format!("<({program} {} < {input})", arguments.join(" "))
    };
    lines.push(format!(
        "    again     diff {} {}",
        once(
            &of.baseline.path.display().to_string(),
            replay.baseline_arguments()
        ),
        once(
            &of.other.path.display().to_string(),
            replay.other_arguments()
        )
    ));
    Ok(Some(lines.join("\n")))
}

fn describe(place: &str, difference: &Difference, event: Option<&str>) -> Vec<String> {
    let line = difference.line.map(|line| line.to_string());
    let line = line.as_deref().unwrap_or("?");
    let answer = |answer: &Option<String>| match answer {
        Some(text) => start_of(text, SHOWN_DECISION),
        None => "(no answer)".to_owned(),
    };
    let mut lines = vec![
        format!("    line      {line}"),
        format!(
            "    event     {}",
            start_of(event.unwrap_or("(unknown)"), SHOWN_EVENT)
        ),
        format!("    baseline  {}", answer(&difference.baseline)),
        format!("    other     {}", answer(&difference.other)),
    ];
    let value = |value: &Option<String>| match value {
        Some(text) => start_of(text, SHOWN_VALUE),
        None => "absent".to_owned(),
    };
    for field in &difference.fields {
        lines.push(format!(
            "    field     {}: {} -> {}",
            field.name,
            value(&field.baseline),
            value(&field.other)
        ));
    }
    if !difference.fields.is_empty() {
        let names: Vec<_> = difference.fields.iter().map(|field| &*field.name).collect();
        lines.push(format!("    allow     {place} {line} {}", names.join(",")));
    }
    lines
}

fn start_of(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], number(text.len() as u64)),
        None => text.to_owned(),
    }
}

/// Totals by kind of stream.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: BTreeMap<Kind, Row>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// A file with one preset in one mode.
    streams: u64,
    events: u64,
    decisions: u64,
    allowed: u64,
    differences: u64,
}

impl Table {
    pub(super) fn add(&mut self, stream: &Stream, outcome: &Outcome) {
        let row = self.rows.entry(stream.kind).or_default();
        row.add(Row {
            streams: 1,
            events: stream.events,
            decisions: outcome.decisions,
            allowed: outcome.allowed,
            differences: outcome.differences,
        });
    }

    pub(super) fn differences(&self) -> u64 {
        self.rows.values().map(|row| row.differences).sum()
    }

    pub(super) fn render(&self) -> String {
        let header = [
            "kind",
            "streams",
            "events",
            "decisions",
            "allowed",
            "differences",
        ];
        let mut total = Row::default();
        let mut rows = vec![header.map(str::to_owned)];
        for (kind, row) in &self.rows {
            total.add(*row);
            rows.push(row.cells(kind.name()));
        }
        rows.push(total.cells("all"));
        let width = |at: usize| rows.iter().map(|row| row[at].len()).max().unwrap_or(0);
        let widths: Vec<_> = (0..header.len()).map(width).collect();
        let lines: Vec<_> = rows
            .iter()
            .map(|row| {
                let mut line = format!("{:<width$}", row[0], width = widths[0]);
                for (cell, width) in row.iter().zip(&widths).skip(1) {
                    let _ = write!(line, "  {cell:>width$}");
                }
                line
            })
            .collect();
        lines.join("\n")
    }
}

impl Row {
    fn add(&mut self, other: Self) {
        self.streams += other.streams;
        self.events += other.events;
        self.decisions += other.decisions;
        self.allowed += other.allowed;
        self.differences += other.differences;
    }

    fn cells(&self, name: &str) -> [String; 6] {
        let numbers = [
            self.streams,
            self.events,
            self.decisions,
            self.allowed,
            self.differences,
        ];
        let [streams, events, decisions, allowed, differences] = numbers.map(number);
        [
            name.to_owned(),
            streams,
            events,
            decisions,
            allowed,
            differences,
        ]
    }
}

/// With commas between thousands.
pub(super) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
