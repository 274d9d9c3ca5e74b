//! The npm packages as their users have them: installed into a fresh folder, where no program of Rust is on PATH.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use unstuck_dev::{Install, Outcome, Shell, build_tested_library};

use super::{
    node::{Compiled, command_name, pack},
    npm::Npm,
    python_check::without_rust,
};
use crate::conformance;

/// Packs what the tests of the workspace are built with, installs it, and runs the tests of Node.js on it.
pub(crate) fn check(shell: &Shell, command: &Path, install: Install) -> Result<Outcome> {
    let npm = match Npm::ensure(shell, install) {
        Ok(npm) => npm,
        Err(error) if install == Install::Never => {
            return Ok(Outcome::Skipped(format!("{error:#}")));
        }
        Err(error) => return Err(error),
    };
    let compiled = Compiled {
        addon: build_tested_library(shell, "unstuck_node")?,
        programs: vec![(command_name(), command.to_owned())],
    };
    let folder = installed(&npm, &pack(&npm, &compiled)?)?;
    check_typings(&npm, &folder)?;
    let tests = ["bindings/js/test", "bindings/node/test"];
    let files = tests.map(|directory| test_files(&shell.root().join(directory)));
    let files: Vec<_> = files.into_iter().collect::<Result<Vec<_>>>()?.concat();
    shell
        .program(&npm.node)
        .args(["--test", "--test-reporter=dot"])
        .args(files)
        .env("UNSTUCK_COMMAND", command)
        .env(
            "UNSTUCK_MODULE",
            folder.join("node_modules/unstuck/index.mjs"),
        )
        .env("UNSTUCK_ROOT", shell.root())
        .env("UNSTUCK_VECTORS", vectors(&npm)?)
        .env("PATH", without_rust(&npm.node)?)
        .run()?;
    Ok(Outcome::Passed)
}

/// Installs the files into a fresh folder. Nothing is fetched: packages for other platforms are left out.
pub(crate) fn installed(npm: &Npm<'_>, files: &[PathBuf]) -> Result<PathBuf> {
    let folder = npm.empty("installed")?;
    fs::write(folder.join("package.json"), "{\"private\":true}\n")?;
    npm.shell
        .program("npm")
        .args(["install", "--offline", "--ignore-scripts", "--no-audit"])
        .args(["--no-fund", "--no-package-lock", "--prefix"])
        .arg(&folder)
        .args(files)
        .run()
        .context("the packed files cannot be installed")?;
    Ok(folder)
}

/// Checks the typings as a program has them that imports the package, and as one that requires it.
fn check_typings(npm: &Npm<'_>, folder: &Path) -> Result<()> {
    let source = npm.shell.root().join("bindings/node/test/types.mts");
    let mut words = [
        "--noEmit",
        "--strict",
        "--exactOptionalPropertyTypes",
        "--module",
        "node16",
        "--target",
        "es2022",
    ]
    .map(PathBuf::from)
    .to_vec();
    for ending in ["mts", "cts"] {
        let file = folder.join("types").with_extension(ending);
        fs::copy(&source, &file)?;
        words.push(file);
    }
    let words: Vec<&OsStr> = words.iter().map(|word| word.as_os_str()).collect();
    npm.tsc(&words)
}

/// Writes the events of all vectors and reported cases, one a line, and returns their directory.
pub(crate) fn vectors(npm: &Npm<'_>) -> Result<PathBuf> {
    let place = npm.empty("vectors")?;
    for path in conformance::default_files(npm.shell.root())? {
        let name = path.file_name().context("a vector file has no name")?;
        let (_, lines) = conformance::events(&fs::read_to_string(&path)?)?;
        fs::write(place.join(name), lines.join("\n") + "\n")?;
    }
    Ok(place)
}

/// The tests of a directory, in order.
pub(crate) fn test_files(directory: &Path) -> Result<Vec<PathBuf>> {
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
