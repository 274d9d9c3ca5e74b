//! `cargo xtask eval`: scores settings on labelled recordings.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's command talks on the terminal"
)]

mod args;
mod report;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    match report::run(&args::Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
