//! What can be typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};
use unstuck::Preset;

/// Keeps LLM agents from going in circles.
#[derive(Debug, Parser)]
#[command(name = "unstuck", version, propagate_version = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read events, write one decision a line.
    Check(CheckArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// Files of events; standard input if none, or for `-`.
    pub(crate) files: Vec<PathBuf>,

    /// The settings to start from.
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<Preset>,

    /// A configuration file, on top of the user's and the project's.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
