//! `cargo xtask site`: the documentation as a book.
//!
//! The pages stay where GitHub shows them; `docs/SUMMARY.md` lists them. The book is built from copies, in which links lead
//! to the places of the pages in the book. Links are checked before and after: in all Markdown files of the repository, and
//! in the pages that mdBook made.

mod check;
mod links;
mod pages;
pub(crate) mod playground;

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use unstuck_dev::{Install, MDBOOK, Missing, Shell};

use pages::Book;

const SOURCE: &str = "target/site-source";
const SITE: &str = "target/site";

/// Settings of mdBook. Sections can be folded, because there are many rules and decisions.
const SETTINGS: &str = r#"[book]
title = "unstuck"
description = "A loop guard for LLM agents"
language = "en"
src = "src"

[output.html]
additional-css = ["wide.css"]
input-404 = ""
no-section-label = true
smart-punctuation = false

[output.html.fold]
enable = true
level = 0

[output.html.playground]
runnable = false

[output.html.print]
enable = false
"#;

/// Room for tables of settings and of results, and for output of 100 columns.
const STYLE: &str = ":root { --content-max-width: 960px; }\n";

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Check the links of the Markdown files, and build nothing
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(shell: &Shell, options: Options) -> Result<ExitCode> {
    if options.check {
        check(shell)?;
    } else {
        build(shell)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails if a relative link of a Markdown file leads nowhere, or if the book lacks a page of `docs`.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let root = shell.root();
    let documents = check::documents(root)?;
    let mut faults = check::faults(root, &documents);
    faults.extend(Book::read(root)?.faults(&documents));
    fail_on(&faults)?;
    println!("{} Markdown files have no broken link", documents.len());
    Ok(())
}

fn build(shell: &Shell) -> Result<()> {
    check(shell)?;
    let root = shell.root();
    let (source, site) = (root.join(SOURCE), root.join(SITE));
    for directory in [&source, &site] {
        if directory.exists() {
            fs::remove_dir_all(directory)
                .with_context(|| format!("cannot remove {}", directory.display()))?;
        }
    }
    fs::create_dir_all(&source)?;
    fs::write(source.join("book.toml"), SETTINGS)?;
    fs::write(source.join("wide.css"), STYLE)?;
    let book = Book::read(root)?;
    book.write(root, &source.join("src"))?;
    let program = match MDBOOK.ensure(shell, Install::Missing) {
        Ok(program) => program,
        Err(Missing(why)) => bail!(why),
    };
    shell
        .program(program)
        .arg("build")
        .arg(&source)
        .arg("--dest-dir")
        .arg(&site)
        .run()?;
    playground::build(shell, &site.join("playground"), Install::Missing)?;
    let (pages, faults) = check::built(&site)?;
    fail_on(&faults)?;
    println!("{pages} pages in {SITE}, first {SITE}/index.html; no broken link");
    Ok(())
}

fn fail_on(faults: &[String]) -> Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    bail!(
        "{} links or pages are wrong:\n  {}",
        faults.len(),
        faults.join("\n  ")
    )
}

#[cfg(test)]
#[path = "site_tests.rs"]
mod tests;
