//! The playground and the sample report: two pages beside those of the book, with the module of WebAssembly in them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use unstuck_dev::{Install, Outcome, Shell};

use crate::{browser, package::wasm};

const SOURCE: &str = "docs/playground";
/// Where the pages are made for their test.
const TESTED: &str = "target/playground";

/// Makes both pages.
pub(crate) fn build(shell: &Shell, to: &Path, install: Install) -> Result<()> {
    if !browser::node(shell, install)? {
        bail!("Node.js is not installed");
    }
    wasm::target(shell, install)?;
    let modules = shell.root().join("target").join("playground-module");
    fs::create_dir_all(&modules).with_context(|| format!("cannot create {}", modules.display()))?;
    wasm::module_into(shell, &modules, "release")?;
    shell
        .program("node")
        .arg(shell.root().join(SOURCE).join("build.mjs"))
        .args([modules.as_path(), to])
        .run()
        .context("the playground cannot be made")
}

/// Makes the pages and opens them in Chromium.
pub(crate) fn check(shell: &Shell, command: &Path, install: Install) -> Result<Outcome> {
    let Some(driver) = browser::driver(shell, install)? else {
        return Ok(Outcome::Skipped(
            "Chromium, Node.js or playwright-core is not installed".to_owned(),
        ));
    };
    if let Err(error) = wasm::target(shell, install) {
        return Ok(Outcome::Skipped(format!("{error:#}")));
    }
    let root = shell.root();
    let pages = root.join(TESTED);
    build(shell, &pages, install)?;
    let test = driver.place.join("playground.test.js");
    fs::copy(root.join(SOURCE).join("playground.test.js"), &test)
        .context("cannot copy the test of the playground")?;
    shell
        .program("node")
        .args(["--test", "--test-reporter=spec"])
        .arg(&test)
        .env("CHROMIUM", &driver.chromium)
        .env("UNSTUCK_COMMAND", command)
        .env("UNSTUCK_PAGES", &pages)
        .env("UNSTUCK_PICTURES", driver.place.join("pictures"))
        .env("UNSTUCK_ROOT", root)
        .run()?;
    Ok(Outcome::Passed)
}
