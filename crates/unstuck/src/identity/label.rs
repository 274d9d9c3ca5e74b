//! One readable line for a call.

use std::borrow::Cow;

use unstuck_text::{acts_unseen, redact_excerpt};

use super::Args;
use crate::json::JsonKind;

/// Bytes of a label. It is quoted to models and people, and stored: long enough to recognise a call, short enough to
/// show sixteen of them.
pub(crate) const LONGEST: usize = 80;

/// The arguments that tell most, best first.
const TELLING: [&str; 8] = [
    "command",
    "file_path",
    "path",
    "url",
    "query",
    "pattern",
    "filename",
    "name",
];

pub(super) fn of(tool: &str, args: &Args<'_>, command: Option<&str>) -> Box<str> {
    let told: Option<Cow<'_, str>> = match command {
        Some(command) => Some(Cow::Borrowed(command)),
        None => match args.whole.kind() {
            JsonKind::Object => TELLING
                .iter()
                .find_map(|name| args.get(name)?.text())
                .or_else(|| (!args.members.is_empty()).then(|| Cow::Borrowed(args.whole.as_str()))),
            JsonKind::String => args.whole.text(),
            _ => Some(Cow::Borrowed(args.whole.as_str())),
        },
    };
    let mut label = String::with_capacity(LONGEST + 4);
    push(&mut label, &redact_excerpt(tool, LONGEST));
    if let Some(told) = told {
        label.push(' ');
        push(&mut label, &redact_excerpt(&told, LONGEST));
    }
    label.into()
}

/// A text on one line, as short as a label and without secrets.
pub(crate) fn one_line(text: &str) -> Box<str> {
    let mut line = String::new();
    push(&mut line, &redact_excerpt(text, LONGEST));
    line.into()
}

/// A tool's name as it is kept. Nobody has tools with names like books, but a hostile caller may say so.
pub(super) fn bounded_tool(name: &str) -> Box<str> {
    const LONGEST: usize = 256;
    name[..name.floor_char_boundary(LONGEST)].into()
}

/// Appends on one line, without what could move or hide other text, up to the longest.
pub(crate) fn push(label: &mut String, text: &str) {
    let mut gap = false;
    for character in text.chars() {
        if label.len() >= LONGEST {
            label.push('…');
            return;
        }
        if character.is_whitespace() || character.is_control() || acts_unseen(character) {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) && !label.is_empty() && !label.ends_with(' ') {
            label.push(' ');
        }
        label.push(character);
    }
}

#[cfg(test)]
#[path = "label_tests.rs"]
mod tests;
