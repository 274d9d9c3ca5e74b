//! Renders a report with one loop in three formats.
//!
//! ```text
//! cargo run -p unstuck-report --example render
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck_report::{Loop, Report, ReportVerdict, Run, json, markdown, sarif};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let found = Loop {
        rule: "exact-repeat".into(),
        verdict: ReportVerdict::Deny,
        repeats: 6,
        period: 1,
        pattern: vec!["read_file src/auth.py".into()],
        ..Loop::default()
    };
    let run = Run {
        title: "fix the login".into(),
        path: "runs/1.jsonl".into(),
        calls: 20,
        verdict: ReportVerdict::Deny,
        loops: vec![found],
        ..Run::default()
    };
    let mut report = Report::default();
    report.totals.runs = 1;
    report.totals.stuck = 1;
    report.totals.loops = 1;
    report.runs.push(run);

    let page = markdown(&report);
    println!("{page}");
    assert!(page.contains("read_file src/auth.py"));
    assert!(json(&report)?.contains("exact-repeat"));
    assert!(sarif(&report).contains("exact-repeat"));
    Ok(())
}
