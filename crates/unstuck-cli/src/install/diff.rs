//! Changes, shown before they are made.

use similar::{ChangeTag, TextDiff};
use unstuck_report::counted;
use unstuck_text::Shown;

use crate::style::{ADDED, DIM, HEADING, REMOVED, paint};

/// A new file whose lines are not shown.
pub(crate) fn created(name: &str, text: &str) -> String {
    let lines = counted(text.lines().count() as u64, "line");
    let what = format!("(new file, {lines})");
    format!("{} {}\n", paint(HEADING, name), paint(DIM, &what))
}

/// The difference between two texts, with a few lines around it.
pub(crate) fn diff(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    let what = match (before, after) {
        (None, _) => "new file",
        (_, None) => "removed",
        _ => "changed",
    };
    let mut text = format!(
        "{} {}\n",
        paint(HEADING, name),
        paint(DIM, &format!("({what})"))
    );
    let changes = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    for (index, group) in changes.grouped_ops(3).iter().enumerate() {
        if index > 0 {
            text.push_str(&paint(DIM, "  …\n"));
        }
        for change in group.iter().flat_map(|op| changes.iter_changes(op)) {
            let line = Shown::line(change.value().trim_end_matches(['\n', '\r']));
            let line = match change.tag() {
                ChangeTag::Equal => format!("  {line}"),
                ChangeTag::Insert => paint(ADDED, &format!("+ {line}")),
                ChangeTag::Delete => paint(REMOVED, &format!("- {line}")),
            };
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}
