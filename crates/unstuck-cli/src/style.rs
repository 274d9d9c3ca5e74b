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
    let text = diagnostic.to_string();
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

/// A text of others without what could steer a terminal.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            character if character.is_control() => '\u{fffd}',
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            character => character,
        })
        .collect()
}
