//! `unstuck completions`: a script that completes our command line.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use clap::{Command, CommandFactory as _, ValueEnum as _};
use clap_complete::{Shell, env::Shells};

use crate::args::{Args, CompletionsArgs};

/// The variable by which a script asks for completions, and the program it asks.
pub(crate) const VARIABLE: &str = "UNSTUCK_COMPLETE";
const PROGRAM: &str = "unstuck";

/// The command line without what is hidden: a shell would offer that where nothing else matches.
pub(crate) fn visible() -> Command {
    let whole = Args::command();
    let visible = whole.get_subcommands().filter(|one| !one.is_hide_set());
    Command::new(PROGRAM)
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(whole.is_propagate_version_set())
        .disable_help_subcommand(whole.is_disable_help_subcommand_set())
        .args(whole.get_arguments())
        .subcommands(visible.cloned())
}

pub(crate) fn run(args: &CompletionsArgs) -> Result<ExitCode> {
    io::stdout().lock().write_all(&script(args.shell)?)?;
    Ok(ExitCode::SUCCESS)
}

/// A script that registers the completion. It runs the program for each completion, so it never gets old.
pub(crate) fn script(shell: Shell) -> Result<Vec<u8>> {
    let name = shell.to_possible_value().context("a shell has a name")?;
    let shells = Shells::builtins();
    let completer = shells.completer(name.get_name());
    let completer = completer.with_context(|| format!("{shell} is not known"))?;
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    Ok(script)
}
