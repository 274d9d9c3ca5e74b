//! `cargo xtask engines`: the Arrow function of the Python package in the engines of data teams.
//!
//! Their packages come from `PyPI` at fixed versions, into target/engines. The tests compare the rows of each engine with those
//! that the command writes as Parquet.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use unstuck_dev::{Install, Shell};

use crate::package::{Build, python};
use crate::venv::Venv;

/// The engines, the libraries that the tests read tables with, and what runs the tests.
const PACKAGES: [&str; 8] = [
    "daft==0.7.26",
    "duckdb==2.0.0",
    "polars==2.1.0",
    "pyarrow==25.0.1",
    "pysail==0.7.2",
    "pyspark-client==4.2.0",
    "pytest==9.2.0",
    "ray[data]==2.60.0",
];

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Use this wheel instead of building one
    #[arg(long, value_name = "FILE")]
    package: Option<PathBuf>,
    /// Measure how fast these recordings are read, in place of the tests
    #[arg(long, value_name = "DIRECTORY")]
    rates: Option<PathBuf>,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let place = shell.root().join("target").join("engines");
    let environment = Venv::with(shell, &place, &PACKAGES, Install::Missing)?;
    let build = Build {
        shell,
        profile: if options.rates.is_some() {
            "dist"
        } else {
            "release"
        }
        .to_owned(),
        install: Install::Missing,
    };
    let wheel = match &options.package {
        Some(file) => file.clone(),
        None => python::wheel(&build)?,
    };
    let wheel = wheel.to_string_lossy();
    environment.pip(
        shell,
        &["--no-index", "--no-deps", "--force-reinstall", &wheel],
    )?;
    let words: Vec<OsString> = match &options.rates {
        None => [
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "bindings/python/engines",
        ]
        .map(OsString::from)
        .to_vec(),
        Some(recordings) => vec!["bindings/python/engines/rates.py".into(), recordings.into()],
    };
    shell
        .program(environment.program("python"))
        .args(words)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .run()?;
    Ok(ExitCode::SUCCESS)
}
