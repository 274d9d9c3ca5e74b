//! What changed since a commit, and which steps that concerns.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::Value;
use unstuck_dev::Shell;

/// What a step looks at. A step runs if any of it has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The whole repository.
    Everything,
    /// Code and documents.
    Of {
        /// Packages whose code runs, with the packages of the workspace that they use.
        packages: &'static [&'static str],
        /// Packages of which only their own files matter, and not what they use.
        alone: &'static [&'static str],
        /// Directories, with a `/` at the end, and files.
        paths: &'static [&'static str],
    },
}

/// Places outside of packages that matter only to steps that name them. Any other place matters to every step.
const ASIDE: [&str; 18] = [
    ".agents/",
    ".claude-plugin/",
    ".github/",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "DESIGN.md",
    "README.md",
    "ROADMAP.md",
    "SECURITY.md",
    "VERSIONING.md",
    "completions/",
    "conformance/",
    "docs/",
    "examples/",
    "fuzz/",
    "action.yml",
    "man/",
    "packaging/",
];

/// Packages of the workspace: where they are, and what they use of each other.
#[derive(Debug)]
pub(crate) struct Packages(BTreeMap<String, Package>);

#[derive(Debug)]
struct Package {
    /// Relative to the root of the repository, with a `/` at the end.
    directory: String,
    uses: Vec<String>,
}

impl Packages {
    pub(crate) fn read(shell: &Shell) -> Result<Self> {
        let metadata = shell
            .cargo([
                "metadata",
                "--no-deps",
                "--offline",
                "--format-version",
                "1",
            ])
            .read()?;
        let root = shell.root().to_string_lossy().into_owned();
        Self::parse(&serde_json::from_str(&metadata)?, &root)
    }

    fn parse(metadata: &Value, root: &str) -> Result<Self> {
        let list = metadata["packages"].as_array();
        let packages = list.context("cargo listed no packages")?.iter();
        let package = |package: &Value| {
            let name = package["name"].as_str()?.to_owned();
            let manifest = package["manifest_path"].as_str()?;
            let directory = manifest.strip_prefix(root)?.strip_suffix("Cargo.toml")?;
            let uses = package["dependencies"].as_array()?.iter();
            let uses = uses.filter(|used| used["path"].is_string());
            let uses = uses.filter_map(|used| Some(used["name"].as_str()?.to_owned()));
            let directory = directory.trim_start_matches('/').to_owned();
            let uses = uses.collect();
            Some((name, Package { directory, uses }))
        };
        let packages: Option<_> = packages.map(package).collect();
        Ok(Self(packages.context("cargo listed a package oddly")?))
    }

    /// These packages, and all that they use, directly or not.
    fn with_used(&self, names: &[&'static str]) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut left: Vec<&str> = names.to_vec();
        while let Some(name) = left.pop() {
            if let Some((name, package)) = self.0.get_key_value(name)
                && found.insert(name.as_str())
            {
                left.extend(package.uses.iter().map(String::as_str));
            }
        }
        found
    }

    /// The package that a file belongs to.
    fn owner(&self, path: &str) -> Option<&str> {
        let owner = self
            .0
            .iter()
            .find(|(_, package)| path.starts_with(&package.directory));
        owner.map(|(name, _)| name.as_str())
    }

    /// Whether a change of this file may change what a step finds.
    pub(crate) fn concerns(&self, path: &str, subject: Subject) -> bool {
        let Subject::Of {
            packages,
            alone,
            paths,
        } = subject
        else {
            return true;
        };
        if paths.iter().any(|place| is_within(path, place)) {
            return true;
        }
        match self.owner(path) {
            // The tasks decide what a step does.
            Some("xtask" | "unstuck-dev") => true,
            Some(owner) => alone.contains(&owner) || self.with_used(packages).contains(owner),
            None => !ASIDE.iter().any(|place| is_within(path, place)),
        }
    }

    /// Whether the packages and places of a subject exist.
    #[cfg(test)]
    pub(crate) fn knows(&self, subject: Subject, shell: &Shell) -> bool {
        match subject {
            Subject::Everything => true,
            Subject::Of {
                packages,
                alone,
                paths,
            } => {
                let named = packages
                    .iter()
                    .chain(alone)
                    .all(|name| self.0.contains_key(*name));
                named && paths.iter().all(|path| shell.root().join(path).exists())
            }
        }
    }
}

fn is_within(path: &str, place: &str) -> bool {
    path == place || (place.ends_with('/') && path.starts_with(place))
}

/// The files that differ from a commit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Changes {
    /// The commit, as it is shown.
    pub(crate) base: String,
    /// Relative to the root of the repository, with `/` between the parts.
    pub(crate) files: Vec<String>,
}

impl Changes {
    /// Changes since a commit, or since the last one that this branch shares with `origin/main`. `None` if there is no such
    /// commit, or if it is the present one: then nothing says what was tested before.
    pub(crate) fn since(shell: &Shell, commit: Option<&str>) -> Result<Option<Self>> {
        let git = |words: &[&str]| shell.program("git").args(words);
        let base = match commit {
            Some(commit) => commit_id(shell, commit)
                .with_context(|| format!("`{commit}` is not a commit of this repository"))?,
            None => match last_landed(shell) {
                Some(base) => base,
                None => return Ok(None),
            },
        };
        // Without renames: both names of a moved file have changed.
        let changed = git(&["diff", "--name-only", "--no-renames", "-z", &base]).read()?;
        let new = git(&["ls-files", "--others", "--exclude-standard", "-z"]).read()?;
        let files = changed.split('\0').chain(new.split('\0'));
        let files = files.filter(|file| !file.is_empty()).map(str::to_owned);
        Ok(Some(Self {
            base: base.chars().take(12).collect(),
            files: files.collect(),
        }))
    }

    /// Whether one of them concerns a step.
    pub(crate) fn concern(&self, packages: &Packages, subject: Subject) -> bool {
        self.files
            .iter()
            .any(|file| packages.concerns(file, subject))
    }
}

/// The id of a commit.
fn commit_id(shell: &Shell, name: &str) -> Option<String> {
    let git = shell.program("git");
    let id = git
        .args(["rev-parse", "--verify", "--quiet", "--end-of-options"])
        .arg(format!("{name}^{{commit}}"))
        .ignore_stderr()
        .read();
    id.ok()
}

/// The last commit that this branch shares with `origin/main`, unless it is the present one.
fn last_landed(shell: &Shell) -> Option<String> {
    let landed = commit_id(shell, "origin/main")?;
    let git = shell.program("git");
    let shared = git
        .args(["merge-base", "HEAD", &landed])
        .ignore_stderr()
        .read()
        .ok()?;
    (commit_id(shell, "HEAD")? != shared).then_some(shared)
}

#[cfg(test)]
#[path = "changed_tests.rs"]
mod tests;
