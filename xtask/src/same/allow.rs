//! `--allow FILE`: differences that are intended.
//!
//! One a line, words apart by blanks: `KIND/NAME PRESET MODE LINE FIELDS`. `*` stands for any; FIELDS are parted by commas,
//! and all fields that differ must be among them. A line that begins with `#` is a comment. The first difference of a
//! stream is printed in this form, too.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

use super::compare::Difference;
use super::replay::Replay;

#[derive(Debug, Default)]
pub(super) struct Allowed {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    stream: String,
    preset: String,
    mode: String,
    line: String,
    fields: Vec<String>,
    used: AtomicBool,
}

impl Allowed {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("{} is not usable", path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        let mut entries = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let words: Vec<_> = line.split_whitespace().collect();
            let [stream, preset, mode, number, fields] = words.as_slice() else {
                bail!(
                    "line {}: expected `KIND/NAME PRESET MODE LINE FIELDS`, found {} words",
                    at + 1,
                    words.len()
                );
            };
            entries.push(Entry {
                stream: (*stream).to_owned(),
                preset: (*preset).to_owned(),
                mode: (*mode).to_owned(),
                line: (*number).to_owned(),
                fields: fields.split(',').map(str::to_owned).collect(),
                used: AtomicBool::new(false),
            });
        }
        Ok(Self { entries })
    }

    pub(super) fn allows(&self, replay: &Replay<'_>, difference: &Difference) -> bool {
        let mut found = self
            .entries
            .iter()
            .filter(|entry| entry.allows(replay, difference));
        match found.next() {
            Some(entry) => {
                entry.used.store(true, Ordering::Relaxed);
                true
            }
            None => false,
        }
    }

    /// Entries that no difference was found for.
    pub(super) fn unused(&self) -> impl Iterator<Item = String> {
        let unused = |entry: &&Entry| !entry.used.load(Ordering::Relaxed);
        self.entries.iter().filter(unused).map(Entry::text)
    }
}

impl Entry {
    fn allows(&self, replay: &Replay<'_>, difference: &Difference) -> bool {
        let kind = replay.stream.kind.name();
        let is_any_of_kind = self.stream.strip_suffix("/*") == Some(kind);
        let line = difference.line.map(|line| line.to_string());
        (is_any_of_kind || matches(&self.stream, &replay.stream.to_string()))
            && matches(&self.preset, replay.preset)
            && matches(&self.mode, replay.mode.name)
            && matches(&self.line, &line.unwrap_or_default())
            && difference
                .fields
                .iter()
                .all(|field| self.fields.iter().any(|known| matches(known, &field.name)))
    }

    fn text(&self) -> String {
        let fields = self.fields.join(",");
        [&*self.stream, &self.preset, &self.mode, &self.line, &fields].join(" ")
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    pattern == "*" || pattern == text
}

#[cfg(test)]
#[path = "allow_tests.rs"]
mod tests;
