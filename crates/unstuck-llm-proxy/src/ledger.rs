//! Files in which the proxies of one user write what was used, one for each day.
//!
//! A line is one answer, written at once behind the others. What a proxy wrote itself it has counted already.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

use unstuck::Json;
use unstuck_json::JsonRef;
use unstuck_session::clock;

use crate::spending::Spent;

/// Bytes that are read at once. The rest is read with the next request.
const AT_ONCE: u64 = 64 << 20;

/// Days whose files are kept.
const KEPT: usize = 31;

const ENDING: &str = ".jsonl";

/// The file of a day.
pub(crate) struct Ledger {
    file: File,
    /// Bytes that were read.
    read: u64,
    /// Tells lines of this proxy from those of others.
    own: String,
}

impl Ledger {
    /// Opens the file of a day. `None` if it cannot be used: the proxy then counts by itself.
    pub(crate) fn open(directory: &Path, now: i64) -> Option<Self> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(directory).ok()?;
        tidy(directory);
        let utc = clock::utc(now);
        let day = utc.split('T').next()?;
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let path = directory.join(format!("{day}{ENDING}"));
        let is_other = fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file());
        if is_other {
            return None;
        }
        let file = options.open(path).ok()?;
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).ok()?;
        Some(Self {
            file,
            read: 0,
            own: format!("{:016x}", u64::from_le_bytes(bytes)),
        })
    }

    /// Writes what an answer used. A line that cannot be written is counted by this proxy alone.
    pub(crate) fn write(&mut self, session: &str, spent: Spent) {
        let session = Json::string(session);
        let Self { own, .. } = self;
        let line = format!(
            r#"{{"by":"{own}","session":{session},"tokens":{},"micros":{}}}"#,
            spent.tokens, spent.micros
        );
        let _ = self.file.write_all(format!("{line}\n").as_bytes());
    }

    /// What other proxies wrote since the last look.
    pub(crate) fn read(&mut self) -> Vec<(Box<str>, Spent)> {
        let length = self.file.metadata().map_or(0, |found| found.len());
        if length <= self.read {
            return Vec::new();
        }
        let mut bytes = Vec::new();
        let found = self.file.seek(SeekFrom::Start(self.read)).and_then(|_| {
            let mut part = (&self.file).take(AT_ONCE);
            part.read_to_end(&mut bytes)
        });
        if found.is_err() {
            return Vec::new();
        }
        // A line that is being written has no end yet.
        let whole = match memchr::memrchr(b'\n', &bytes) {
            Some(end) => end + 1,
            // Not one of ours.
            None if bytes.len() as u64 == AT_ONCE => bytes.len(),
            None => 0,
        };
        self.read += whole as u64;
        let lines = bytes[..whole].split(|byte| *byte == b'\n');
        lines.filter_map(|line| self.line(line)).collect()
    }

    fn line(&self, line: &[u8]) -> Option<(Box<str>, Spent)> {
        let json = Json::lossy(line).ok()?;
        let value = json.view();
        if value.get("by")?.text()? == *self.own {
            return None;
        }
        let count = |name: &str| {
            let count = value.get(name).and_then(JsonRef::integer);
            count.and_then(|count| u64::try_from(count).ok())
        };
        let spent = Spent {
            answers: 1,
            tokens: count("tokens")?,
            micros: count("micros")?,
        };
        Some((value.get("session")?.text()?.into(), spent))
    }
}

/// Removes the files of days long past.
fn tidy(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(ENDING))
        .collect();
    names.sort_unstable();
    let old = names.len().saturating_sub(KEPT);
    for name in &names[..old] {
        let _ = fs::remove_file(directory.join(name));
    }
}
