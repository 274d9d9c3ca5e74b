//! `audit`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, ClapArgs)]
pub(crate) struct AuditCommandArgs {
    #[command(subcommand)]
    pub(crate) command: AuditCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Check that nothing was changed, removed, moved or cut off.
    ///
    /// Every group of lines ends with a hash of itself and of the hash before; `FILE.head` records how far the log goes,
    /// and whether a proxy found it broken. Full files (`FILE.1`, `FILE.2`, ...) are checked as well. The chain has no
    /// key: a program that may write all of these files can rewrite them consistently. Heads that were sent elsewhere
    /// (`unstuck mcp --head-to`, then `--heads`) or noted (`--head`) reveal that. The exit code is 1 if the log is not whole.
    #[command(after_help = "\
Examples:
  unstuck audit verify audit.jsonl
  unstuck audit verify --heads /backup/heads.jsonl audit.jsonl
  unstuck audit verify --head '120 5f3c...' audit.jsonl")]
    Verify(AuditVerifyArgs),

    /// Close a broken log and start a new one that refers to it.
    ///
    /// Once a proxy has found that its log was removed, replaced or cut, it denies calls (or runs them without a record,
    /// with `--audit-failure allow`) until this command is run. It moves the files of the log to `FILE.closed-1` and
    /// starts a new log, whose first line names the old one with its last known line and hash. Proxies that are running
    /// continue with the new log. Only a person may run it.
    #[command(after_help = "\
Examples:
  unstuck audit verify audit.jsonl
  unstuck audit close audit.jsonl")]
    Close(AuditCloseArgs),

    /// Show the last calls.
    ///
    /// One line for each call: when, the verdict, how it ended, how long it took, what was called with what.
    #[command(after_help = "\
Examples:
  unstuck audit tail audit.jsonl
  unstuck audit tail -n 100 --follow audit.jsonl")]
    Tail(AuditTailArgs),

    /// Print all calls as a table or as JSON.
    ///
    /// The calls of one file, without the lines that only say that a call was passed on.
    #[command(after_help = "\
Examples:
  unstuck audit export audit.jsonl > calls.csv
  unstuck audit export --format jsonl audit.jsonl |
    jq 'select(.verdict == \"deny\")'")]
    Export(AuditExportArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AuditVerifyArgs {
    /// The log.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The head that was noted earlier, in place of the one in `FILE.head`.
    #[arg(long)]
    pub(crate) head: Option<String>,

    /// File with heads that `unstuck mcp --head-to` sent; every head of this log in it must be on the chain. Lines of
    /// other programs, such as those of a system log, are skipped.
    #[arg(long, value_name = "HEADS", value_hint = clap::ValueHint::FilePath)]
    pub(crate) heads: Option<PathBuf>,

    /// The oldest full files may be missing. A file that is missing between two others is still an error.
    #[arg(long)]
    pub(crate) partial: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AuditCloseArgs {
    /// The log.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AuditTailArgs {
    /// The log.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// How many calls.
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    pub(crate) lines: usize,

    /// Go on with what is recorded from now on.
    #[arg(short, long)]
    pub(crate) follow: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AuditExportArgs {
    /// The log.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Output format.
    #[arg(long, default_value = "csv")]
    pub(crate) format: ExportFormat,
}

/// What calls are printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExportFormat {
    /// A table.
    Csv,
    /// One JSON object a line.
    Jsonl,
}
