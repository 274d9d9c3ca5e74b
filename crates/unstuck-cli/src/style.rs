//! Colours. Streams of `anstream` take them out where they do not belong: in files, pipes and where `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};
use unstuck_config::{Diagnostic, Severity};

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const CODE: Style = AnsiColor::Cyan.on_default();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Magenta.on_default().bold();

pub(crate) const ADDED: Style = AnsiColor::Green.on_default();
pub(crate) const REMOVED: Style = AnsiColor::Red.on_default();

/// The colours of `--help`.
pub(crate) const HELP: clap::builder::Styles = clap::builder::Styles::styled()
    .header(HEADING)
    .usage(HEADING)
    .literal(CODE)
    .placeholder(DIM)
    .error(ERROR);

/// A text in a style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A diagnostic whose first word is coloured.
pub(crate) fn diagnostic(diagnostic: &Diagnostic) -> String {
    let text = unstuck_text::Shown::lines(diagnostic).to_string();
    let severity = diagnostic.severity.to_string();
    let style = match diagnostic.severity {
        Severity::Warning => WARNING,
        _ => ERROR,
    };
    match text.strip_prefix(&severity) {
        Some(rest) => paint(style, &severity) + rest,
        None => text,
    }
}
