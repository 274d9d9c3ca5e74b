//! The command `unstuck`.

mod args;
mod commands;
mod lines;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let run = match args.command {
        Command::Check(check) => commands::check::run(&check),
    };
    match run {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whoever read our output has seen enough (`unstuck check … | head`): nothing is wrong.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
