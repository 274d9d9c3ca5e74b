//! Exit codes, out of the words that hosts wrap a command's output in.

use unstuck::{Json, Status};

use crate::hook::CallEnded;

/// What a command printed, and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) output: Json,
    pub(super) exit_code: Option<i64>,
}

/// How a call ended: by its report, or with this output where there is none.
pub(super) fn ended(status: Status, report: Option<Report>, output: Option<Json>) -> CallEnded {
    match report {
        Some(report) => CallEnded::new(status, Some(report.output)).exited(report.exit_code),
        None => CallEnded::new(status, output),
    }
}

/// `Exit code 3` at the start, as Claude Code writes it.
pub(super) fn leading(text: &str) -> Option<i64> {
    let rest = text.trim_start().strip_prefix("Exit code ")?;
    number(rest)
}

/// `<shellId: 4 completed with exit code 3>` at the end, as Copilot CLI writes it.
pub(super) fn trailing(text: &str) -> Option<Report> {
    let last = text.trim_end().lines().next_back()?;
    if !(last.starts_with('<') && last.ends_with('>')) {
        return None;
    }
    let (_, rest) = last.split_once("exit code ")?;
    let before = text.trim_end().strip_suffix(last)?;
    Some(Report {
        output: Json::string(before.strip_suffix('\n').unwrap_or(before)),
        exit_code: Some(number(rest)?),
    })
}

/// `Exit Code: 3` among other labelled lines, as Gemini CLI and Qwen Code write it. What surrounds the output is taken
/// off: it names processes that change from run to run.
pub(super) fn labelled(text: &str) -> Option<Report> {
    let inside = text.trim();
    let inside = inside
        .strip_prefix("<untrusted_context>")
        .and_then(|inside| inside.strip_suffix("</untrusted_context>"))
        .unwrap_or(inside)
        .trim();
    let mut output = Vec::new();
    let mut exit_code = None;
    let mut section = Section::Before;
    for line in inside.lines() {
        let (label, value) = line.split_once(": ").unwrap_or((line, ""));
        match (&section, label.trim_end_matches(':')) {
            (Section::Before, "Command" | "Directory") => {}
            (Section::Before, "Output") => {
                section = Section::Output;
                output.push(value);
            }
            (Section::Before, _) => return None,
            (Section::Output | Section::After, "Error" | "Signal") => {
                section = Section::After;
                if value != "(none)" && !value.is_empty() {
                    output.push(line);
                }
            }
            (Section::Output | Section::After, "Exit Code") => {
                section = Section::After;
                exit_code = number(value);
            }
            (Section::Output | Section::After, "Process Group PGID" | "Background PIDs") => {
                section = Section::After;
            }
            (Section::Output | Section::After, _) => output.push(line),
        }
    }
    if section == Section::Before {
        return None;
    }
    let said = output.join("\n");
    let said = if said == "(empty)" { "" } else { &said };
    Some(Report {
        output: Json::string(said),
        exit_code,
    })
}

#[derive(PartialEq, Eq)]
enum Section {
    Before,
    Output,
    After,
}

fn number(text: &str) -> Option<i64> {
    let end = text
        .char_indices()
        .find(|(at, letter)| !(letter.is_ascii_digit() || (*at == 0 && *letter == '-')))
        .map_or(text.len(), |(at, _)| at);
    text[..end].parse().ok()
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
