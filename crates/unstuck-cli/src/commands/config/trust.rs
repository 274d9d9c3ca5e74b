//! `unstuck config trust`: a person accepts a project's file.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueHint};

use crate::{commands::Run, configuration, notes, person};

/// Trust the project's file.
///
/// A project's `unstuck.toml` may have been written by a stranger or by the agent that is watched, so it is applied only
/// where it makes nothing looser, unless a person has trusted its contents. Look at it, then trust it; after a change
/// it has to be trusted again. A file of another user cannot be trusted. The user's own file is always applied. Runs
/// only in a terminal, and not for an agent.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck config trust
  unstuck config trust path/to/unstuck.toml")]
pub(super) struct TrustArgs {
    /// File to trust, as it is now; the project's `unstuck.toml` unless given.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
}

impl Run for TrustArgs {
    fn run(&self) -> Result<ExitCode> {
        trust(self)
    }
}

/// Lets a project's file loosen settings, with the contents it has now.
fn trust(args: &TrustArgs) -> Result<ExitCode> {
    person::ensure()?;
    let (path, contents) = unstuck_session::configuration::to_be_trusted(args.file.as_deref())?;
    let path = configuration::state_dir()?.trust(&path, &contents)?;
    notes::confirm(format_args!("{} is trusted, as it is now", path.display()))?;
    Ok(ExitCode::SUCCESS)
}
