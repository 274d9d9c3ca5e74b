//! The wheel as its users have it: installed into a fresh environment, where no program of Rust is on PATH.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use unstuck_dev::{Install, Outcome, Shell};

use super::{
    Build,
    python::{place, wheel},
};
use crate::venv::Venv;

/// What runs the tests and checks the types.
const TOOLS: [&str; 3] = ["mypy==2.4.1", "pyright[nodejs]==1.1.414", "pytest==9.2.0"];

/// Programs that check the types of the package and of the examples, and the stubs against the module.
const TYPES: [&[&str]; 3] = [
    &[
        "-m",
        "mypy",
        "--config-file=bindings/python/pyproject.toml",
        "--cache-dir=target/package/python/mypy",
        "bindings/python/python",
        "bindings/python/examples",
    ],
    &[
        "-m",
        "pyright",
        "--warnings",
        "--project",
        "bindings/python",
    ],
    &[
        "-m",
        "mypy.stubtest",
        "unstuck._native",
        "--ignore-disjoint-bases",
    ],
];

/// Builds the wheel, installs it, and runs the tests from Python.
pub(crate) fn check(shell: &Shell, install: Install) -> Result<Outcome> {
    let build = Build {
        shell,
        // As fast to build as the steps allow: what is shipped is built with `dist`.
        profile: "release".to_owned(),
        install,
    };
    let environment = match environment(&build) {
        Ok(environment) => environment,
        Err(error) if install == Install::Never => {
            return Ok(Outcome::Skipped(format!("{error:#}")));
        }
        Err(error) => return Err(error),
    };
    let path = without_rust(&environment.program("python"))?;
    let run = |program: &str, words: &[&str]| {
        shell
            .program(environment.program(program))
            .args(words)
            .env("PATH", &path)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .run()
    };
    run(
        "python",
        &[
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "bindings/python/tests",
        ],
    )?;
    for words in TYPES {
        run("python", words)?;
    }
    Ok(Outcome::Passed)
}

/// A fresh environment with the wheel and the tools.
pub(crate) fn environment(build: &Build<'_>) -> Result<Venv> {
    let shell = build.shell;
    let place = place(shell).join("installed");
    let environment = Venv::with(shell, &place, &TOOLS, build.install)?;
    let wheel = wheel(build)?;
    let wheel = wheel.to_string_lossy();
    environment.pip(
        shell,
        &["--no-index", "--no-deps", "--force-reinstall", &wheel],
    )?;
    Ok(environment)
}

/// The present PATH with the directory of this program in front, and without directories that have a compiler of Rust.
pub(super) fn without_rust(program: &Path) -> Result<String> {
    let own = program.parent().map(Path::to_owned);
    let present = env::var_os("PATH").unwrap_or_default();
    let has_rust = |place: &PathBuf| {
        let names = fs::read_dir(place).into_iter().flatten().flatten();
        let mut names = names.map(|entry| entry.file_name());
        names.any(|name| name == "cargo" || name == "rustc" || name == "cargo.exe")
    };
    let others = env::split_paths(&present).filter(|place| !has_rust(place));
    let path = env::join_paths(own.into_iter().chain(others)).context("PATH cannot be joined")?;
    Ok(path.to_string_lossy().into_owned())
}
