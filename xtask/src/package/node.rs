//! The npm packages: `unstuck` with the classes, and one for this platform with the addon and the programs.

use std::env::consts::{ARCH, EXE_SUFFIX, OS};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use unstuck_dev::{CmdExt as _, loadable};

use super::{Build, Package, npm::Npm, python};

pub(super) static NODE: Package = Package {
    name: "node",
    about: "npm packages for Node.js 20 and later: the classes, and this platform's addon and command",
    build: |build| {
        let npm = Npm::ensure(build.shell, build.install)?;
        pack(&npm, &compile(build, &npm)?)
    },
};

/// What is compiled from Rust.
pub(crate) struct Compiled {
    pub(crate) addon: PathBuf,
    /// Programs by their names.
    pub(crate) programs: Vec<(String, PathBuf)>,
}

/// Compiles the addon and the programs.
pub(crate) fn compile(build: &Build<'_>, npm: &Npm<'_>) -> Result<Compiled> {
    let messages = build
        .shell
        .cargo(["build", "--locked", "--profile", &build.profile])
        .args(["--package", "unstuck-node"])
        .arg("--message-format=json-render-diagnostics")
        .read_shown()?;
    let addon = loadable(&messages, "unstuck_node").context("cargo built no addon")?;
    let programs = npm.empty("programs")?;
    python::stage(build, &programs)?;
    let mut compiled = Compiled {
        addon,
        programs: Vec::new(),
    };
    for entry in fs::read_dir(&programs)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        compiled.programs.push((name, entry.path()));
    }
    Ok(compiled)
}

/// Makes and packs both packages. The first file is that of the package for this platform.
pub(crate) fn pack(npm: &Npm<'_>, compiled: &Compiled) -> Result<Vec<PathBuf>> {
    let package = npm.compile("node")?;
    let manifest: Value = serde_json::from_slice(&fs::read(package.join("package.json"))?)?;
    let version = manifest["version"].as_str();
    let version = version.context("package.json has no version")?;
    let platform = npm.empty("platform")?;
    let manifest = platform_manifest(version);
    fs::write(platform.join("package.json"), format!("{manifest:#}\n"))?;
    fs::write(
        platform.join("README.md"),
        "The addon and the command of the package `unstuck` for one platform.\n",
    )?;
    npm.licences(&platform)?;
    place(&compiled.addon, &platform.join("unstuck.node"))?;
    for (name, program) in &compiled.programs {
        place(program, &platform.join("bin").join(name))?;
    }
    Ok(vec![npm.pack(&platform)?, npm.pack(&package)?])
}

/// Puts a file somewhere; a link is enough for a large one.
fn place(from: &Path, to: &Path) -> Result<()> {
    if let Some(directory) = to.parent() {
        fs::create_dir_all(directory)?;
    }
    if fs::hard_link(from, to).is_err() {
        fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    Ok(())
}

/// The manifest of the package for this platform. npm installs it where `os`, `cpu` and `libc` fit.
fn platform_manifest(version: &str) -> Value {
    let os = match OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let cpu = match ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let (suffix, libc) = match os {
        "linux" if cfg!(target_env = "musl") => ("-musl", Some("musl")),
        "linux" => ("-gnu", Some("glibc")),
        _ => ("", None),
    };
    let mut manifest = json!({
        "name": format!("@unstuck/{os}-{cpu}{suffix}"),
        "version": version,
        "description": "The addon and the command of the package unstuck for one platform",
        "license": "MIT OR Apache-2.0",
        "engines": { "node": ">=20" },
        "os": [os],
        "cpu": [cpu],
        "files": ["LICENSE-*", "bin", "unstuck.node"],
    });
    if let Some(libc) = libc {
        manifest["libc"] = json!([libc]);
    }
    manifest
}

/// File name of the command on this platform.
pub(crate) fn command_name() -> String {
    format!("unstuck{EXE_SUFFIX}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_package_names_the_package_of_this_platform() {
        let main = include_str!("../../../bindings/node/package.json");
        let main: Value = serde_json::from_str(main).unwrap();
        let version = main["version"].as_str().unwrap();
        let own = platform_manifest(version);
        let name = own["name"].as_str().unwrap();
        assert_eq!(main["optionalDependencies"][name], version, "{name}");
    }
}
