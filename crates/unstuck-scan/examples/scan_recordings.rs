//! Scans recordings and prints which runs went in circles.
//!
//! ```text
//! cargo run -p unstuck-scan --example scan_recordings -- examples/transcripts
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{env, error::Error, path::PathBuf};

use unstuck::Settings;
use unstuck_report::{Output, RenderOptions, Report, counted};
use unstuck_scan::{Calls, Scan};

fn main() -> Result<(), Box<dyn Error>> {
    run(env::args_os().skip(1).map(PathBuf::from).collect())
}

/// Reports the recordings at these paths, or one of its own where there are none.
pub(crate) fn run(paths: Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    let scan = Scan::new(Settings::default()).calls(Calls::Shown);
    let report = if paths.is_empty() {
        own(&scan)
    } else {
        scan.paths(paths).run()?
    };
    for run in &report.runs {
        println!("{}: {}", run.path, counted(run.loops.len() as u64, "loop"));
        for found in &run.loops {
            let rule = &found.rule;
            let wasted = counted(found.wasted.calls, "call");
            println!("  {rule}, {} times, {wasted} wasted", found.repeats);
        }
    }
    let html = Output::named("html").ok_or("no page")?;
    let page = html.render(&report, &RenderOptions::default())?;
    println!("A page of it has {} bytes.", page.len());
    assert!(report.totals.runs > 0);
    Ok(())
}

/// Reports a recording of eight equal calls that failed alike.
fn own(scan: &Scan) -> Report {
    let recording = [
        r#"{"event":"call","id":"1","tool":"run_tests","args":{"suite":"all"}}"#,
        r#"{"event":"result","id":"1","status":"error","output":"2 failed"}"#,
        "",
    ]
    .join("\n")
    .repeat(8);
    scan.bytes("tests.jsonl", recording.as_bytes())
}
