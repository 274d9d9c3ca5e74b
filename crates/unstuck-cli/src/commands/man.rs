//! `unstuck man`: the manual pages.

use std::{io::Write as _, process::ExitCode};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_mangen::Man;

use super::Run;
use crate::args::{self, FileArgs};

/// Print a manual page.
///
/// The page of the main command or of the command that is named, in the format that `man` reads.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck man > unstuck.1
  unstuck man audit export -o unstuck-audit-export.1
  unstuck man | man -l -")]
pub(crate) struct ManArgs {
    /// Command whose page is wanted, such as `scan` or `audit export`; without one, the page of `unstuck`.
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,

    #[command(flatten)]
    output: FileArgs,
}

impl Run for ManArgs {
    fn run(&self) -> Result<ExitCode> {
        // `help` has no page of its own that others could refer to.
        let mut command = args::command().disable_help_subcommand(true);
        // Gives every command the whole name that its page shows.
        command.build();
        for word in &self.command {
            let Some(below) = command.find_subcommand(word) else {
                bail!("`{}` has no command `{word}`", command.get_name());
            };
            command = below.clone();
        }
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        let mut out = self.output.open()?;
        out.write_all(&page)?;
        out.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}
