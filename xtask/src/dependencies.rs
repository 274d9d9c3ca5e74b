//! Licences, sources and version requirements of the dependencies, by the rules of `deny.toml`.
//!
//! The rules are those of cargo-deny, which reads the same file and checks advisories as well. It takes four minutes to
//! build and there is no package of it, so what has to hold on every change is checked here.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};
use unstuck_dev::{Outcome, Shell};

const RULES: &str = "deny.toml";
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What is read of `deny.toml`.
#[derive(Debug, Deserialize)]
struct Rules {
    licenses: Licences,
}

#[derive(Debug, Deserialize)]
struct Licences {
    allow: Vec<String>,
}

/// Checks the dependencies of all platforms.
pub(crate) fn check(shell: &Shell) -> Result<Outcome> {
    let rules = fs::read_to_string(shell.root().join(RULES))?;
    let allowed = allowed(&rules)?;
    let metadata = shell
        .cargo([
            "metadata",
            "--locked",
            "--all-features",
            "--format-version",
            "1",
        ])
        .read();
    let metadata = match metadata {
        Ok(metadata) => serde_json::from_str(&metadata)?,
        // It reads the manifests of the dependencies of all platforms, also of those that are not built here.
        Err(error) => {
            return Ok(Outcome::Skipped(format!(
                "not all dependencies can be fetched: {error:#}"
            )));
        }
    };
    let faults = faults(&metadata, &allowed)?;
    if !faults.is_empty() {
        bail!("{RULES} does not allow:\n  {}", faults.join("\n  "));
    }
    let (count, repeated) = versions(&metadata);
    println!(
        "{count} dependencies are as {RULES} wants them; {repeated} have more than one version"
    );
    Ok(Outcome::Passed)
}

fn allowed(rules: &str) -> Result<Vec<Licensee>> {
    let rules: Rules = toml::from_str(rules).with_context(|| format!("{RULES} cannot be read"))?;
    let parse = |name: &String| {
        Licensee::parse(name).with_context(|| format!("{RULES} allows an unknown licence `{name}`"))
    };
    rules.licenses.allow.iter().map(parse).collect()
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

fn faults(metadata: &Value, allowed: &[Licensee]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for package in packages(metadata) {
        let name = package["name"].as_str().context("a package has no name")?;
        match package["source"].as_str() {
            None => faults.extend(wildcards(package, name)),
            Some(REGISTRY) => {}
            Some(other) => faults.push(format!("{name}: the source {other}")),
        }
        let Some(licence) = package["license"].as_str() else {
            faults.push(format!("{name}: no licence"));
            continue;
        };
        let Ok(expression) = Expression::parse_mode(licence, ParseMode::LAX) else {
            faults.push(format!(
                "{name}: the licence `{licence}`, which is not an expression"
            ));
            continue;
        };
        let is_allowed =
            expression.evaluate(|wanted| allowed.iter().any(|one| one.satisfies(wanted)));
        if !is_allowed {
            faults.push(format!("{name}: the licence `{licence}`"));
        }
    }
    Ok(faults)
}

/// Dependencies of a package of ours that take any version.
fn wildcards(package: &Value, name: &str) -> Vec<String> {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let open = dependencies.filter(|used| used["path"].is_null() && used["req"] == "*");
    open.map(|used| format!("{name}: any version of {}", used["name"]))
        .collect()
}

/// Number of dependencies, and of those that are there in more than one version.
fn versions(metadata: &Value) -> (usize, usize) {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for package in packages(metadata).filter(|package| package["source"].is_string()) {
        *count
            .entry(package["name"].as_str().unwrap_or_default())
            .or_default() += 1;
    }
    let repeated = count.values().filter(|versions| **versions > 1).count();
    (count.values().sum(), repeated)
}

#[cfg(test)]
#[path = "dependencies_tests.rs"]
mod tests;
