//! The end of the report: what to do next, and which models have no price.

use super::{CODE, DIM, Put as _, heading, paint};
use crate::{
    figures::unpriced,
    plain::{Cut, one_line},
    report::Report,
};

/// Paths that are repeated in a command.
const PATHS: usize = 4;

/// What one may want to do next. The commands read what this report is about.
pub(super) fn hints(report: &Report, paths: &[String], width: usize) -> String {
    let paths = arguments(paths);
    let mut hints: Vec<(String, String)> = Vec::new();
    if report.totals.loops > 0 {
        hints.push((
            format!("unstuck scan{paths} -o report.html"),
            "read every loop, with what changed between its laps".to_owned(),
        ));
        let worst = report
            .runs
            .iter()
            .find_map(|run| run.worst_first().first().copied());
        if let Some(worst) = worst {
            hints.push((
                format!("unstuck explain {}", one_line(&worst.rule, 30, Cut::End)),
                "what this rule reports, and what it leaves alone".to_owned(),
            ));
        }
        hints.push((
            format!("unstuck tune{paths}"),
            "propose settings where verdicts were wrong".to_owned(),
        ));
    }
    let mut out = String::new();
    if !hints.is_empty() {
        out += &heading("Next");
        for (command, why) in hints {
            out.put(format_args!(
                "{}\n    {}\n",
                paint(CODE, &command),
                paint(DIM, &why)
            ));
        }
    }
    if !report.totals.unpriced.is_empty() {
        let words = one_line(&unpriced(&report.totals), width, Cut::End);
        out.put(format_args!(
            "\n{}\n{}\n",
            paint(DIM, &words),
            paint(DIM, "Add it under [prices] in unstuck.toml.")
        ));
    }
    out
}

/// Paths as arguments of a command, each behind a blank. Where there are very many, the reader has to name them again.
fn arguments(paths: &[String]) -> String {
    if paths.len() > PATHS {
        return " PATH…".to_owned();
    }
    paths
        .iter()
        .map(|path| {
            let path = one_line(path, usize::MAX, Cut::End);
            let is_plain = |each: char| each.is_alphanumeric() || "/._-+:,@%=\\".contains(each);
            if !path.is_empty() && path.chars().all(is_plain) {
                format!(" {path}")
            } else {
                format!(" '{}'", path.replace('\'', "'\\''"))
            }
        })
        .collect()
}
