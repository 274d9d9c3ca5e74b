//! The end of the report: what to do next, and which models have no price.

use super::{CODE, DIM, Put as _, heading, paint};
use crate::{
    figures::unpriced,
    plain::{Cut, one_line},
    report::Report,
};

/// What one may want to do next.
pub(super) fn hints(report: &Report, width: usize) -> String {
    let mut hints: Vec<(String, String)> = Vec::new();
    if report.totals.loops > 0 {
        hints.push((
            "unstuck scan --output html -o report.html".to_owned(),
            "read every loop, with what changed between its laps".to_owned(),
        ));
        let worst = report.runs.iter().find_map(|run| run.loops.first());
        if let Some(worst) = worst {
            hints.push((
                format!("unstuck explain {}", one_line(&worst.rule, 30, Cut::End)),
                "when this rule fires and when it doesn't".to_owned(),
            ));
        }
        hints.push((
            "unstuck tune".to_owned(),
            "suggest settings if alerts were wrong".to_owned(),
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
