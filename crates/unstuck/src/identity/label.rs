//! One readable line for a call.

use std::borrow::Cow;

use super::Args;
use crate::json::JsonKind;

/// A label is quoted to models and people: long enough to recognise a call, short enough to show sixteen of them.
const LONGEST: usize = 80;

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
    push(&mut label, tool);
    if let Some(told) = told {
        label.push(' ');
        push(&mut label, &told);
    }
    label.into()
}

/// Appends on one line, without control characters, up to the longest.
fn push(label: &mut String, text: &str) {
    let mut gap = false;
    for character in text.chars() {
        if label.len() >= LONGEST {
            label.push('…');
            return;
        }
        if character.is_whitespace() || character.is_control() {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) && !label.ends_with(' ') {
            label.push(' ');
        }
        label.push(character);
    }
}
