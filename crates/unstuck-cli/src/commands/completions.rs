//! `unstuck completions`: a script that completes our command line.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Result;
use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::{Args, CompletionsArgs};

pub(crate) fn run(args: &CompletionsArgs) -> Result<ExitCode> {
    io::stdout().lock().write_all(&script(args.shell))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "unstuck", &mut script);
    script
}
