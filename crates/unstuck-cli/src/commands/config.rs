//! `unstuck config`: check, show, edit and describe the configuration.

mod check;
mod edit;
mod path;
mod show;
mod trust;

use std::{io::Write as _, process::ExitCode};

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

use super::Run;
use crate::args::FileArgs;

/// Check, show and edit the configuration.
///
/// Settings come from a preset and from up to three TOML files, the later ones winning key by key: the user's
/// `unstuck/unstuck.toml` in the configuration directory, the project's `unstuck.toml` in the current directory or
/// the nearest one above it, and the file given with `--config`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck config path
  unstuck config edit
  unstuck config check
  unstuck config show --preset ironcurtain")]
pub(crate) struct ConfigCommandArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    Check(check::CheckArgs),
    Show(show::ShowArgs),
    Path(path::PathArgs),
    Edit(edit::EditArgs),
    Trust(trust::TrustArgs),
    Schema(SchemaArgs),
}

/// Print the JSON schema of `unstuck.toml`.
///
/// Editors complete and check keys with it. All keys are optional.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck config schema -o unstuck.schema.json
  unstuck config schema | jq '.\"$defs\".Cycle.properties | keys'")]
struct SchemaArgs {
    #[command(flatten)]
    output: FileArgs,
}

impl Run for ConfigCommandArgs {
    fn run(&self) -> Result<ExitCode> {
        match &self.command {
            ConfigCommand::Check(args) => args.run(),
            ConfigCommand::Show(args) => args.run(),
            ConfigCommand::Path(args) => args.run(),
            ConfigCommand::Edit(args) => args.run(),
            ConfigCommand::Trust(args) => args.run(),
            ConfigCommand::Schema(args) => args.run(),
        }
    }
}

impl Run for SchemaArgs {
    fn run(&self) -> Result<ExitCode> {
        let mut out = self.output.open()?;
        writeln!(out, "{:#}", unstuck_config::schema())?;
        out.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}
