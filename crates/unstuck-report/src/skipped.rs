//! Files that are not in a report, by reason.

use schemars::JsonSchema;
use serde::Serialize;

/// Files that were not read, or were read and gave no run, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedFiles {
    /// Why they were skipped.
    pub reason: SkipReason,
    /// How many there are.
    pub count: u64,
    /// What to do to have them read; empty where there is nothing to do.
    pub advice: String,
    /// The first of them, or all of them with `--verbose`.
    pub files: Vec<SkippedFile>,
}

/// One file that was skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedFile {
    /// The file.
    pub path: String,
    /// More about the reason: the format that was recognised, the program it is packed with, the file it is a copy of.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// Why a file was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SkipReason {
    /// Its format is not known.
    UnknownFormat,
    /// Its format is known, and it has no tool calls.
    NoRun,
    /// It is packed with a program whose files are not read.
    Packed,
    /// Its text is UTF-16.
    Utf16,
    /// It is a database without sessions that can be read.
    Database,
    /// It has no bytes, or only blank lines.
    Empty,
    /// It is in a format that `--agent` does not name.
    NotAsked,
    /// It was last written before `--since`, or all its runs ended before that.
    Older,
    /// All its runs began after `--until`.
    Newer,
    /// No run in it is of a directory that `--project` names.
    OtherProject,
    /// `--exclude` names it.
    Excluded,
    /// Another file has the same content, or all of its messages.
    Copy,
    /// It is a link out of the places named.
    Link,
    /// It is a link without a target.
    DeadLink,
    /// It is a pipe, a socket or a device.
    Special,
    /// It is a directory below the deepest level.
    Deep,
}

impl SkipReason {
    /// The reason in words.
    pub fn title(self) -> &'static str {
        match self {
            Self::UnknownFormat => "unknown format",
            Self::NoRun => "format recognised, no tool calls",
            Self::Packed => "packed",
            Self::Utf16 => "UTF-16 text",
            Self::Database => "database without sessions",
            Self::Empty => "empty",
            Self::NotAsked => "other format than --agent names",
            Self::Older => "older than --since",
            Self::Newer => "newer than --until",
            Self::OtherProject => "other project than --project names",
            Self::Excluded => "left out by --exclude",
            Self::Copy => "copy of another file",
            Self::Link => "link out of the places named",
            Self::DeadLink => "link without a target",
            Self::Special => "pipe, socket or device",
            Self::Deep => "directory too deep",
        }
    }
}

impl SkippedFiles {
    /// The files in words, each with its detail.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.files.iter().map(|file| match &*file.detail {
            "" => file.path.clone(),
            detail => format!("{} ({detail})", file.path),
        })
    }

    /// How many files are not named.
    pub fn more(&self) -> u64 {
        self.count.saturating_sub(self.files.len() as u64)
    }
}
