//! `cargo xtask generate`: files that are made by the command itself and committed.
//!
//! `unstuck generate --out DIR` writes all of them at their places under DIR. Here they are compared with the
//! repository, or copied into it. Files under `DIR/parts` are parts of documents that are otherwise written by hand;
//! the parts `bounds` and `decisions` are made here.

mod bounds;
mod decisions;
mod parts;

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use anyhow::{Context, Result, bail};
use unstuck_dev::{Profile, Shell, build};

/// Directories in which every file is generated: one that is no longer made is removed.
const OWNED: [&str; 3] = ["completions", "docs/rules", "man"];

/// Documents with generated parts.
const WITH_PARTS: [&str; 5] = [
    "DESIGN.md",
    "README.md",
    "VERSIONING.md",
    "docs/adr/README.md",
    "docs/guide/embedding.md",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Change nothing, and fail if a file is out of date
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(shell: &Shell, options: Options) -> Result<ExitCode> {
    let binary = build(shell, Profile::Dev)?;
    if options.check {
        check(shell, &binary)?;
    } else {
        write(shell, &binary)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails when a committed file is not what the binary makes now.
pub(crate) fn check(shell: &Shell, binary: &Path) -> Result<()> {
    let made = make(shell, binary)?;
    let drift = compare(&made, &committed(shell.root(), &made)?);
    if drift.is_empty() {
        println!("{} generated files are current", made.len());
        return Ok(());
    }
    let lines: Vec<_> = drift.iter().map(|one| format!("  {one}")).collect();
    bail!(
        "generated files are out of date:\n{}\nrun `cargo xtask generate` and commit the result",
        lines.join("\n")
    )
}

fn write(shell: &Shell, binary: &Path) -> Result<()> {
    let made = make(shell, binary)?;
    let drift = compare(&made, &committed(shell.root(), &made)?);
    for one in &drift {
        let path = shell.root().join(&one.path);
        match made.get(&one.path) {
            Some(bytes) => {
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent)
                        .with_context(|| format!("cannot create {}", parent.display()))?;
                }
                fs::write(&path, bytes)
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            None => fs::remove_file(&path)
                .with_context(|| format!("cannot remove {}", path.display()))?,
        }
        println!("{one}");
    }
    println!("{} files made, {} changes", made.len(), drift.len());
    Ok(())
}

/// Contents by path relative to the repository, with `/` between the parts.
type Files = BTreeMap<String, Vec<u8>>;

fn make(shell: &Shell, binary: &Path) -> Result<Files> {
    let scratch = Scratch::new()?;
    shell
        .program(binary)
        .args(["generate", "--out"])
        .arg(&scratch.0)
        .run()?;
    let mut made = Files::new();
    collect(&scratch.0, &scratch.0, &mut made)?;
    if made.is_empty() {
        bail!("`unstuck generate` wrote nothing");
    }
    let settings = shell
        .program(binary)
        .args(["config", "show", "--no-config"])
        .read()?;
    fill_documents(shell.root(), &settings, &mut made)?;
    Ok(made)
}

/// Replaces the parts among the files by the documents that they belong to.
fn fill_documents(root: &Path, settings: &str, made: &mut Files) -> Result<()> {
    let mut parts = parts::Parts::new();
    parts.insert("bounds".into(), bounds::table(root, settings)?);
    let decisions = decisions::table(&root.join("docs/adr"))?;
    parts.insert("decisions".into(), decisions);
    made.retain(|path, bytes| {
        let name = path
            .strip_prefix("parts/")
            .and_then(|name| name.strip_suffix(".md"));
        if let Some(name) = name {
            let text = String::from_utf8_lossy(bytes).into_owned();
            parts.insert(name.to_owned(), text);
        }
        name.is_none()
    });
    let mut used = Vec::new();
    for path in WITH_PARTS {
        let document =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        let filled =
            parts::fill(&document, &parts, &mut used).with_context(|| format!("in {path}"))?;
        made.insert(path.to_owned(), filled.into_bytes());
    }
    if let Some(unused) = parts.keys().find(|name| !used.contains(name)) {
        bail!("no document has the part `{unused}`");
    }
    Ok(())
}

/// What the repository holds in the places of the generated files.
fn committed(root: &Path, made: &Files) -> Result<Files> {
    let mut files = Files::new();
    for owned in OWNED {
        let directory = root.join(owned);
        if directory.is_dir() {
            collect(root, &directory, &mut files)?;
        }
    }
    for path in made.keys() {
        let full = root.join(path);
        match fs::read(&full) {
            Ok(bytes) => {
                files.insert(path.clone(), bytes);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", full.display()));
            }
        }
    }
    Ok(files)
}

fn collect(base: &Path, directory: &Path, into: &mut Files) -> Result<()> {
    let entries =
        fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(base, &path, into)?;
            continue;
        }
        let parts: Vec<_> = path
            .strip_prefix(base)?
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        into.insert(parts.join("/"), bytes);
    }
    Ok(())
}

/// One file that is not as it should be.
#[derive(Debug, PartialEq, Eq)]
struct Drift {
    path: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Differs,
    Missing,
    Stale,
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.kind {
            Kind::Differs => "differs",
            Kind::Missing => "missing",
            Kind::Stale => "stale",
        };
        write!(f, "{word:8} {}", self.path)
    }
}

fn compare(made: &Files, committed: &Files) -> Vec<Drift> {
    let wanted = made.iter().filter_map(|(path, bytes)| {
        let kind = match committed.get(path) {
            None => Kind::Missing,
            Some(old) if old != bytes => Kind::Differs,
            Some(_) => return None,
        };
        Some((path, kind))
    });
    let stale = committed
        .keys()
        .filter(|path| !made.contains_key(*path))
        .map(|path| (path, Kind::Stale));
    let mut drift: Vec<_> = wanted
        .chain(stale)
        .map(|(path, kind)| Drift {
            path: path.clone(),
            kind,
        })
        .collect();
    drift.sort_by(|a, b| a.path.cmp(&b.path));
    drift
}

/// A directory of this process, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let path = env::temp_dir().join(format!("unstuck-generate-{}", process::id()));
        if path.exists() {
            fs::remove_dir_all(&path)
                .with_context(|| format!("cannot empty {}", path.display()))?;
        }
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing to do about it here; the next run with the same id empties it.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
#[path = "generate_tests.rs"]
mod tests;
