//! `cargo xtask package`: the packages of other languages, each built by one command.
//!
//! A package is one file and one row: [`PACKAGES`] is the list.

pub(crate) mod node;
pub(crate) mod node_check;
pub(crate) mod npm;
pub(crate) mod python;
pub(crate) mod python_check;
pub(crate) mod wasm;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use unstuck_dev::{Install, Shell};

/// A package of another language.
pub(crate) struct Package {
    /// As in `cargo xtask package NAME`.
    name: &'static str,
    /// What is built, for the list.
    about: &'static str,
    /// Builds it, and returns its files.
    build: fn(&Build<'_>) -> Result<Vec<PathBuf>>,
}

/// Every package, in the order in which they are built.
const PACKAGES: [&Package; 3] = [&python::PYTHON, &node::NODE, &wasm::WASM];

/// How a package is built.
pub(crate) struct Build<'a> {
    pub(crate) shell: &'a Shell,
    /// Profile of cargo.
    pub(crate) profile: String,
    pub(crate) install: Install,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Packages to build; all of them unless named
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print the names of the packages
    #[arg(long)]
    list: bool,
    /// Profile of cargo; what is released is built with `dist`
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    /// Install nothing; fail where a tool is missing
    #[arg(long)]
    no_install: bool,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    if options.list {
        for package in PACKAGES {
            println!("{:8} {}", package.name, package.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let build = Build {
        shell,
        profile: options.profile.clone(),
        install: Install::unless(options.no_install),
    };
    for package in selected(&options.names)? {
        let files = (package.build)(&build)
            .with_context(|| format!("the package `{}` cannot be built", package.name))?;
        for file in files {
            println!("{}", file.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The packages with these names, in the order of the list; all of them for no name.
fn selected(names: &[String]) -> Result<Vec<&'static Package>> {
    let is_known = |name: &&String| PACKAGES.iter().any(|package| package.name == **name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let known: Vec<_> = PACKAGES.iter().map(|package| package.name).collect();
        bail!("no package `{unknown}`; there are: {}", known.join(", "));
    }
    let is_wanted =
        |package: &&&Package| names.is_empty() || names.iter().any(|name| name == package.name);
    Ok(PACKAGES.iter().filter(is_wanted).copied().collect())
}

#[cfg(test)]
#[path = "package_tests.rs"]
mod tests;
