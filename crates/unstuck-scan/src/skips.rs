//! Files that are not in the report, by reason.

use std::collections::BTreeMap;

use unstuck_report::{SkipReason, SkippedFile, SkippedFiles};
use unstuck_transcript::Format;

/// Files of each reason that are named without `--verbose`.
const NAMED: usize = 3;

/// Collects skipped files.
pub struct Skips {
    groups: BTreeMap<SkipReason, (u64, Vec<SkippedFile>)>,
    named: usize,
}

/// Whether all skipped files are listed, or the first few of each reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    Some,
    All,
}

impl Skips {
    pub fn new(listed: Listed) -> Self {
        Self {
            groups: BTreeMap::new(),
            named: match listed {
                Listed::Some => NAMED,
                Listed::All => usize::MAX,
            },
        }
    }

    pub fn add(&mut self, reason: SkipReason, path: String, detail: String) {
        let (count, files) = self.groups.entry(reason).or_default();
        *count += 1;
        if files.len() < self.named {
            files.push(SkippedFile { path, detail });
        }
    }

    pub fn finish(self) -> Vec<SkippedFiles> {
        let groups = self.groups.into_iter();
        groups
            .map(|(reason, (count, files))| SkippedFiles {
                reason,
                count,
                advice: advice(reason),
                files,
            })
            .collect()
    }
}

/// The formats that are read, for a sentence.
pub fn supported() -> String {
    let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
    format!("Supported: {} (`unstuck scan --help`)", names.join(", "))
}

/// The advice on a group of files, where there is one line for it.
pub fn short_advice(group: &SkippedFiles) -> &str {
    match group.reason {
        SkipReason::UnknownFormat => "`unstuck scan --help` lists the formats.",
        _ => &group.advice,
    }
}

/// What to do so that files are read that were skipped for this reason.
fn advice(reason: SkipReason) -> String {
    let fixed = match reason {
        SkipReason::UnknownFormat => return supported() + ".",
        SkipReason::NoRun => "If there are tool calls in them, please report the format.",
        SkipReason::Packed => "Unpack them first; gzip, zstd and xz are read as they are.",
        SkipReason::Utf16 => "Convert them first: iconv -f UTF-16 -t UTF-8 FILE",
        SkipReason::Database => "Only databases of OpenCode are read.",
        SkipReason::Link => "`--follow` follows links.",
        SkipReason::Special => "A pipe or device is read if it is named.",
        SkipReason::Deep => "Name the directory to look into it.",
        _ => "",
    };
    fixed.to_owned()
}
