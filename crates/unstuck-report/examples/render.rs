//! Renders a report with one loop as three outputs.
//!
//! ```text
//! cargo run -p unstuck-report --example render
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck_report::{Loop, Output, RenderOptions, Report, ReportVerdict, Run};

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

    for name in ["markdown", "json", "sarif"] {
        let output = Output::named(name).ok_or("no such output")?;
        let text = output.render(&report, &RenderOptions::default())?;
        assert!(text.contains("exact-repeat"));
        println!("{}: {} bytes", output.help(), text.len());
    }
    Ok(())
}
