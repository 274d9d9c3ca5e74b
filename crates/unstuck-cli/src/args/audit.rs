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
    /// Every line carries a hash of itself and of the line before; `FILE.head` says how far the log goes. Files that
    /// were full (`FILE.1`, `FILE.2`, ...) are checked as well. Whoever can write all of them can forge them, so note
    /// the head elsewhere where that matters, and give it with `--head` later. The exit code is 1 if the log is not
    /// whole.
    #[command(after_help = "\
Examples:
  unstuck audit verify audit.jsonl
  unstuck audit verify --head '120 5f3c...' audit.jsonl")]
    Verify(AuditVerifyArgs),

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
  unstuck audit export --format jsonl audit.jsonl | jq 'select(.verdict == \"deny\")'")]
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

    /// Old files may be gone.
    #[arg(long)]
    pub(crate) partial: bool,
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

    /// As what.
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
