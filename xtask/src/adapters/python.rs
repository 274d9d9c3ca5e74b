//! Adapters of the Python package, each in an environment of its own: the dependencies of frameworks exclude each other.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use unstuck_dev::CmdExt as _;

use super::{Adapter, Keep, Language, Shown};
use crate::package::{Build, python};
use crate::venv::Venv;

pub(super) static PYTHON: Language = Language {
    name: "python",
    title: "Python",
    listed,
    ending: "whl",
    build: |build| Ok(vec![python::wheel(build)?]),
    show,
};

/// Where the tests are, and the list of adapters.
const TESTS: &str = "bindings/python/frameworks";

/// What runs the tests.
const TOOLS: [&str; 1] = ["pytest==9.2.0"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Versions {
    adapter: Vec<Pinned>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pinned {
    name: String,
    framework: String,
    packages: Vec<String>,
}

fn listed(root: &Path) -> Result<Vec<Adapter>> {
    let path = root.join(TESTS).join("versions.toml");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let versions: Versions =
        toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
    let adapter = |pinned: Pinned| Adapter {
        module: format!("unstuck.adapters.{}", pinned.name),
        name: pinned.name,
        framework: pinned.framework,
        packages: pinned.packages,
    };
    Ok(versions.adapter.into_iter().map(adapter).collect())
}

fn show(build: &Build<'_>, wheels: &[PathBuf], adapter: &Adapter, keep: Keep) -> Result<Shown> {
    let shell = build.shell;
    let place = shell.root().join("target/adapters").join(&adapter.name);
    let packages = adapter.packages.iter().map(String::as_str);
    let packages: Vec<_> = TOOLS.into_iter().chain(packages).collect();
    let environment = match Venv::with(shell, &place, &packages, build.install) {
        Ok(environment) => environment,
        Err(error) => {
            eprintln!("{error:#}");
            return Ok(Shown::NotInstalled("pip could not install it".to_owned()));
        }
    };
    let wheel = wheels.first().context("there is no wheel")?;
    let wheel = wheel.to_string_lossy();
    environment.pip(shell, &["--no-deps", "--force-reinstall", &wheel])?;
    let output = shell
        .program(environment.program("python"))
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(format!("{TESTS}/test_{}.py", adapter.name))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .ignore_status()
        .read_shown()?;
    if keep == Keep::Nothing {
        fs::remove_dir_all(&place).with_context(|| format!("cannot remove {}", place.display()))?;
    }
    let passed = passed(&output);
    if passed.is_err() {
        println!("{output}");
    }
    passed.map(Shown::Passed)
}

/// How many tests passed, from the last line of pytest.
fn passed(output: &str) -> Result<u32> {
    let last = output.lines().last().unwrap_or_default();
    let words = last.split([' ', ',']).filter(|word| !word.is_empty());
    let words: Vec<_> = words.collect();
    let count = |what: &str| {
        let found = words.windows(2).find(|pair| pair[1].starts_with(what))?;
        found[0].parse::<u32>().ok()
    };
    match (count("passed"), count("failed"), count("error")) {
        (Some(passed), None, None) => Ok(passed),
        _ => bail!("the tests did not pass: {last}"),
    }
}

#[cfg(test)]
#[path = "python_tests.rs"]
mod tests;
