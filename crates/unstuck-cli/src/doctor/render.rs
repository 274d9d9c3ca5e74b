//! What was found out, for people and for programs.

use serde_json::{Value, json};
use unstuck_text::Shown;

use super::{Finding, Health, Report};
use crate::style::{ADDED, DIM, ERROR, HEADING, paint};

pub(crate) fn text(report: &Report) -> String {
    let host = report.host;
    let mut text = format!(
        "{} {}\n",
        paint(HEADING, host.title()),
        paint(DIM, &format!("({host})"))
    );
    for finding in &report.findings {
        text.push_str(&line(finding));
    }
    text
}

pub(crate) fn json(reports: &[Report]) -> Value {
    let finding = |finding: &Finding| {
        json!({
            "about": finding.about.name(),
            "health": finding.health.name(),
            "seen": finding.seen,
            "todo": finding.todo,
        })
    };
    let host = |report: &Report| {
        json!({
            "host": report.host.name(),
            "healthy": report.is_healthy(),
            "found": report.signs,
            "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    };
    json!({ "hosts": reports.iter().map(host).collect::<Vec<_>>() })
}

fn line(finding: &Finding) -> String {
    let style = match finding.health {
        Health::Good => ADDED,
        Health::Note | Health::Open => DIM,
        Health::Bad => ERROR,
    };
    let health = match finding.health {
        // Neither good nor bad: nothing has failed.
        Health::Open => "?",
        health => health.name(),
    };
    let health = paint(style, &format!("{health:<4}"));
    let about = finding.about.name();
    let todo = finding.todo.as_ref();
    let todo = todo.map_or(String::new(), |todo| {
        format!("\n                    → {}", Shown::line(todo))
    });
    // Findings name paths and programs that are not ours.
    let seen = Shown::line(&finding.seen);
    format!("  {health}  {about:<10}  {seen}{todo}\n")
}
