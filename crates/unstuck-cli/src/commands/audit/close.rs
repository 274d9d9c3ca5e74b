//! `unstuck audit close`: a person closes a broken log.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueHint};
use unstuck_audit::close;

use super::named;
use crate::{commands::Run, person};

/// Close a broken log and start a new one that refers to it.
///
/// Once a proxy has found that its log was removed, replaced or cut, it denies calls (or runs them without a record,
/// with `--audit-failure allow`) until this command is run. It moves the files of the log to `FILE.closed-1` and
/// starts a new log, whose first line names the old one with its last known line and hash. Proxies that are running
/// continue with the new log. Only a person may run it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck audit verify audit.jsonl
  unstuck audit close audit.jsonl")]
pub(super) struct CloseArgs {
    /// The audit log, such as `audit.jsonl`, or the name of a server whose log `unstuck mcp` keeps in the state directory.
    #[arg(value_name = "LOG", value_parser = named::log(), value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

impl Run for CloseArgs {
    fn run(&self) -> Result<ExitCode> {
        person::ensure()?;
        let closed = close(&self.file)?;
        anstream::println!(
            "{} was closed; it is {} now, and its last known line is {}",
            self.file.display(),
            closed.moved_to.display(),
            closed.last.line
        );
        anstream::println!("  head of the new log: {}", closed.head);
        Ok(ExitCode::SUCCESS)
    }
}
