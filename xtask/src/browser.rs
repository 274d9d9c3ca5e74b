//! `cargo xtask browser`: the HTML report in a real browser.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use unstuck_dev::{CmdExt as _, Install, Outcome, Shell, apt, build_tested_example, find};

/// The test and what it needs.
const SOURCE: &str = "crates/unstuck-report/tests/browser";
const FILES: [&str; 2] = ["package.json", "page.test.js"];
/// Names Chromium goes by, in the order they are tried.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Install nothing
    #[arg(long)]
    no_install: bool,
}

pub(crate) fn run(shell: &Shell, options: Options) -> Result<ExitCode> {
    match check(shell, Install::unless(options.no_install))? {
        Outcome::Passed => Ok(ExitCode::SUCCESS),
        Outcome::Skipped(why) => bail!("{why}"),
    }
}

/// What drives the browser.
#[derive(Debug)]
pub(crate) struct Driver {
    pub(crate) chromium: String,
    /// The directory that has playwright-core. Tests are copied into it.
    pub(crate) place: PathBuf,
}

/// Chromium with its driver; installed if they have to be. `None` where they may not be installed.
pub(crate) fn driver(shell: &Shell, install: Install) -> Result<Option<Driver>> {
    let Some(chromium) = browser(shell, install)? else {
        return Ok(None);
    };
    if !node(shell, install)? {
        return Ok(None);
    }
    let place = shell.root().join("target").join("browser");
    copy(&shell.root().join(SOURCE), &place)?;
    let npm = |verb: &str| shell.program("npm").args([verb, "--prefix"]).arg(&place);
    if !npm("ls").succeeds() {
        if install == Install::Never {
            return Ok(None);
        }
        npm("install")
            .args(["--no-audit", "--no-fund", "--no-package-lock"])
            .run()
            .context("playwright-core cannot be installed")?;
    }
    Ok(Some(Driver { chromium, place }))
}

/// Makes the pages and looks at them.
pub(crate) fn check(shell: &Shell, install: Install) -> Result<Outcome> {
    let Some(Driver { chromium, place }) = driver(shell, install)? else {
        return Ok(Outcome::Skipped(
            "Chromium, Node.js or playwright-core is not installed".to_owned(),
        ));
    };
    let pages = place.join("pages");
    let example = build_tested_example(shell, "pages")?;
    shell.program(example).arg(&pages).run()?;
    shell
        .program("node")
        .args(["--test", "--test-reporter=spec"])
        .arg(place.join("page.test.js"))
        .env("CHROMIUM", &chromium)
        .env("UNSTUCK_PAGES", &pages)
        .env("UNSTUCK_PICTURES", place.join("pictures"))
        .run()?;
    Ok(Outcome::Passed)
}

/// The browser to use; installed if it has to be. `None` where it may not be installed.
pub(crate) fn browser(shell: &Shell, install: Install) -> Result<Option<String>> {
    if let Some(named) = env::var_os("CHROMIUM") {
        return Ok(Some(named.to_string_lossy().into_owned()));
    }
    if let Some(found) = find(&BROWSERS) {
        return Ok(Some(found));
    }
    if install == Install::Never {
        return Ok(None);
    }
    apt(shell, &["chromium"])?;
    match find(&BROWSERS) {
        Some(found) => Ok(Some(found)),
        None => bail!("Chromium was installed and is not in PATH; name it in CHROMIUM"),
    }
}

/// Whether Node.js is there; installed if it has to be.
pub(crate) fn node(shell: &Shell, install: Install) -> Result<bool> {
    let there = || find(&["node"]).is_some() && find(&["npm"]).is_some();
    if there() {
        return Ok(true);
    }
    if install == Install::Never {
        return Ok(false);
    }
    apt(shell, &["nodejs", "npm"])?;
    Ok(there())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for name in FILES {
        fs::copy(from.join(name), to.join(name))
            .with_context(|| format!("cannot copy {name} to {}", to.display()))?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "browser_tests.rs"]
mod tests;
