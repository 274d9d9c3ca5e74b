//! `cargo xtask adapters`: every adapter with its framework from the registry and a scripted model.
//!
//! A language is one file and one row: [`LANGUAGES`] is the list. Each has its adapters in a file of its own, with the versions of
//! what they are shown with. The page docs/adapters.md says what was shown last.

mod node;
mod python;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use unstuck_dev::{Install, Shell};

use crate::package::Build;
use table::Table;

/// A language whose adapters are shown.
struct Language {
    /// As in `cargo xtask adapters NAME`.
    name: &'static str,
    /// Heading on the page.
    title: &'static str,
    /// Reads the list of its adapters, from the root of the repository.
    listed: fn(&Path) -> Result<Vec<Adapter>>,
    /// Ending of the files of its package.
    ending: &'static str,
    /// Builds the package with the adapters, and returns its files.
    build: fn(&Build<'_>) -> Result<Vec<PathBuf>>,
    /// Runs the tests of an adapter with its framework.
    show: fn(&Build<'_>, &[PathBuf], &Adapter, Keep) -> Result<Shown>,
}

const LANGUAGES: [&Language; 2] = [&python::PYTHON, &node::NODE];

/// An adapter for a framework.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Adapter {
    /// As in `cargo xtask adapters NAME`.
    name: String,
    /// The framework, for the page; unique within its language.
    framework: String,
    /// What programs import.
    module: String,
    /// Packages of the registry at fixed versions, the framework's first.
    packages: Vec<String>,
}

impl Adapter {
    /// Its packages, for the page.
    fn shown_with(&self) -> String {
        let quoted: Vec<_> = self.packages.iter().map(|one| format!("`{one}`")).collect();
        quoted.join(", ")
    }
}

/// What came of an adapter.
#[derive(Debug, PartialEq, Eq)]
enum Shown {
    /// All tests passed: how many.
    Passed(u32),
    /// The packages cannot be installed here: why.
    NotInstalled(String),
}

/// Whether what was installed stays for the next time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Installed,
    Nothing,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Adapters to show, or languages; all of them unless named
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print the names of the adapters
    #[arg(long)]
    list: bool,
    /// Use this file, a wheel or what `npm pack` makes, and build nothing; may be given several times
    #[arg(long, value_name = "FILE")]
    package: Vec<PathBuf>,
    /// Keep what was installed, several gigabytes, for the next time
    #[arg(long)]
    keep: bool,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let all = listed(shell.root())?;
    if options.list {
        for (language, adapters) in &all {
            for Adapter {
                name, framework, ..
            } in adapters
            {
                println!("{:8} {name:18} {framework}", language.name);
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let build = Build {
        shell,
        profile: "release".to_owned(),
        install: Install::Missing,
    };
    let keep = if options.keep {
        Keep::Installed
    } else {
        Keep::Nothing
    };
    let mut table = Table::read(shell.root())?;
    let mut failed = Vec::new();
    for (language, adapters) in selected(&all, &options.names)? {
        let given = options.package.iter().filter(|file| {
            let ending = file.extension().and_then(|ending| ending.to_str());
            ending == Some(language.ending)
        });
        let mut packages: Vec<_> = given.cloned().collect();
        if packages.is_empty() && !options.package.is_empty() {
            println!(
                "\nno adapter for {}: no package for it was given",
                language.title
            );
            continue;
        }
        if packages.is_empty() {
            packages = (language.build)(&build)?;
        }
        for adapter in adapters {
            println!("\n{}: {}", adapter.name, adapter.packages.join(", "));
            match (language.show)(&build, &packages, adapter, keep) {
                Ok(shown) => {
                    match &shown {
                        Shown::Passed(count) => println!("{count} passed"),
                        Shown::NotInstalled(reason) => println!("NOT SHOWN: {reason}"),
                    }
                    table.set(language.title, adapter, &shown);
                }
                Err(error) => {
                    eprintln!("{}: {error:#}", adapter.name);
                    failed.push(adapter.name.as_str());
                }
            }
            // What follows may take long, and may be ended.
            table.write(shell.root(), &all)?;
        }
    }
    if !failed.is_empty() {
        bail!("adapters that failed: {}", failed.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}

type Listed = Vec<(&'static Language, Vec<Adapter>)>;

/// The adapters of every language.
fn listed(root: &Path) -> Result<Listed> {
    let of = |language: &'static Language| Ok((language, (language.listed)(root)?));
    LANGUAGES.into_iter().map(of).collect()
}

/// The adapters with these names or of these languages; all of them for no name.
fn selected<'a>(
    all: &'a Listed,
    names: &'a [String],
) -> Result<Vec<(&'static Language, Vec<&'a Adapter>)>> {
    let is_of = |language: &Language, adapter: &Adapter, name: &str| {
        adapter.name == name || language.name == name
    };
    let is_known = |name: &String| {
        let mut adapters = all.iter().flat_map(|(language, adapters)| {
            adapters.iter().map(move |adapter| (*language, adapter))
        });
        adapters.any(|(language, adapter)| is_of(language, adapter, name))
    };
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let of_all = all.iter().flat_map(|(_, adapters)| adapters);
        let known: Vec<_> = of_all.map(|one| one.name.as_str()).collect();
        bail!("no adapter `{unknown}`; there are: {}", known.join(", "));
    }
    let mut wanted = Vec::new();
    for (language, adapters) in all {
        let is_wanted = |adapter: &&Adapter| {
            names.is_empty() || names.iter().any(|name| is_of(language, adapter, name))
        };
        let adapters: Vec<_> = adapters.iter().filter(is_wanted).collect();
        if !adapters.is_empty() {
            wanted.push((*language, adapters));
        }
    }
    Ok(wanted)
}

#[cfg(test)]
#[path = "adapters_tests.rs"]
mod tests;
