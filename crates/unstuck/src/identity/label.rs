//! One readable line for a call.

use std::{borrow::Cow, ops::Deref, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unstuck_text::{acts_unseen, redact_excerpt};

use super::Args;
use crate::json::{JsonKind, JsonRef};

/// Bytes of a label. It is quoted to models and people, and stored: long enough to recognise a call, short enough to
/// show sixteen of them.
pub(crate) const LONGEST: usize = 80;

/// Bytes of a tool's name in a label that shows an argument.
const LONGEST_TOOL: usize = 40;
/// Bytes of a path behind another argument.
const LONGEST_PATH: usize = 40;
/// Bytes of a value that names one of the jobs of a tool.
const LONGEST_JOB: usize = 24;
/// Bytes of an argument's JSON that are looked at.
const LOOKED_AT: usize = 1_024;

/// A line about a call. It is kept in several places and copied at every turn, so copies share the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label(Arc<str>);

impl Deref for Label {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Label {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<str>::deserialize(deserializer).map(|text| Self(text.into()))
    }
}

/// The arguments that a label shows.
#[derive(Default)]
struct Telling<'a> {
    /// Which of its jobs a tool is to do.
    job: Option<JsonRef<'a>>,
    /// What is looked for or run.
    matter: Ranked<'a>,
    path: Ranked<'a>,
}

/// A value and the place of its name in a list, the best first.
#[derive(Clone, Copy)]
struct Ranked<'a>(usize, Option<JsonRef<'a>>);

impl Default for Ranked<'_> {
    fn default() -> Self {
        Self(usize::MAX, None)
    }
}

impl<'a> Ranked<'a> {
    fn offer(&mut self, rank: usize, value: JsonRef<'a>) {
        if rank < self.0 {
            *self = Self(rank, Some(value));
        }
    }

    fn text(self) -> Option<Cow<'a, str>> {
        self.1?.text_within(LOOKED_AT)
    }
}

impl<'a> Telling<'a> {
    fn of(args: &Args<'a>) -> Self {
        let mut telling = Self::default();
        for (name, value) in &args.members {
            let value = *value;
            // An empty text tells nothing.
            if value.kind() != JsonKind::String || value.as_str().len() <= 2 {
                continue;
            }
            let is_job = value.as_str().len() <= LONGEST_JOB + 2
                && !value.as_str().bytes().any(|byte| b" \\".contains(&byte));
            match &**name {
                "path" => telling.path.offer(0, value),
                "file_path" => telling.path.offer(1, value),
                "filename" => telling.path.offer(2, value),
                "file" => telling.path.offer(3, value),
                "notebook_path" => telling.path.offer(4, value),
                "url" => telling.matter.offer(0, value),
                "query" => telling.matter.offer(1, value),
                "pattern" => telling.matter.offer(2, value),
                "command" if is_job => {
                    // Alone it is what there is to show.
                    telling.matter.offer(7, value);
                    telling.job = Some(value);
                }
                "action" | "operation" | "op" | "method" if is_job => {
                    telling.job.get_or_insert(value);
                }
                "command" => telling.matter.offer(3, value),
                "cmd" => telling.matter.offer(4, value),
                "code" => telling.matter.offer(5, value),
                "name" => telling.matter.offer(6, value),
                _ => {}
            }
        }
        if telling.matter.0 == 7 {
            // It is shown once: in front of a path, or alone.
            if telling.path.1.is_some() {
                telling.matter = Ranked::default();
            } else {
                telling.job = None;
            }
        }
        telling
    }
}

/// The tool and the argument that tells most: the command, or which of its jobs the tool is to do, what is looked for
/// and the path.
pub(super) fn of(tool: &str, args: &Args<'_>, command: Option<&str>) -> Label {
    let mut label = String::with_capacity(LONGEST + 4);
    let whole = args.whole;
    if let Some(command) = command {
        push_tool(&mut label, tool);
        push_argument(&mut label, command, LONGEST);
    } else if whole.kind() == JsonKind::Object {
        let telling = Telling::of(args);
        let (matter, path) = (telling.matter.text(), telling.path.text());
        if matter.is_none() && path.is_none() {
            if args.members.is_empty() {
                push(&mut label, &redact_excerpt(tool, LONGEST));
            } else {
                push_tool(&mut label, tool);
                push_argument(&mut label, whole.as_str(), LONGEST);
            }
        } else {
            push_tool(&mut label, tool);
            if let Some(job) = telling.job.and_then(JsonRef::text) {
                push_argument(&mut label, &job, LONGEST);
            }
            let path = path.as_deref().map(shown_path);
            if let Some(matter) = &matter {
                // Room for the path behind it.
                let taken = path
                    .as_ref()
                    .map_or(0, |path| path.len().min(LONGEST_PATH) + 4);
                push_argument(&mut label, matter, LONGEST - taken);
            }
            if let Some(path) = path {
                push_path(&mut label, &path);
            }
        }
    } else {
        push_tool(&mut label, tool);
        let text = whole.text_within(LOOKED_AT);
        push_argument(
            &mut label,
            &text.unwrap_or(Cow::Borrowed(whole.as_str())),
            LONGEST,
        );
    }
    Label::from(&*label)
}

fn push_tool(label: &mut String, tool: &str) {
    push_within(label, &redact_excerpt(tool, LONGEST_TOOL), LONGEST_TOOL);
}

/// Appends an argument, up to so many bytes of the label.
fn push_argument(label: &mut String, text: &str, longest: usize) {
    label.push(' ');
    push_within(label, &redact_excerpt(text, LONGEST), longest);
}

/// A path without secrets, and without its beginning where it is very long.
fn shown_path(path: &str) -> Cow<'_, str> {
    const LONGEST: usize = 512;
    let tail = match path.len().checked_sub(LONGEST) {
        None => path,
        Some(cut) => {
            let tail = &path[path.ceil_char_boundary(cut)..];
            // A part that was cut may be a piece of a secret.
            tail.split_once('/').map_or(tail, |(_, whole)| whole)
        }
    };
    redact_excerpt(tail, LONGEST)
}

/// Appends a path: all of it, or its end from the start of a part on, or the beginning of its last part.
fn push_path(label: &mut String, path: &str) {
    label.push(' ');
    let room = LONGEST.saturating_sub(label.len());
    let path = path.trim();
    if path.len() <= room {
        push(label, path);
        return;
    }
    let folders = path.trim_end_matches('/');
    let parts = folders.rmatch_indices('/').map(|(at, _)| &path[at..]);
    let fits = parts.take_while(|end| end.len() + '…'.len_utf8() <= room);
    label.push('…');
    match fits.last() {
        Some(end) => push(label, end),
        None => push(label, &path[folders.rfind('/').unwrap_or(0)..]),
    }
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
    push_within(label, text, LONGEST);
}

/// The same up to so many bytes of the label.
fn push_within(label: &mut String, text: &str, longest: usize) {
    let mut gap = false;
    for character in text.chars() {
        if label.len() >= longest {
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
