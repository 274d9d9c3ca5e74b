//! `unstuck scan --watch`: findings as files grow.

use std::{io::Write as _, path::Path, process::ExitCode, thread, time::Duration};

use anyhow::{Result, bail};
use unstuck::Verdict;
use unstuck_report::counted;
use unstuck_scan::{Follow, Found, Job, Memory, Meter, Told};
use unstuck_text::{Shown, quiet_json, shorten};

use super::{ScanArgs, ScanOutput};
use crate::{
    notes,
    style::{CODE, DIM, ERROR, WARNING, paint},
};

/// How often files are looked at.
const LOOK: Duration = Duration::from_millis(250);
/// New files are looked for once in so many looks.
const SEARCH: u32 = 8;

/// Reports what is found while files grow, one line each, until Ctrl-C.
pub(super) fn watch(
    job: &Job<'_>,
    (mut found, search): (Found, impl Fn() -> Found),
    (args, output): (&ScanArgs, ScanOutput),
    meter: &Meter,
) -> Result<ExitCode> {
    if !matches!(output, ScanOutput::Terminal | ScanOutput::Jsonl) || args.out.is_some() {
        bail!("--watch writes lines: as text, or with `--format jsonl` as JSON");
    }
    if args.paths.iter().any(|path| path == Path::new("-")) {
        bail!("--watch looks at files; pipe a stream to `unstuck check` instead");
    }
    let mut follow = Follow::new(job, Memory::Verdicts);
    follow.begin(&found.files);
    let files = counted(found.files.len() as u64, "file");
    notes::print(paint(DIM, &format!("watching {files}; Ctrl-C ends it")));
    let mut turn = 0;
    while !meter.is_stopped() {
        thread::sleep(LOOK);
        turn += 1;
        if turn % SEARCH == 0 {
            found = search();
        } else {
            found.refresh();
        }
        for news in follow.look(&found.files) {
            for told in &news.told {
                write(&news.path, told, output)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes one finding as a line.
fn write(path: &Path, told: &Told, output: ScanOutput) -> Result<()> {
    let mut out = anstream::stdout().lock();
    if output == ScanOutput::Jsonl {
        let line = serde_json::json!({
            "path": path.display().to_string(),
            "line": told.line,
            "at": told.at,
            "session": told.session,
            "agent": told.agent,
            "verdict": told.verdict,
            "rule": told.rule.to_string(),
            "repeats": told.repeats,
            "pattern": told.pattern,
            "message": told.message,
        });
        writeln!(out, "{}", quiet_json(&line.to_string()))?;
    } else {
        let style = match told.verdict {
            Verdict::Allow | Verdict::Nudge => WARNING,
            Verdict::Deny | Verdict::Halt => ERROR,
        };
        let pattern = told.pattern.join(" > ");
        let line = told.line.map_or(String::new(), |line| format!(":{line}"));
        writeln!(
            out,
            "{} {} {}x {}  {}",
            paint(style, &format!("{:<5}", told.verdict)),
            told.rule,
            told.repeats,
            paint(CODE, &Shown::line(shorten(&pattern, 80)).to_string()),
            paint(
                DIM,
                &Shown::line(format_args!("{} {}{line}", told.agent, path.display())).to_string()
            ),
        )?;
    }
    out.flush()?;
    Ok(())
}
