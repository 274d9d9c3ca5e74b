//! `cargo xtask version`: one version for every package.
//!
//! Every place in the repository where the present version is written is either ours and moves, or belongs to something else. A
//! place of which neither is known is an error, so a new file cannot be forgotten.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use unstuck_dev::Shell;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// New version, such as `1.2.3` or `1.2.3-rc.1`; without it the present one is checked and printed
    version: Option<String>,
}

/// Contents by path relative to the root of the repository.
type Files = BTreeMap<String, String>;

/// Places that happen to have the same version: the file, and a part of the line.
const FOREIGN: [(&str, &str); 1] = [("docs/quality.md", "| tool-loop-guard ")];

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let files = tracked(shell)?;
    let present = present(&files)?;
    let Some(new) = &options.version else {
        let places = places(&files, &present)?;
        let count: usize = places.values().map(Vec::len).sum();
        println!("{present}, written {count} times in {} files", places.len());
        return Ok(ExitCode::SUCCESS);
    };
    check(new)?;
    let moved = moved(&files, &present, new)?;
    let mut count = 0;
    for (path, text) in &moved {
        if files.get(path) != Some(text) {
            let path = shell.root().join(path);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            count += 1;
        }
    }
    // The lock files are those that cargo would write.
    for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
        shell
            .cargo(["metadata", "--locked", "--offline", "--format-version", "1"])
            .args(["--manifest-path", manifest])
            .ignore_stdout()
            .run()?;
    }
    println!("{present} → {new}: {count} files changed");
    println!("Next: a heading for it in CHANGELOG.md, then `cargo xtask generate --check`.");
    Ok(ExitCode::SUCCESS)
}

/// Every text file under version control, as it is on the disk.
fn tracked(shell: &Shell) -> Result<Files> {
    let listed = shell.program("git").args(["ls-files", "-z"]).read()?;
    let mut files = Files::new();
    for path in listed.split('\0').filter(|path| !path.is_empty()) {
        // What is not text, a link or removed has no version in it.
        if let Ok(text) = fs::read_to_string(shell.root().join(path)) {
            files.insert(path.to_owned(), text);
        }
    }
    Ok(files)
}

/// The version of the workspace.
fn present(files: &Files) -> Result<String> {
    let manifest = files.get("Cargo.toml").context("there is no Cargo.toml")?;
    let mut lines = manifest
        .lines()
        .skip_while(|line| *line != "[workspace.package]");
    let line = lines.find_map(|line| line.strip_prefix("version = \""));
    let version = line.and_then(|line| line.strip_suffix('"'));
    Ok(version
        .context("Cargo.toml has no version of the workspace")?
        .to_owned())
}

/// Accepts three numbers, and words behind a `-`.
fn check(version: &str) -> Result<()> {
    let (numbers, words) = match version.split_once('-') {
        Some((numbers, words)) => (numbers, Some(words)),
        None => (version, None),
    };
    let is_number = |part: &str| {
        let is_short = !part.is_empty() && part.len() < 10;
        is_short
            && part.bytes().all(|b| b.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let has_three = numbers.split('.').count() == 3 && numbers.split('.').all(is_number);
    if !has_three || !words.is_none_or(|words| words.split('.').all(is_word)) {
        bail!("`{version}` is not a version such as 1.2.3 or 1.2.3-rc.1");
    }
    Ok(())
}

/// The same files with another version.
fn moved(files: &Files, from: &str, to: &str) -> Result<Files> {
    let mut moved = files.clone();
    for (path, ranges) in places(files, from)? {
        if let Some(text) = moved.get_mut(&path) {
            for range in ranges.into_iter().rev() {
                text.replace_range(range, to);
            }
        }
    }
    Ok(moved)
}

/// Where a version of ours is written.
fn places(files: &Files, version: &str) -> Result<BTreeMap<String, Vec<Range<usize>>>> {
    let mut found = BTreeMap::new();
    let mut unknown = Vec::new();
    for (path, text) in files {
        for range in occurrences(text, version) {
            match owner(path, text, &range) {
                Owner::Ours => found
                    .entry(path.clone())
                    .or_insert_with(Vec::new)
                    .push(range),
                Owner::Foreign => {}
                Owner::Unknown => {
                    let line = text[..range.start].matches('\n').count() + 1;
                    unknown.push(format!("  {path}:{line}"));
                }
            }
        }
    }
    if !unknown.is_empty() {
        bail!(
            "it is not known whose version {version} is in\n{}\nsay so in xtask/src/version.rs, or leave the version out there",
            unknown.join("\n")
        );
    }
    Ok(found)
}

/// Where a text has a version and not a part of a longer one.
fn occurrences(text: &str, version: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let found = text.match_indices(version);
    let whole = found.filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let mut behind = text[at + version.len()..].chars();
        let (first, second) = (behind.next(), behind.next());
        let goes_on = match first {
            Some(first) if first.is_ascii_alphanumeric() => true,
            // The end of a sentence is not a further part.
            Some('.' | '-' | '+') => second.is_some_and(|c| c.is_ascii_alphanumeric()),
            _ => false,
        };
        !before.is_some_and(is_part) && !goes_on
    });
    whole.map(|(at, _)| at..at + version.len()).collect()
}

/// Whose version it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Ours,
    Foreign,
    Unknown,
}

impl Owner {
    fn ours_if(is_ours: bool) -> Self {
        if is_ours { Self::Ours } else { Self::Foreign }
    }
}

fn owner(path: &str, text: &str, range: &Range<usize>) -> Owner {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |at| range.end + at);
    let line = &text[start..end];
    let before = text[start..range.start].trim_start();
    let name = path.rsplit('/').next().unwrap_or(path);
    if FOREIGN
        .iter()
        .any(|(file, part)| *file == path && line.contains(part))
    {
        return Owner::Foreign;
    }
    match name {
        "Cargo.lock" => Owner::ours_if(!of_a_registry(text, range)),
        // A package of ours by its name; other packages may have the same version.
        "Cargo.toml" => {
            Owner::ours_if(line.starts_with("version = ") || line.starts_with("unstuck"))
        }
        "pyproject.toml" | "__init__.py" => {
            let before = before.trim_end_matches(['"', '\'']);
            let is_own = ["version = ", "__version__ = "].contains(&before);
            Owner::ours_if(is_own || line.contains("unstuck"))
        }
        "package-lock.json" => Owner::ours_if(names_ours(text, start, before)),
        "package.json" | "plugin.json" | "marketplace.json" => {
            let of_ours = ["\"version\": \"", "\"unstuck\": ", "\"@unstuck/"];
            Owner::ours_if(of_ours.iter().any(|of| before.starts_with(of)))
        }
        "action.yml" if before.trim_end_matches(['"', '\'']) == "default: " => Owner::Ours,
        // What was, stays.
        "CHANGELOG.md" => Owner::Foreign,
        _ if path.starts_with("man/") => Owner::Ours,
        // Reports with the version that made them.
        _ if path.contains("/tests/golden/") => {
            let key = before.trim_end_matches([' ', '"', ':']);
            Owner::ours_if(key.ends_with("ersion"))
        }
        _ => Owner::Unknown,
    }
}

/// Whether an entry of a lock file of cargo is of a package from elsewhere.
fn of_a_registry(text: &str, range: &Range<usize>) -> bool {
    const START: &str = "[[package]]";
    let start = text[..range.start].rfind(START).unwrap_or(0);
    let end = text[range.end..]
        .find(START)
        .map_or(text.len(), |at| range.end + at);
    let line = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let is_own_version = text[line..].starts_with("version = ");
    !is_own_version || text[start..end].contains("\nsource = ")
}

/// Whether a line of a lock file of npm has the version of one of our packages: its key or the one above names it.
fn names_ours(text: &str, start: usize, before: &str) -> bool {
    let above = text[..start].lines().rev().take(2);
    let names = |line: &str| line.contains("unstuck") || line.trim() == "\"\": {";
    names(before) || (before.starts_with("\"version\"") && above.into_iter().any(names))
        // The version of the whole file, behind the name.
        || (before.starts_with("\"version\"") && text[..start].lines().count() < 3)
}

#[cfg(test)]
#[path = "version_tests.rs"]
mod tests;
