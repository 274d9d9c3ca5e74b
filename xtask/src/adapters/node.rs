//! Adapters of the npm package. Their own script, `bindings/node/adapters/run.mjs`, installs and runs them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use unstuck_dev::CmdExt as _;

use super::{Adapter, Keep, Language, Shown};
use crate::package::{Build, node, npm::Npm};

pub(super) static NODE: Language = Language {
    name: "node",
    title: "Node.js",
    listed,
    ending: "tgz",
    build: |build| {
        let npm = Npm::ensure(build.shell, build.install)?;
        node::pack(&npm, &node::compile(build, &npm)?)
    },
    show,
};

/// Where the script is, and the list of adapters.
const ADAPTERS: &str = "bindings/node/adapters";

#[derive(Deserialize)]
struct Versions {
    adapters: BTreeMap<String, Pinned>,
}

#[derive(Deserialize)]
struct Pinned {
    title: String,
    module: String,
    packages: serde_json::Map<String, serde_json::Value>,
}

/// What the script writes about an adapter.
#[derive(Deserialize)]
struct Line {
    outcome: String,
    #[serde(default)]
    tests: u32,
    why: Option<String>,
}

fn listed(root: &Path) -> Result<Vec<Adapter>> {
    let path = root.join(ADAPTERS).join("versions.json");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let versions: Versions =
        serde_json::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
    let adapter = |(name, pinned): (String, Pinned)| Adapter {
        name,
        framework: pinned.title,
        module: format!("unstuck/{}", pinned.module),
        packages: pinned
            .packages
            .iter()
            .map(|(package, version)| format!("{package}@{}", version.as_str().unwrap_or_default()))
            .collect(),
    };
    Ok(versions.adapters.into_iter().map(adapter).collect())
}

fn show(build: &Build<'_>, packages: &[PathBuf], adapter: &Adapter, keep: Keep) -> Result<Shown> {
    let shell = build.shell;
    let place = shell.root().join("target/adapters/node");
    let mut command = shell
        .program("node")
        .arg(format!("{ADAPTERS}/run.mjs"))
        .args(["--only", &adapter.name, "--into"])
        .arg(&place);
    for package in packages {
        command = command.arg("--package").arg(package);
    }
    let output = command.ignore_status().read_shown()?;
    let installed = place.join(&adapter.name);
    if keep == Keep::Nothing && installed.exists() {
        fs::remove_dir_all(&installed)
            .with_context(|| format!("cannot remove {}", installed.display()))?;
    }
    shown(&output)
}

fn shown(output: &str) -> Result<Shown> {
    let last = output.lines().last().unwrap_or_default();
    let line: Line =
        serde_json::from_str(last).with_context(|| format!("the script ended with `{last}`"))?;
    match line.outcome.as_str() {
        "passed" => Ok(Shown::Passed(line.tests)),
        "not-installed" => {
            eprintln!("{}", line.why.unwrap_or_default());
            Ok(Shown::NotInstalled("npm could not install it".to_owned()))
        }
        other => bail!("the tests did not pass: {other}"),
    }
}

#[cfg(test)]
#[path = "node_tests.rs"]
mod tests;
