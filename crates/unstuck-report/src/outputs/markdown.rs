//! Markdown: for a pull request, an issue or a message.
//!
//! Text from transcripts stands in code spans only, where nothing is a link, a mention or HTML.

use std::fmt::Write as _;

use super::{Output, OutputKind, terminal::no_runs};
use crate::{
    figures::{
        self, UNKNOWN, WOULD_HAVE, cost, counted, day, grouped, laps, money, tokens, unpriced,
        waste,
    },
    plain::{Cut, one_line},
    report::{Loop, Report, Run, Totals},
};

/// Rows of the table.
const RUNS: usize = 20;
/// Runs whose loops are listed.
const DETAILED: usize = 10;
/// Loops of one run.
const LOOPS: usize = 5;
/// Members of a pattern.
const MEMBERS: usize = 5;
const ERRORS: usize = 20;
/// Longest text from a transcript, in columns.
const LONGEST: usize = 160;

pub(super) const OUTPUT: Output = Output {
    name: "markdown",
    aliases: &[],
    help: "Markdown, for issues and comments",
    endings: &["md", "markdown"],
    also: &[],
    kind: OutputKind::Document,
    render: |report, _| Ok(markdown(report)),
};

/// The report as Markdown.
fn markdown(report: &Report) -> String {
    let totals = &report.totals;
    if totals.loops == 0 {
        if totals.runs == 0 {
            let out = format!("## {}\n", no_runs(report).trim_end_matches('.'));
            return out + &errors(report) + &skipped(report);
        }
        let title = match totals.runs {
            1 => "The run did not get stuck in a loop",
            _ => "No run got stuck in a loop",
        };
        let mut out = format!("## {title}\n\n");
        let runs = counted(totals.runs, "run");
        let _ = writeln!(
            out,
            "{runs} with {} were read.",
            counted(totals.calls, "call")
        );
        return out + &errors(report) + &skipped(report);
    }
    let [loops, waste] = waste(totals);
    let mut out = format!("## {}\n\n**{loops}** · {waste}", figures::stuck(totals));
    out.push('\n');
    if totals.interrupted {
        out += "\nThe scan was stopped before all files were read.\n";
    }
    let stuck: Vec<_> = report
        .runs
        .iter()
        .filter(|run| !run.loops.is_empty())
        .collect();
    out += "\n| verdict | run | agent | loops | calls wasted | tokens | cost |\n|---|---|---|--:|--:|--:|--:|\n";
    for run in stuck.iter().take(RUNS) {
        out += &row(run, totals);
    }
    if stuck.len() > RUNS {
        let more = counted((stuck.len() - RUNS) as u64, "more run");
        let _ = writeln!(out, "\nand {more} with loops");
    }
    for run in stuck.iter().take(DETAILED) {
        out += &detail(run);
    }
    if stuck.len() > DETAILED {
        let _ = writeln!(
            out,
            "\nThe loops of the first {DETAILED} runs are listed here; `--format html` shows all."
        );
    }
    let _ = writeln!(out, "\n{WOULD_HAVE}");
    out += &errors(report);
    out += &skipped(report);
    if !totals.unpriced.is_empty() {
        let _ = write!(out, "\n{}\n", code(&unpriced(totals), LONGEST, Cut::End));
    }
    if totals.redacted {
        let _ = write!(out, "\n{}\n", crate::redact::NOTE);
    }
    out
}

fn row(run: &Run, totals: &Totals) -> String {
    format!(
        "| {} | {} | {} | {} | {} of {} | {} | {} |\n",
        run.verdict.as_str(),
        cell(&code(&run.path, 60, Cut::Start)),
        cell(&code(&run.agent, 30, Cut::End)),
        grouped(run.loops.len() as u64),
        grouped(run.wasted.calls),
        grouped(run.calls),
        tokens(&run.wasted),
        money(&run.wasted, totals),
    )
}

fn detail(run: &Run) -> String {
    let title = if run.title.is_empty() {
        code(&run.path, LONGEST, Cut::Start)
    } else {
        code(&run.title, LONGEST, Cut::End)
    };
    let mut out = format!("\n### {title}\n\n");
    let mut about = Vec::new();
    if !run.project.is_empty() {
        about.push(format!("project {}", code(&run.project, 60, Cut::End)));
    }
    if !run.title.is_empty() {
        about.push(code(&run.path, LONGEST, Cut::Start));
    }
    about.push(code(&run.format, 40, Cut::End));
    about.push(format!("session {}", code(&run.session, 60, Cut::End)));
    about.extend(
        run.models
            .iter()
            .take(1)
            .map(|model| code(model, 60, Cut::End)),
    );
    about.extend(run.started.and_then(day));
    out += &about.join(" · ");
    out += "\n\n";
    for each in run.worst_first().into_iter().take(LOOPS) {
        out += &one_loop(each);
    }
    if run.loops.len() > LOOPS {
        let more = counted((run.loops.len() - LOOPS) as u64, "more loop");
        let _ = writeln!(out, "- and {more}");
    }
    out
}

fn one_loop(each: &Loop) -> String {
    let mut out = format!(
        "- **{}** by {}, {}{}: {} wasted\n",
        each.verdict.as_str(),
        code(&each.rule, 40, Cut::End),
        laps(each),
        lines(each),
        cost(&each.wasted),
    );
    for member in each.pattern.iter().take(MEMBERS) {
        let _ = writeln!(out, "  - {}", code(member, LONGEST, Cut::End));
    }
    if each.pattern.len() > MEMBERS {
        let more = counted((each.pattern.len() - MEMBERS) as u64, "call");
        let _ = writeln!(out, "  - and {more} more");
    }
    if let Some((label, result)) = each.shown_result() {
        let _ = writeln!(out, "  - {label}: {}", code(result, LONGEST, Cut::End));
    }
    out
}

fn lines(each: &Loop) -> String {
    match (each.from, each.to) {
        (0, _) => String::new(),
        (from, to) => format!(", lines {from} to {}", to.max(from)),
    }
}

fn errors(report: &Report) -> String {
    if report.errors.is_empty() {
        return String::new();
    }
    let mut out = "\n### Not read\n\n".to_owned();
    for error in report.errors.iter().take(ERRORS) {
        let line = error
            .line
            .map_or_else(String::new, |line| format!(", line {line}"));
        let path = code(&error.path, LONGEST, Cut::Start);
        let what = code(&error.error, LONGEST, Cut::End);
        let _ = writeln!(out, "- {path}{line}: {what}{}", error.more_words());
    }
    if report.errors.len() > ERRORS {
        let _ = writeln!(out, "- and {} more", report.errors.len() - ERRORS);
    }
    out
}

/// Skipped files, grouped by reason.
fn skipped(report: &Report) -> String {
    let totals = &report.totals;
    let mut out = String::new();
    if !report.skipped.is_empty() {
        let files = counted(totals.skipped, "file");
        let _ = write!(out, "\n### Skipped {files}\n\n");
    }
    for group in &report.skipped {
        let names: Vec<_> = group
            .names()
            .map(|name| code(&name, LONGEST, Cut::Start))
            .collect();
        let more = match group.more() {
            0 => String::new(),
            more => format!(" and {} more", grouped(more)),
        };
        let _ = writeln!(
            out,
            "- **{}** {}: {}{more}",
            grouped(group.count),
            group.reason.title(),
            names.join(", ")
        );
        if !group.advice.is_empty() {
            let _ = writeln!(out, "  - {}", group.advice);
        }
    }
    if totals.repeated > 0 {
        let repeated = counted(totals.repeated, "repeated message");
        let _ = writeln!(
            out,
            "\n{repeated} left out: recorded more than once, counted once."
        );
    }
    out
}

/// A code span around any text.
fn code(text: &str, columns: usize, cut: Cut) -> String {
    let text = one_line(text, columns, cut);
    if text.is_empty() {
        return UNKNOWN.to_owned();
    }
    // The fence is longer than any row of backticks inside.
    let longest = text.split(|each| each != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// In a table a bar ends the cell, even inside code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
