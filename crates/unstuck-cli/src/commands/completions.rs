//! `unstuck completions`: a script that completes our command line.

use std::{io::Write as _, process::ExitCode};

use anyhow::{Context as _, Result};
use clap::{Args as ClapArgs, Command, ValueEnum as _};
use clap_complete::{Shell, env::Shells};

use super::{Group, Run};
use crate::args::{self, FileArgs};

/// Print a completion script for a shell.
///
/// The script asks `unstuck` itself for completions, so names of rules, formats, agents and sessions are completed, too.
/// Where the script goes depends on the shell and its setup; these are common places.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck completions bash > ~/.local/share/bash-completion/completions/unstuck
  unstuck completions zsh > ~/.zfunc/_unstuck
  unstuck completions fish > ~/.config/fish/completions/unstuck.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell that runs the script.
    #[arg(value_name = "SHELL")]
    shell: Shell,

    #[command(flatten)]
    output: FileArgs,
}

impl Run for CompletionsArgs {
    fn run(&self) -> Result<ExitCode> {
        let mut out = self.output.open()?;
        out.write_all(&script(self.shell)?)?;
        out.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The variable by which a script asks for completions, and the program it asks.
pub(crate) const VARIABLE: &str = "UNSTUCK_COMPLETE";
const PROGRAM: &str = "unstuck";

/// The command line without commands that only the build runs. Those that other programs run are hidden: a shell offers them
/// where nothing else matches.
pub(crate) fn visible() -> Command {
    let whole = args::command();
    let is_internal = |command: &&Command| {
        let mut rows = super::ALL.iter();
        rows.any(|row| row.name == command.get_name() && row.group == Group::Internal)
    };
    let visible = whole.get_subcommands().filter(|one| !is_internal(one));
    Command::new(PROGRAM)
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(whole.is_propagate_version_set())
        .disable_help_subcommand(whole.is_disable_help_subcommand_set())
        .args(whole.get_arguments())
        .subcommands(visible.cloned())
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
