//! The bill of materials in the format `CycloneDX`: what the programs are built from, as cargo resolves it.
//!
//! Packages that only run while building or testing are not part of the programs. Checksums are those of `Cargo.lock`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

#[derive(Debug, Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Debug, Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// The bill of these packages, as text.
pub(super) fn of(metadata: &Value, lock: &str, roots: &[&str], time: u64) -> Result<String> {
    let lock: Lock = toml::from_str(lock).context("Cargo.lock cannot be read")?;
    let checksums: BTreeMap<(String, String), String> = lock
        .package
        .into_iter()
        .filter_map(|package| Some(((package.name, package.version), package.checksum?)))
        .collect();
    let packages = metadata["packages"].as_array();
    let packages = packages.context("cargo lists no packages")?;
    let by_id: BTreeMap<&str, &Value> = packages
        .iter()
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let uses = uses(metadata)?;
    let mut left: Vec<&str> = packages
        .iter()
        .filter(|package| roots.iter().any(|root| package["name"] == *root))
        .filter_map(|package| package["id"].as_str())
        .collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = left.pop() {
        if reached.insert(id) {
            left.extend(uses.get(id).into_iter().flatten());
        }
    }
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    for id in &reached {
        let package = by_id.get(id).context("cargo resolved an unknown package")?;
        components.push(component(package, &checksums)?);
        let used = uses.get(id).into_iter().flatten();
        let mut used: Vec<_> = used
            .filter_map(|id| by_id.get(id))
            .map(|package| reference(package))
            .collect::<Result<_>>()?;
        used.sort();
        dependencies.push(json!({ "ref": reference(package)?, "dependsOn": used }));
    }
    let key = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    components.sort_by_key(|component| key(component, "bom-ref"));
    dependencies.sort_by_key(|dependency| key(dependency, "ref"));
    let main = components
        .iter()
        .find(|component| component["name"] == roots[0])
        .context("cargo lists no such program")?
        .clone();
    let mut roots: Vec<_> = components
        .iter()
        .filter(|component| roots.iter().any(|root| component["name"] == *root))
        .map(|component| key(component, "bom-ref"))
        .collect();
    roots.sort();
    dependencies.insert(0, json!({ "ref": "unstuck", "dependsOn": roots }));
    let timestamp = Timestamp::from_second(time.try_into()?)?;
    let mut bill = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": timestamp.to_string(),
            "component": {
                "type": "application",
                "bom-ref": "unstuck",
                "name": "unstuck",
                "version": main["version"],
                "licenses": main["licenses"],
            },
        },
        "components": components,
        "dependencies": dependencies,
    });
    // The number is that of the contents: the same contents have the same one.
    let hash = Sha256::digest(serde_json::to_vec(&bill)?);
    bill["serialNumber"] = format!("urn:uuid:{}", uuid(&hash)).into();
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

/// What each package uses at run time.
fn uses(metadata: &Value) -> Result<BTreeMap<&str, Vec<&str>>> {
    let nodes = metadata["resolve"]["nodes"].as_array();
    let nodes = nodes.context("cargo resolved nothing")?.iter();
    let of = |node: &'_ Value| -> Vec<usize> {
        let deps = node["deps"].as_array().into_iter().flatten().enumerate();
        deps.filter(|(_, dep)| {
            let mut kinds = dep["dep_kinds"].as_array().into_iter().flatten();
            kinds.any(|kind| kind["kind"].is_null())
        })
        .map(|(at, _)| at)
        .collect()
    };
    let mut uses = BTreeMap::new();
    for node in nodes {
        let id = node["id"].as_str().context("a package has no id")?;
        let used = of(node)
            .into_iter()
            .filter_map(|at| node["deps"][at]["pkg"].as_str());
        uses.insert(id, used.collect());
    }
    Ok(uses)
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Result<Value> {
    let text = |key: &str| package[key].as_str().map(str::to_owned);
    let name = text("name").context("a package has no name")?;
    let version = text("version").context("a package has no version")?;
    let reference = reference(package)?;
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
        "scope": "required",
    });
    if let Some(licence) = text("license") {
        // An old way to write a choice.
        let expression = licence.replace('/', " OR ");
        component["licenses"] = json!([{ "expression": expression }]);
    }
    if let Some(checksum) = checksums.get(&(name, version)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = text("repository") {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    Ok(component)
}

/// The package URL of a package.
fn reference(package: &Value) -> Result<String> {
    let text = |key: &str| package[key].as_str();
    let name = text("name").context("a package has no name")?;
    let version = text("version").context("a package has no version")?;
    Ok(format!("pkg:cargo/{name}@{}", version.replace('+', "%2B")))
}

/// A UUID of version 8, whose bits are the caller's own.
fn uuid(hash: &[u8]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = super::hex(&bytes);
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

#[cfg(test)]
#[path = "sbom_tests.rs"]
mod tests;
