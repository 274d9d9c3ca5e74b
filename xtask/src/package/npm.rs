//! What packages of npm are made with: Node.js, the TypeScript compiler, `npm pack`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use unstuck_dev::{Install, Shell};

use crate::browser::node;

/// What the compiler needs, at fixed versions: newer typings of Node.js have what Node.js 20 has not.
const TOOLS: [(&str, &str); 2] = [("typescript", "7.0.2"), ("@types/node", "20.19.43")];
/// Oldest version of Node.js that the packages are for.
const OLDEST: u32 = 20;
/// A version of Node.js from npm, where the system has an older one.
const NODE: (&str, &str) = ("node", "22.23.3");

/// The compiler and the version of Node.js to use.
pub(crate) struct Npm<'a> {
    pub(crate) shell: &'a Shell,
    /// Where packages are made.
    pub(crate) place: PathBuf,
    pub(crate) node: PathBuf,
}

impl<'a> Npm<'a> {
    /// Installs what is missing, or fails where nothing may be installed.
    pub(crate) fn ensure(shell: &'a Shell, install: Install) -> Result<Self> {
        if !node(shell, install)? {
            bail!("Node.js is not installed");
        }
        let place = shell.root().join("target").join("package").join("npm");
        fs::create_dir_all(&place)?;
        let is_recent = major(shell).is_some_and(|major| major >= OLDEST);
        let wanted = TOOLS.into_iter().chain((!is_recent).then_some(NODE));
        let dependencies = wanted.map(|(name, version)| (name.to_owned(), version.into()));
        let dependencies: serde_json::Map<_, _> = dependencies.collect();
        let manifest = serde_json::json!({ "private": true, "dependencies": dependencies });
        let manifest = manifest.to_string();
        let file = place.join("package.json");
        let is_there = fs::read_to_string(&file).is_ok_and(|present| present == manifest)
            && place.join("node_modules").is_dir();
        if !is_there {
            if install == Install::Never {
                bail!("the TypeScript compiler from npm is not installed");
            }
            fs::write(&file, manifest)?;
            shell
                .program("npm")
                .args(["install", "--no-audit", "--no-fund", "--no-package-lock"])
                .arg("--prefix")
                .arg(&place)
                .run()
                .context("the TypeScript compiler cannot be installed")?;
        }
        let node = if is_recent {
            PathBuf::from("node")
        } else {
            place.join("node_modules/.bin/node")
        };
        Ok(Self { shell, place, node })
    }

    /// Compiles the sources of a package with the shared ones. The package has all but what is compiled from Rust.
    pub(crate) fn compile(&self, name: &str) -> Result<PathBuf> {
        self.compile_with(name, |_| Ok(()))
    }

    /// The same, with further sources that `add` puts into the package.
    pub(crate) fn compile_with(
        &self,
        name: &str,
        add: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<PathBuf> {
        let root = self.shell.root();
        let own = root.join("bindings").join(name);
        let place = self.empty(name)?;
        copy(&own, &place)?;
        // Of the files that lie beside it, these are of the crate.
        for file in ["Cargo.toml", "build.rs"] {
            if place.join(file).is_file() {
                fs::remove_file(place.join(file))?;
            }
        }
        copy(&own.join("bin"), &place.join("bin"))?;
        copy(&root.join("bindings/js/ts"), &place.join("ts"))?;
        copy(&own.join("ts"), &place.join("ts"))?;
        self.licences(&place)?;
        add(&place)?;
        self.tsc(&[OsStr::new("--project"), place.as_os_str()])?;
        Ok(place)
    }

    /// Makes an empty directory for a package.
    pub(crate) fn empty(&self, name: &str) -> Result<PathBuf> {
        let place = self.place.join(name);
        if place.exists() {
            fs::remove_dir_all(&place)
                .with_context(|| format!("cannot empty {}", place.display()))?;
        }
        fs::create_dir_all(&place)?;
        Ok(place)
    }

    /// Copies the licences into a package.
    pub(crate) fn licences(&self, package: &Path) -> Result<()> {
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(self.shell.root().join(name), package.join(name))?;
        }
        Ok(())
    }

    /// Packs a package, and returns the file that `npm install` takes.
    pub(crate) fn pack(&self, package: &Path) -> Result<PathBuf> {
        let packed = self
            .shell
            .program("npm")
            .args(["pack", "--ignore-scripts", "--json", "--pack-destination"])
            .arg(&self.place)
            .arg(package)
            .quiet()
            .read()?;
        let packed: serde_json::Value = serde_json::from_str(&packed)?;
        // An array; newer versions of npm write an object with one member for each package.
        let first = packed
            .get(0)
            .or_else(|| packed.as_object()?.values().next());
        let name = first.and_then(|file| file["filename"].as_str());
        let name = name.context("npm packed nothing")?;
        Ok(self.place.join(name.replace('@', "").replace('/', "-")))
    }

    /// Runs the TypeScript compiler.
    pub(crate) fn tsc(&self, words: &[&OsStr]) -> Result<()> {
        self.shell
            .program(&self.node)
            .arg(self.place.join("node_modules/typescript/bin/tsc"))
            .args(words)
            .run()
            .context("the TypeScript sources have mistakes")
    }
}

/// Copies the files of a directory, without the directories in it, if it exists.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let Ok(entries) = fs::read_dir(from) else {
        return Ok(());
    };
    fs::create_dir_all(to)?;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// The first number of the version of Node.js.
fn major(shell: &Shell) -> Option<u32> {
    let version = shell.program("node").arg("--version").read().ok()?;
    version_major(&version)
}

fn version_major(version: &str) -> Option<u32> {
    let numbers = version.trim().strip_prefix('v')?;
    numbers.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_of_node_is_read() {
        assert_eq!(version_major("v20.20.2\n"), Some(20));
        assert_eq!(version_major("20.1"), None);
    }
}
