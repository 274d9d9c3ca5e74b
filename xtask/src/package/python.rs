//! The wheel: the extension module, and the programs, which pip puts on PATH.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use unstuck_dev::{CmdExt as _, Shell, executable};

use super::{Build, Package};
use crate::{release_files, venv::Venv};

pub(super) static PYTHON: Package = Package {
    name: "python",
    about: "wheel for CPython 3.10 and later with the module and the command",
    build: |build| Ok(vec![wheel(build)?]),
};

/// Builds wheels.
const MATURIN: &str = "maturin==1.16.0";

/// Programs that the wheel carries, with their packages.
const PROGRAMS: [(&str, &str); 2] = [("unstuck-cli", "unstuck"), ("unstuck-hook", "unstuck-hook")];

/// Builds the wheel and returns its path.
pub(crate) fn wheel(build: &Build<'_>) -> Result<PathBuf> {
    let shell = build.shell;
    let place = place(shell);
    stage(build, &place.join("unstuck.data").join("scripts"))?;
    let tools = Venv::with(shell, &place.join("tools"), &[MATURIN], build.install)?;
    for old in wheels(&place)? {
        fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
    }
    shell
        .program(tools.program("maturin"))
        .args(["build", "--locked", "--profile", &build.profile])
        .args(["--manifest-path", "bindings/python/Cargo.toml"])
        .args(["--features", "as-in-the-command", "--out"])
        .arg(&place)
        .run()?;
    let made = wheels(&place)?;
    made.into_iter().next().context("maturin made no wheel")
}

/// The wheels in a directory.
fn wheels(place: &Path) -> Result<Vec<PathBuf>> {
    let listed = fs::read_dir(place).with_context(|| format!("cannot read {}", place.display()))?;
    let files = listed.map(|entry| Ok(entry?.path()));
    let is_wheel = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "whl");
    let files = files.collect::<Result<Vec<_>>>()?;
    Ok(files.into_iter().filter(is_wheel).collect())
}

/// Where the wheel and what it is made of are.
pub(crate) fn place(shell: &Shell) -> PathBuf {
    shell.root().join("target").join("package").join("python")
}

/// Builds the programs and copies them to where maturin packs them from.
pub(super) fn stage(build: &Build<'_>, scripts: &Path) -> Result<()> {
    fs::create_dir_all(scripts).with_context(|| format!("cannot make {}", scripts.display()))?;
    // Both at once, as `cargo build` takes them: what they share has the same features then.
    let mut command = build
        .shell
        .cargo(["build", "--locked", "--profile", &build.profile]);
    for (package, _) in PROGRAMS {
        command = command.args(["--package", package]);
    }
    let messages = command
        .args(["--bins", "--message-format=json-render-diagnostics"])
        .read_shown()?;
    for (_, name) in PROGRAMS {
        let program = executable(&messages, name)
            .with_context(|| format!("cargo built no executable named `{name}`"))?;
        fs::copy(&program, scripts.join(format!("{name}{EXE_SUFFIX}")))
            .with_context(|| format!("cannot copy {}", program.display()))?;
    }
    // What is shipped starts as fast as it can. Tests of packages do without the second build.
    if build.profile == "dist" && cfg!(target_os = "linux") {
        let place = scripts.join("unstuck-hook");
        if let Err(error) = stage_static_hook(build, &place) {
            println!(
                "unstuck-hook cannot be linked statically, so the other one is packed: {error:#}"
            );
        }
    }
    Ok(())
}

/// Puts the program for hooks there as it is released: linked statically, at a fixed address.
fn stage_static_hook(build: &Build<'_>, place: &Path) -> Result<()> {
    let target = release_files::default_target(build.shell, build.install)?;
    let hook = release_files::static_program(build.shell, &target, &build.profile)?;
    fs::copy(&hook, place).with_context(|| format!("cannot copy {}", hook.display()))?;
    Ok(())
}
