//! The module of WebAssembly, as an npm package that needs no bundler.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;
use unstuck_dev::{CmdExt as _, Install, Outcome, Shell, add_target};

use super::{
    Package,
    node_check::{test_files, vectors},
    npm::Npm,
};

pub(super) static WASM: Package = Package {
    name: "wasm",
    about: "npm package for browsers and edge runtimes",
    build: |build| {
        let npm = Npm::ensure(build.shell, build.install)?;
        target(build.shell, build.install)?;
        let package = package(&npm, &build.profile)?;
        Ok(vec![npm.pack(&package)?])
    },
};

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the module and runs the tests that it shares with the addon.
pub(crate) fn check(shell: &Shell, command: &Path, install: Install) -> Result<Outcome> {
    if let Err(error) = target(shell, install) {
        return Ok(Outcome::Skipped(format!("{error:#}")));
    }
    let npm = match Npm::ensure(shell, install) {
        Ok(npm) => npm,
        Err(error) if install == Install::Never => {
            return Ok(Outcome::Skipped(format!("{error:#}")));
        }
        Err(error) => return Err(error),
    };
    // An engine that is not optimised takes longer for the vectors than its optimisation does.
    let package = package(&npm, "release")?;
    let tests = ["bindings/js/test", "bindings/wasm/test"];
    let files = tests.map(|directory| test_files(&shell.root().join(directory)));
    let files: Vec<_> = files.into_iter().collect::<Result<Vec<_>>>()?.concat();
    shell
        .program(&npm.node)
        .args(["--test", "--test-reporter=dot"])
        .args(files)
        .env("UNSTUCK_COMMAND", command)
        .env("UNSTUCK_MODULE", package.join("dist/index.js"))
        .env("UNSTUCK_ROOT", shell.root())
        .env("UNSTUCK_VECTORS", vectors(&npm)?)
        .run()?;
    Ok(Outcome::Passed)
}

/// Makes sure that rustc can build for the target.
pub(crate) fn target(shell: &Shell, install: Install) -> Result<()> {
    let directory = shell
        .program("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .read();
    let is_there = directory.is_ok_and(|directory| Path::new(directory.trim_end()).is_dir());
    if is_there {
        return Ok(());
    }
    if install == Install::Never {
        anyhow::bail!("the target {TARGET} is not installed");
    }
    add_target(shell, TARGET)
}

/// Builds the module, and writes it with its JavaScript into a directory.
pub(crate) fn module_into(shell: &Shell, generated: &Path, profile: &str) -> Result<()> {
    let messages = shell
        .cargo(["build", "--locked", "--profile", profile])
        .args(["--package", "unstuck-wasm", "--target", TARGET])
        .arg("--message-format=json-render-diagnostics")
        // Every engine since 2023 has these instructions.
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            "-C target-feature=+simd128",
        )
        .read_shown()?;
    let module = module(&messages).context("cargo built no module of WebAssembly")?;
    shell
        .cargo(["run", "--quiet", "--locked"])
        .args(["--manifest-path", "bindings/wasm/bindgen/Cargo.toml"])
        .args(["--target-dir", "target/bindgen", "--"])
        .args([module.as_path(), generated])
        .run()
        .context("the JavaScript of the module cannot be written")
}

/// Builds the package: the module, its JavaScript and the classes.
pub(crate) fn package(npm: &Npm<'_>, profile: &str) -> Result<PathBuf> {
    let generated = npm.empty("bindgen")?;
    module_into(npm.shell, &generated, profile)?;
    npm.compile_with("wasm", |place| {
        for directory in ["ts/wasm", "dist/wasm"] {
            let directory = place.join(directory);
            fs::create_dir_all(&directory)?;
            for entry in fs::read_dir(&generated)? {
                let entry = entry?;
                fs::copy(entry.path(), directory.join(entry.file_name()))?;
            }
        }
        Ok(())
    })
}

fn module(messages: &str) -> Option<PathBuf> {
    let messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut files = messages
        .filter(|message| message["target"]["name"] == "unstuck_wasm")
        .filter_map(|message| message["filenames"].as_array().cloned())
        .flatten()
        .filter_map(|file| file.as_str().map(PathBuf::from));
    files.find(|file| file.extension().is_some_and(|ending| ending == "wasm"))
}
