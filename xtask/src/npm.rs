//! The npm package: built by the TypeScript compiler under `target/npm`, and tested by Node.js.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use unstuck_dev::{Install, Outcome, Shell, build_tested_library};

use crate::{browser::node, conformance};

/// What the compiler needs, at fixed versions: newer typings of Node.js have what Node.js 20 has not.
const TOOLS: [(&str, &str); 2] = [("typescript", "7.0.2"), ("@types/node", "20.19.43")];
/// Oldest version of Node.js that the package is for.
const OLDEST: u32 = 20;
/// A version of Node.js from npm, where the system has an older one.
const NODE: (&str, &str) = ("node", "22.23.3");

/// Builds the package with a development build of the addon, and tests it.
pub(crate) fn check(shell: &Shell, command: &Path, install: Install) -> Result<Outcome> {
    let Some(tools) = Tools::ensure(shell, install)? else {
        return Ok(Outcome::Skipped(
            "Node.js, or the TypeScript compiler from npm, is not installed".to_owned(),
        ));
    };
    let package = tools.package("node")?;
    let addon = tools.place.join("unstuck.node");
    fs::copy(build_tested_library(shell, "unstuck_node")?, &addon)?;
    tools.check_typings(&package)?;
    let vectors = tools.vectors()?;
    let tests = ["bindings/js/test", "bindings/node/test"];
    let files = tests.map(|directory| test_files(&shell.root().join(directory)));
    let files: Vec<_> = files.into_iter().collect::<Result<Vec<_>>>()?.concat();
    shell
        .program(&tools.node)
        .args(["--test", "--test-reporter=dot"])
        .args(files)
        .env("UNSTUCK_ADDON", &addon)
        .env("UNSTUCK_COMMAND", command)
        .env("UNSTUCK_MODULE", package.join("index.mjs"))
        .env("UNSTUCK_ROOT", shell.root())
        .env("UNSTUCK_VECTORS", vectors)
        .run()?;
    Ok(Outcome::Passed)
}

/// The compiler, the version of Node.js to use, and the directory of both.
struct Tools<'a> {
    shell: &'a Shell,
    place: PathBuf,
    node: PathBuf,
}

impl<'a> Tools<'a> {
    /// `None` where something is missing and may not be installed.
    fn ensure(shell: &'a Shell, install: Install) -> Result<Option<Self>> {
        if !node(shell, install)? {
            return Ok(None);
        }
        let place = shell.root().join("target").join("npm");
        fs::create_dir_all(&place)?;
        let is_recent = major(shell).is_some_and(|major| major >= OLDEST);
        let wanted: Vec<_> = TOOLS
            .into_iter()
            .chain((!is_recent).then_some(NODE))
            .collect();
        let dependencies = wanted
            .iter()
            .map(|(name, version)| ((*name).to_owned(), (*version).into()))
            .collect::<serde_json::Map<_, _>>();
        let manifest = serde_json::json!({ "private": true, "dependencies": dependencies });
        let manifest = manifest.to_string();
        let file = place.join("package.json");
        let is_there = fs::read_to_string(&file).is_ok_and(|present| present == manifest)
            && place.join("node_modules").is_dir();
        if !is_there {
            if install == Install::Never {
                return Ok(None);
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
        Ok(Some(Self { shell, place, node }))
    }

    /// Compiles the sources of a package with the shared ones. The package is complete but for what is compiled from Rust.
    fn package(&self, name: &str) -> Result<PathBuf> {
        let root = self.shell.root().join("bindings");
        let own = root.join(name);
        let place = self.place.join(name);
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        copy(&own, &place)?;
        // Of the files that lie beside it, this one is of the crate.
        fs::remove_file(place.join("Cargo.toml"))?;
        copy(&own.join("bin"), &place.join("bin"))?;
        copy(&root.join("js/ts"), &place.join("ts"))?;
        copy(&own.join("ts"), &place.join("ts"))?;
        self.tsc(&["--project".as_ref(), place.as_os_str()])?;
        Ok(place)
    }

    /// Checks the typings as a program sees them that imports the package, and as one that requires it.
    fn check_typings(&self, package: &Path) -> Result<()> {
        let place = self.place.join("typings");
        let modules = place.join("node_modules");
        fs::create_dir_all(&modules)?;
        let link = modules.join("unstuck");
        if !link.is_symlink() {
            symlink(package, &link)?;
        }
        let source = self.shell.root().join("bindings/node/test/types.mts");
        let flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes"];
        let modules = ["--module", "node16", "--target", "es2022"];
        let mut words: Vec<_> = flags.iter().chain(&modules).map(PathBuf::from).collect();
        for ending in ["mts", "cts"] {
            let file = place.join("types").with_extension(ending);
            fs::copy(&source, &file)?;
            words.push(file);
        }
        let words: Vec<_> = words.iter().map(|word| word.as_os_str()).collect();
        self.tsc(&words)
    }

    /// Writes the events of all vectors and reported cases, one a line, and returns their directory.
    fn vectors(&self) -> Result<PathBuf> {
        let place = self.place.join("vectors");
        fs::create_dir_all(&place)?;
        for path in conformance::default_files(self.shell.root())? {
            let name = path.file_name().context("a vector file has no name")?;
            let (_, lines) = conformance::events(&fs::read_to_string(&path)?)?;
            fs::write(place.join(name), lines.join("\n") + "\n")?;
        }
        Ok(place)
    }

    fn tsc(&self, words: &[&std::ffi::OsStr]) -> Result<()> {
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
    fs::create_dir_all(to)?;
    let Ok(entries) = fs::read_dir(from) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// The tests of a directory, in order.
fn test_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
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
