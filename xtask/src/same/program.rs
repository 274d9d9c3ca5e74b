//! The two programs: where they are, or how they are built.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use unstuck_dev::{Profile, Shell, build, build_checkout};

use super::make;

/// A build of `unstuck`.
#[derive(Debug)]
pub(super) struct Program {
    /// As the caller named it.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Whether it knows `check --restart-every`.
    pub(super) restarts: bool,
}

impl Program {
    /// The program at a path, or else of a commit, which is built in a worktree under `place`. The program stays there by
    /// the id of its commit.
    pub(super) fn find(shell: &Shell, place: &Path, what: &str) -> Result<Self> {
        if Path::new(what).is_file() {
            let path = Path::new(what).canonicalize()?;
            return Ok(Self::new(what.to_owned(), path));
        }
        let revision = format!("{what}^{{commit}}");
        let commit = shell
            .program("git")
            .args(["rev-parse", "--verify", "--quiet", "--end-of-options"])
            .arg(revision)
            .read();
        let Ok(commit) = commit else {
            bail!("`{what}` is neither a file nor a commit of this repository");
        };
        let commit = commit.trim();
        let name = match commit.get(..12) {
            Some(short) if short != what => format!("{what} ({short})"),
            _ => what.to_owned(),
        };
        let path = of_commit(shell, place, commit)?;
        Ok(Self::new(name, path))
    }

    /// The program of the files as they are now.
    pub(super) fn present(shell: &Shell, place: &Path) -> Result<Self> {
        let built = build(shell, Profile::Eval)?;
        // A copy, so that a build in the meantime does not change what is compared.
        let path = place.join("programs").join("present").join("unstuck");
        keep(&built, &path)?;
        Ok(Self::new("the present tree".to_owned(), path))
    }

    pub(super) fn new(name: String, path: PathBuf) -> Self {
        let restarts = Command::new(&path)
            .args(["check", "--no-config", "--restart-every", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        Self {
            name,
            path,
            restarts,
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.name, self.path.display())
    }
}

/// Fails if both programs have the same bytes: to compare a program with itself shows nothing.
pub(super) fn refuse_equal(baseline: &Program, other: &Program) -> Result<()> {
    let size = |program: &Program| {
        let data = fs::metadata(&program.path);
        data.map(|data| data.len())
            .with_context(|| format!("cannot read {}", program.path.display()))
    };
    let bytes = |program: &Program| {
        fs::read(&program.path).with_context(|| format!("cannot read {}", program.path.display()))
    };
    if size(baseline)? != size(other)? || bytes(baseline)? != bytes(other)? {
        return Ok(());
    }
    bail!(
        "{} and {} are the same program, byte for byte, so nothing is compared. Either both have the same sources, or cargo \
         took the build of one for the other: then change the time of a source file of the engine (`touch \
         crates/unstuck/src/lib.rs`), remove target/same/programs, and build again",
        baseline.name,
        other.name
    )
}

fn of_commit(shell: &Shell, place: &Path, commit: &str) -> Result<PathBuf> {
    let path = place.join("programs").join(commit).join("unstuck");
    if path.is_file() {
        return Ok(path);
    }
    let checkout = place.join("worktrees").join(commit);
    if !checkout.join("Cargo.toml").is_file() {
        make(&place.join("worktrees"))?;
        shell
            .program("git")
            .args(["worktree", "add", "--detach", "--force"])
            .arg(&checkout)
            .arg(commit)
            .run()?;
    }
    let built = build_checkout(shell, &checkout, Profile::Eval)
        .with_context(|| format!("{commit} does not build in {}", checkout.display()))?;
    keep(&built, &path)?;
    shell
        .program("git")
        .args(["worktree", "remove", "--force"])
        .arg(&checkout)
        .run()?;
    Ok(path)
}

/// Copies a program. An interrupted copy leaves nothing under its final name.
fn keep(built: &Path, path: &Path) -> Result<()> {
    make(path.parent().context("a program needs a directory")?)?;
    let half = path.with_extension("part");
    fs::copy(built, &half)
        .and_then(|_| fs::rename(&half, path))
        .with_context(|| format!("cannot copy {} to {}", built.display(), path.display()))
}
