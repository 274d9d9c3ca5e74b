//! `cargo xtask bench-bindings`: what a guarded call costs in other languages.
//!
//! A language is one file and one row: [`LANGUAGES`] is the list.

mod node;
mod python;

use std::process::ExitCode;

use anyhow::{Result, bail};
use unstuck_dev::{Install, Shell};

use crate::package::Build;

/// A language whose package is measured.
struct Language {
    /// As in `cargo xtask bench-bindings NAME`.
    name: &'static str,
    /// Builds the package, measures it, and fails where a bound is broken.
    measure: fn(&Build<'_>) -> Result<()>,
}

const LANGUAGES: [&Language; 2] = [&python::PYTHON, &node::NODE];

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Languages to measure; all of them unless named
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Profile of cargo; what is released is built with `dist`
    #[arg(long, value_name = "NAME", default_value = "dist")]
    profile: String,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let is_known = |name: &&String| LANGUAGES.iter().any(|language| language.name == **name);
    if let Some(unknown) = options.names.iter().find(|name| !is_known(name)) {
        let known: Vec<_> = LANGUAGES.iter().map(|language| language.name).collect();
        bail!("no language `{unknown}`; there are: {}", known.join(", "));
    }
    let build = Build {
        shell,
        profile: options.profile.clone(),
        install: Install::Missing,
    };
    let wanted =
        |name: &str| options.names.is_empty() || options.names.iter().any(|wanted| wanted == name);
    for language in LANGUAGES.iter().filter(|language| wanted(language.name)) {
        (language.measure)(&build)?;
    }
    Ok(ExitCode::SUCCESS)
}
