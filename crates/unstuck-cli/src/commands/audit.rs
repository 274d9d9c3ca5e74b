//! `unstuck audit`: looks at what was recorded.

mod close;
mod export;
mod named;
mod tail;
mod verify;

use std::{path::Path, process::ExitCode};

use anyhow::{Context as _, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use unstuck_audit::LogReader;

use super::Run;

/// Check and read what `unstuck mcp` recorded.
///
/// An audit has one JSON object a line: a line before a call is passed on, and one when it has ended. Lines
/// that are written together end with a hash over them and the hash before. A log is named by its file, or, if
/// `unstuck mcp` keeps it in the state directory (`UNSTUCK_HOME`), by the name of its server.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck audit verify audit.jsonl
  unstuck audit tail --follow files
  unstuck audit export audit.jsonl -o calls.csv")]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    command: AuditCommand,
}

#[derive(Debug, Subcommand)]
enum AuditCommand {
    Verify(verify::VerifyArgs),
    Close(close::CloseArgs),
    Tail(tail::TailArgs),
    Export(export::ExportArgs),
}

impl Run for AuditArgs {
    fn run(&self) -> Result<ExitCode> {
        match &self.command {
            AuditCommand::Verify(args) => args.run(),
            AuditCommand::Close(args) => args.run(),
            AuditCommand::Tail(args) => args.run(),
            AuditCommand::Export(args) => args.run(),
        }
    }
}

fn open(path: &Path) -> Result<LogReader> {
    if !named::is_log(path) {
        bail!("{}", named::missing(path));
    }
    LogReader::open(path).with_context(|| format!("cannot open {}", path.display()))
}
