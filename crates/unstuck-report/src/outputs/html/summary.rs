//! The report without scripts: a headline and a table, for where scripts are forbidden.

use std::fmt::Write as _;

use crate::{
    figures::{WOULD_HAVE, counted, day, grouped, money, stuck, tokens},
    outputs::terminal::no_runs,
    plain::{Cut, one_line},
    report::{Report, Run},
};

/// Runs in the table.
const RUNS: usize = 50;
/// Skipped files of each reason that are named.
const NAMES: usize = 10;
/// Loops that are listed for each.
const LOOPS: usize = 5;

/// The worst runs as HTML, without anything that a script would have to draw.
pub(super) fn table(report: &Report) -> String {
    let totals = &report.totals;
    let title = match (totals.runs, totals.loops) {
        (0, _) => no_runs(report),
        (1, 0) => "The run did not get stuck in a loop.".to_owned(),
        (_, 0) => format!(
            "None of {} got stuck in loops.",
            counted(totals.runs, "run")
        ),
        _ => format!(
            "{}. {} and {} wasted.",
            stuck(totals),
            counted(totals.loops, "loop"),
            counted(totals.wasted.calls, "call"),
        ),
    };
    let mut out = format!("<h1>{}</h1>", escaped(&title, 200));
    let runs: Vec<_> = report
        .runs
        .iter()
        .filter(|run| !run.loops.is_empty())
        .collect();
    if !runs.is_empty() {
        out += "<table><thead><tr><th>verdict</th><th>run</th><th>loops</th><th>calls wasted</th><th>tokens</th><th>cost</th></tr></thead><tbody>";
        for run in runs.iter().take(RUNS) {
            let _ = write!(
                out,
                "<tr><td>{}</td><td>{}{}</td><td>{}</td><td>{} of {}</td><td>{}</td><td>{}</td></tr>",
                run.verdict.as_str(),
                name(run),
                loops(run),
                grouped(run.loops.len() as u64),
                grouped(run.wasted.calls),
                grouped(run.calls),
                tokens(&run.wasted),
                money(&run.wasted, totals),
            );
        }
        out += "</tbody></table>";
    }
    if runs.len() > RUNS {
        let more = counted((runs.len() - RUNS) as u64, "more run");
        let _ = write!(out, "<p>and {more} with loops</p>");
    }
    if totals.loops > 0 {
        let _ = write!(out, "<p>{WOULD_HAVE}</p>");
    }
    for error in report.errors.iter().take(RUNS) {
        let (path, what) = (escaped(&error.path, 120), escaped(&error.error, 200));
        let _ = write!(out, "<p>Not read: {path}: {what}</p>");
    }
    for group in &report.skipped {
        let (count, title) = (counted(group.count, "file"), group.reason.title());
        let names: Vec<_> = group.names().take(NAMES).collect();
        let more = group.count.saturating_sub(names.len() as u64);
        let more = match more {
            0 => String::new(),
            more => format!(" and {} more", grouped(more)),
        };
        let names: Vec<_> = names.iter().map(|name| escaped(name, 200)).collect();
        let _ = write!(
            out,
            "<p>Skipped {count}, {title}: {}{more}. {}</p>",
            names.join(", "),
            escaped(&group.advice, 1_000),
        );
    }
    out
}

fn name(run: &Run) -> String {
    let title = title(run);
    let about = [&run.project, &run.format, &run.path];
    let about: Vec<_> = about
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| escaped(part, 100))
        .chain(run.started.and_then(day))
        .collect();
    format!("<b>{}</b><br>{}", escaped(&title, 120), about.join(" · "))
}

/// The task's first words, or else the file with the session where the path does not name it.
fn title(run: &Run) -> String {
    if !run.title.is_empty() {
        return run.title.clone();
    }
    let end = run.path.trim_end_matches(['/', '\\']);
    let file = end.rsplit(['/', '\\']).next().unwrap_or(end);
    match run.session.as_str() {
        "" | "default" => file.to_owned(),
        session if run.path.contains(session) => file.to_owned(),
        session => format!("{file} ({session})"),
    }
}

fn loops(run: &Run) -> String {
    let mut out = String::new();
    for each in run.worst_first().into_iter().take(LOOPS) {
        let pattern = escaped(&each.pattern.join(" > "), 120);
        let _ = write!(
            out,
            "<br>{} × {} {pattern}",
            escaped(&each.rule, 40),
            grouped(each.repeats)
        );
    }
    if run.loops.len() > LOOPS {
        let more = counted((run.loops.len() - LOOPS) as u64, "loop");
        let _ = write!(out, "<br>and {more} more");
    }
    out
}

/// Text of a transcript on one line, as text.
fn escaped(text: &str, columns: usize) -> String {
    let mut out = String::new();
    for each in one_line(text, columns, Cut::End).chars() {
        match each {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            each => out.push(each),
        }
    }
    out
}
