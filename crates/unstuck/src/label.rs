//! One readable line for a call.

#![expect(
    clippy::disallowed_types,
    reason = "the cell belongs to one label and is filled from it alone; it is not global state"
)]

use std::{
    borrow::Cow,
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unstuck_text::{acts_unseen, redact_excerpt};

use crate::vocab::arguments::{ArgumentRole, Member};
use unstuck_json::{JsonKind, JsonRef};

/// Maximum length of a label in bytes. It is quoted to models and people, and stored: long enough to recognise a call, short enough to
/// show sixteen of them.
pub(crate) const LONGEST: usize = 80;

/// Characters of up to four bytes that a label has room for.
const CHARACTERS: usize = LONGEST / 4;
/// Bytes of a tool's name in a label that shows an argument.
const LONGEST_TOOL: usize = 40;
/// Bytes of a path behind another argument.
const LONGEST_PATH: usize = 40;
/// Bytes of a value that names one of the jobs of a tool.
const LONGEST_JOB: usize = 24;
/// The rank of a command that names a job, behind all others.
const JOB_ALONE: u8 = u8::MAX - 1;
/// Bytes of an argument's JSON that are looked at.
const LOOKED_AT: usize = 1_024;

/// A line about a call: the tool and its most significant argument.
///
/// It is kept in several places and copied at every turn, so copies share the text. Most are never read: secrets are
/// looked for when the line is read or stored for the first time. State stores the argument only if
/// the engine may keep it, or the call was seen before.
#[derive(Clone)]
pub(crate) struct Label(Arc<LabelText>);

struct LabelText {
    /// The parts of the line as they were given, each ended by [`END`], with a bounded number of bytes.
    parts: Box<str>,
    shown: OnceLock<Box<str>>,
    stored: StoredPart,
}

/// How much of a line is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoredPart {
    /// The tool's name: the call was not seen before.
    Tool,
    Whole,
}

impl Label {
    /// The call was seen before: from now on all of the line may be stored.
    pub(crate) fn store_whole(&mut self) {
        if let Some(line) = Arc::get_mut(&mut self.0) {
            line.stored = StoredPart::Whole;
        }
    }

    /// Replaces a line of which only the tool's name was stored.
    pub(crate) fn complete(&mut self, label: &str) {
        let is_tool = self.0.parts.is_empty() && !self.contains(' ');
        if is_tool && label.starts_with(&**self) {
            *self = Self(Arc::new(LabelText {
                parts: Box::default(),
                shown: OnceLock::from(one_line(label)),
                stored: StoredPart::Tool,
            }));
        }
    }
}

/// Ends a part. It is not shown, so parts lose nothing without it.
const END: char = '\0';

impl Deref for Label {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.shown.get_or_init(|| shown(&self.0.parts))
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl From<Box<str>> for Label {
    fn from(text: Box<str>) -> Self {
        Self(Arc::new(LabelText {
            parts: Box::default(),
            shown: text.into(),
            stored: StoredPart::Whole,
        }))
    }
}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tool = self.0.parts.split(END).next().unwrap_or_default();
        match self.0.stored {
            StoredPart::Whole => serializer.serialize_str(self),
            StoredPart::Tool if self.0.parts.is_empty() => {
                serializer.serialize_str(self.split(' ').next().unwrap_or_default())
            }
            StoredPart::Tool => serializer.serialize_str(&one_line(tool)),
        }
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<str>::deserialize(deserializer).map(Self::from)
    }
}

/// The arguments that a label shows.
#[derive(Default)]
struct Telling<'a> {
    /// The job of a tool with several jobs.
    job: Option<JsonRef<'a>>,
    /// The query or command.
    matter: Ranked<'a>,
    path: Ranked<'a>,
}

/// A value and the place of its name in a list, the best first.
#[derive(Clone, Copy)]
struct Ranked<'a>(u8, Option<JsonRef<'a>>);

impl Default for Ranked<'_> {
    fn default() -> Self {
        Self(u8::MAX, None)
    }
}

impl<'a> Ranked<'a> {
    fn offer(&mut self, rank: u8, value: JsonRef<'a>) {
        if rank < self.0 {
            *self = Self(rank, Some(value));
        }
    }

    fn text(self) -> Option<Cow<'a, str>> {
        self.1?.text_within(LOOKED_AT)
    }
}

impl<'a> Telling<'a> {
    fn of(members: &[Member<'a>]) -> Self {
        let mut telling = Self::default();
        for Member {
            name, value, known, ..
        } in members
        {
            let value = *value;
            // An empty text is not shown.
            if value.kind() != JsonKind::String || value.as_str().len() <= 2 {
                continue;
            }
            let is_job = || {
                let text = value.as_str();
                text.len() <= LONGEST_JOB + 2 && !text.bytes().any(|byte| b" \\".contains(&byte))
            };
            if let Some(rank) = known.rank(ArgumentRole::ShownPath) {
                telling.path.offer(rank, value);
            } else if known.plays(ArgumentRole::ShownJob) {
                if is_job() {
                    telling.job.get_or_insert(value);
                }
            } else if let Some(rank) = known.rank(ArgumentRole::ShownMatter) {
                if name == "command" && is_job() {
                    // Without other arguments it is shown itself.
                    telling.matter.offer(JOB_ALONE, value);
                    telling.job = Some(value);
                } else {
                    telling.matter.offer(rank, value);
                }
            }
        }
        if telling.matter.0 == JOB_ALONE {
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

/// The parts of a call's line: the tool, which of its jobs it is to do, what is looked for or run, and the path.
pub(crate) fn of<'a>(
    tool: &str,
    whole: JsonRef<'a>,
    members: &[Member<'a>],
    command: Option<&str>,
) -> Label {
    let mut telling = Telling::default();
    let matter = match command {
        Some(command) => Some(Cow::Borrowed(command)),
        None if whole.kind() == JsonKind::Object => {
            telling = Telling::of(members);
            telling.matter.text()
        }
        None => whole.text_within(LOOKED_AT).or(Some(whole.as_str().into())),
    };
    let path = telling.path.text();
    let (job, matter) = match (matter, &path) {
        (None, None) if command.is_none() && !members.is_empty() => {
            (None, Some(whole.as_str().into()))
        }
        (matter, _) => (telling.job.and_then(JsonRef::text), matter),
    };
    // Text that is not decoded is canonical JSON, where the sign is escaped.
    let decoded = |part: &Option<Cow<'_, str>>| matches!(part, Some(Cow::Owned(_)));
    let may_hold_end = command.is_some()
        || tool.as_bytes().contains(&(END as u8))
        || [&job, &matter, &path].into_iter().any(decoded);
    let parts = [
        Some(tool),
        job.as_deref(),
        matter.as_deref(),
        path.as_deref(),
    ];
    let parts = parts.map(|part| bounded(part.unwrap_or_default()));
    let length = parts.iter().map(|part| part.len() + 1).sum();
    let mut line = String::with_capacity(length);
    for part in parts {
        line.push_str(part);
        line.push(END);
    }
    // To count once is less work than to look into each part.
    let ends = || memchr::memchr_iter(END as u8, line.as_bytes()).count();
    if may_hold_end && ends() > parts.len() {
        line.clear();
        for part in parts {
            line.extend(part.chars().filter(|character| *character != END));
            line.push(END);
        }
    }
    Label(Arc::new(LabelText {
        parts: line.into(),
        shown: OnceLock::new(),
        stored: StoredPart::Tool,
    }))
}

/// The part of a text that is read: its first bytes. It bounds the work on arguments of any length.
fn bounded(text: &str) -> &str {
    &text[..unstuck_text::floor_char_boundary(text, LOOKED_AT)]
}

/// The line, without secrets.
fn shown(parts: &str) -> Box<str> {
    let mut parts = parts
        .split(END)
        .map(|part| Some(part).filter(|part| !part.is_empty()));
    let mut next = || parts.next().flatten();
    let (tool, job, matter, path) = (next().unwrap_or_default(), next(), next(), next());
    let mut label = String::with_capacity(LONGEST + 4);
    if job.is_none() && matter.is_none() && path.is_none() {
        push(&mut label, &redact_excerpt(tool, CHARACTERS));
        return label.into();
    }
    push_tool(&mut label, tool);
    if let Some(job) = job {
        push_argument(&mut label, job, LONGEST);
    }
    let path = path.map(shown_path);
    if let Some(matter) = matter {
        // Room for the path behind it.
        let taken = path
            .as_ref()
            .map_or(0, |path| path.len().min(LONGEST_PATH) + 4);
        push_argument(&mut label, matter, LONGEST - taken);
    }
    if let Some(path) = path {
        push_path(&mut label, &path);
    }
    label.into()
}

fn push_tool(label: &mut String, tool: &str) {
    push_within(label, &redact_excerpt(tool, CHARACTERS), LONGEST_TOOL);
}

/// Appends an argument, up to a given length of the label in bytes.
fn push_argument(label: &mut String, text: &str, longest: usize) {
    label.push(' ');
    push_within(label, &redact_excerpt(text, CHARACTERS), longest);
}

/// A path without secrets, and without its beginning where it is very long.
fn shown_path(path: &str) -> Cow<'_, str> {
    const LONGEST: usize = 512;
    let tail = match path.len().checked_sub(LONGEST) {
        None => path,
        Some(cut) => {
            let tail = &path[unstuck_text::ceil_char_boundary(path, cut)..];
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
    push(&mut line, &redact_excerpt(text, CHARACTERS));
    line.into()
}

/// The first 256 bytes of a tool's name, so that a caller cannot fill the state with a long one.
pub(crate) fn bounded_tool(name: &str) -> Box<str> {
    const LONGEST: usize = 256;
    name[..unstuck_text::floor_char_boundary(name, LONGEST)].into()
}

/// Appends on one line, without what could move or hide other text, up to the longest.
pub(crate) fn push(label: &mut String, text: &str) {
    push_within(label, text, LONGEST);
}

/// The same up to a given length of the label in bytes.
fn push_within(label: &mut String, text: &str, longest: usize) {
    // Most texts begin with letters and signs of ASCII, and many have nothing else.
    let room = longest.saturating_sub(label.len());
    let plain = text.bytes().take(room).take_while(u8::is_ascii_graphic);
    let (plain, rest) = text.split_at(plain.count());
    label.push_str(plain);
    let mut gap = false;
    for character in rest.chars() {
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
