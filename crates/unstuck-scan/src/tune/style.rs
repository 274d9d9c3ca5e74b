//! Colours of the report. Streams of `anstream` take them out where they do not belong.

use anstyle::{AnsiColor, Style};

pub(super) const HEADING: Style = Style::new().bold();
pub(super) const CODE: Style = AnsiColor::Cyan.on_default();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const WARNING: Style = AnsiColor::Magenta.on_default().bold();

/// A text in a style.
pub(super) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
