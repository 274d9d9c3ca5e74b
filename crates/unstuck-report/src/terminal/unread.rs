//! What is not in the report: files that could not be read, and files that were skipped.

use super::{CODE, DIM, HEADING, Put as _, Screen, heading, paint};
use crate::{
    figures::{counted, grouped},
    plain::{Cut, one_line, right, width},
    report::Report,
    skipped::{SkipReason, SkippedFiles},
};

/// Things that could not be read and are listed.
const ERRORS: usize = 8;
/// Columns before the paths of a group.
const INDENT: usize = 8;

impl Screen {
    pub(super) fn errors(&self, report: &Report) -> String {
        if report.errors.is_empty() {
            return String::new();
        }
        let mut out = heading("Not read");
        for error in report.errors.iter().take(ERRORS) {
            let line = error
                .line
                .map_or_else(String::new, |line| format!(":{line}"));
            let path = one_line(&error.path, self.width - width(&line), Cut::Start);
            let words = self.wrapped(&(error.error.clone() + &error.more_words()), 2);
            out.put(format_args!("{}\n{words}", paint(CODE, &(path + &line))));
        }
        let more = report.errors.len().saturating_sub(ERRORS);
        if more > 0 {
            let words = format!(
                "and {} more: `--format json` has them all",
                grouped(more as u64)
            );
            out.put(format_args!("{}\n", paint(DIM, &words)));
        }
        out
    }

    /// Skipped files, grouped by reason.
    pub(super) fn skipped(&self, report: &Report) -> String {
        let totals = &report.totals;
        let mut out = String::new();
        if !report.skipped.is_empty() {
            let files = counted(totals.skipped, "file");
            out += &heading(&format!("Skipped {files}"));
            for group in &report.skipped {
                out += &self.group(group);
            }
            if report.skipped.iter().any(|group| group.more() > 0) {
                out.put(format_args!(
                    "{}\n",
                    paint(DIM, "--verbose lists all files.")
                ));
            }
        }
        if totals.repeated > 0 {
            let calls = counted(totals.repeated, "repeated message");
            let words = format!("{calls} left out: recorded more than once, counted once.");
            out.put(format_args!("\n{}\n", paint(DIM, &words)));
        }
        out
    }

    fn group(&self, group: &SkippedFiles) -> String {
        let count = right(&grouped(group.count), INDENT - 2);
        let title = paint(HEADING, group.reason.title());
        let mut out = format!("{count}  {title}\n");
        let room = self.width - INDENT;
        let indent = " ".repeat(INDENT);
        for (name, file) in group.names().zip(&group.files) {
            if width(&name) <= room || file.detail.is_empty() {
                let name = one_line(&name, room, Cut::Start);
                out.put(format_args!("{indent}{name}\n"));
            } else {
                let path = one_line(&file.path, room, Cut::Start);
                let detail = one_line(&file.detail, room - 4, Cut::Start);
                out.put(format_args!("{indent}{path}\n{indent}  ({detail})\n"));
            }
        }
        if group.more() > 0 {
            let more = format!("and {} more", grouped(group.more()));
            out.put(format_args!("{indent}{}\n", paint(DIM, &more)));
        }
        if !group.advice.is_empty() {
            out += &self.wrapped(&group.advice, INDENT);
        }
        out
    }

    /// The text on as many lines as it needs, behind so many spaces, dimmed.
    fn wrapped(&self, text: &str, indent: usize) -> String {
        let room = self.width - indent;
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let word = one_line(word, room, Cut::End);
            let last = lines
                .last_mut()
                .filter(|line| line.is_empty() || width(line) + 1 + width(&word) <= room);
            match last {
                Some(line) if line.is_empty() => *line = word,
                Some(line) => {
                    line.push(' ');
                    line.push_str(&word);
                }
                None => lines.push(word),
            }
        }
        let lines = lines
            .iter()
            .map(|line| " ".repeat(indent) + &paint(DIM, line) + "\n");
        lines.collect()
    }
}

/// What to say where there is no run at all.
pub(crate) fn no_runs(report: &Report) -> String {
    let totals = &report.totals;
    let files = totals.files + totals.skipped + report.errors.len() as u64;
    if files == 0 {
        return "No agent runs found.".to_owned();
    }
    let files = counted(files, "file");
    let reason = match report.skipped.as_slice() {
        [only] if report.errors.is_empty() && only.reason == SkipReason::NoRun => {
            let mut formats: Vec<&str> = only.files.iter().map(|file| &*file.detail).collect();
            formats.dedup();
            match formats.as_slice() {
                [format] => format!(
                    " (format {} recognised, but no tool calls)",
                    one_line(format, 40, Cut::End)
                ),
                _ => format!(" ({})", only.reason.title()),
            }
        }
        [only] if report.errors.is_empty() => format!(" ({})", only.reason.title()),
        _ => String::new(),
    };
    format!("No agent runs found in {files}{reason}.")
}
