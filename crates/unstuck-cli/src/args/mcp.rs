//! `mcp`.

use std::{ffi::OsString, path::PathBuf};

use clap::Args as ClapArgs;

use super::{ConfigArgs, McpHttpArgs};
use unstuck_audit::HeadTarget;

pub(super) const MCP_EXAMPLES: &str = r#"Examples:
  In a client's configuration, in place of `npx some-server`:
    unstuck mcp --name files -- npx some-server

  Only the circuit breaker: 20 equal calls in 60 seconds:
    unstuck mcp --preset ironcurtain -- npx some-server

  With policies, and an audit in a place of your own:
    unstuck mcp --name db --policy db.cedar --audit db.jsonl -- ./db-server

  A policy file that permits everything but deletions at night:
    permit (principal, action, resource);
    forbid (principal, action, resource == Tool::"db/delete")
    when { context.time.hour < 6 };

  For clients that come by HTTP, to http://127.0.0.1:8080/mcp:
    unstuck mcp --listen 8080 --name tracker --upstream https://example.com/mcp
    unstuck mcp --listen 8080 --name files -- npx some-server

  Several servers, each at /NAME/mcp, from a file with `mcpServers`:
    unstuck mcp --listen 8080 --config servers.json

The exit code is the server's, or 2 where it could not be started; with --listen
it is 0."#;

#[derive(Debug, ClapArgs)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(crate) struct McpArgs {
    /// The server's name; that of its program if none is given.
    #[arg(long)]
    pub(crate) name: Option<String>,

    /// Policies in Cedar.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) policy: Option<PathBuf>,

    /// The most bytes of a call's arguments that policies read; a call with more is denied. One value is read for each
    /// 64 bytes. Arguments that no policy mentions are not limited.
    #[arg(long, value_name = "BYTES", default_value_t = unstuck_mcp::POLICY_ARGUMENTS)]
    pub(crate) max_policy_arguments: usize,

    /// Where calls are recorded; a file of the server's name under `UNSTUCK_HOME` if none is given.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) audit: Option<PathBuf>,

    /// Record nothing.
    #[arg(long, conflicts_with = "audit")]
    pub(crate) no_audit: bool,

    /// How much of the arguments is recorded.
    #[arg(long, value_name = "WHAT", default_value = "redacted")]
    pub(crate) audit_arguments: AuditArguments,

    /// A field of tools' arguments that is never recorded; may be given several times.
    #[arg(long, value_name = "TOOL:FIELD")]
    pub(crate) audit_hide: Vec<String>,

    /// When lines are forced to the disk.
    #[arg(long, value_name = "WHEN", default_value = "never")]
    pub(crate) audit_sync: AuditSync,

    /// What becomes of calls that cannot be recorded, because the audit cannot be written or was tampered with, in place
    /// of `fail` of the configuration. Where neither is given they are denied.
    #[arg(long, value_name = "WHAT")]
    pub(crate) audit_failure: Option<AuditFailure>,

    /// Size in bytes at which the audit continues in a new file; full files are kept.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub(crate) audit_rotate: u64,

    /// Most bytes of the audit and its full files together; without it there is no limit. Near the limit refused
    /// messages are only counted; at the limit `--audit-failure` applies. No file is ever removed.
    #[arg(long, value_name = "BYTES")]
    pub(crate) audit_budget: Option<u64>,

    /// Send heads of the audit to `file:PATH`, `syslog` or `command:PROGRAM ARGUMENTS`, so that a rewritten log is
    /// found; may be given several times.
    #[arg(long, value_name = "TARGET", conflicts_with = "no_audit")]
    pub(crate) head_to: Vec<HeadTarget>,

    /// Send a head at most this many seconds after a line was written.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, requires = "head_to", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) head_interval: u64,

    /// Send a head after this many lines, without waiting for the interval.
    #[arg(long, value_name = "LINES", default_value_t = 1_000, requires = "head_to", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) head_lines: u64,

    /// Count equal denials that follow each other, with one line a second.
    #[arg(long)]
    pub(crate) audit_count_denials: bool,

    /// Count calls by the sessions and threads that the client names in `_meta`, and let policies see a thread as the
    /// principal. A client can choose these names freely, another one for every call: only for a client that you trust to
    /// name them, such as Codex with several threads on one connection.
    #[arg(long)]
    pub(crate) trust_names: bool,

    /// Replace the result of a read-only tool by a short text where it is the same as before.
    #[arg(long)]
    pub(crate) say_unchanged: bool,

    /// The most bytes a message may have.
    #[arg(long, value_name = "BYTES", default_value_t = unstuck::event::MAX_LINE_BYTES)]
    pub(crate) max_message: usize,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    pub(crate) http: McpHttpArgs,

    /// The server's command and its arguments.
    #[arg(last = true, required_unless_present = "listen", value_name = "COMMAND", value_hint = clap::ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
}

/// How much of the arguments is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AuditArguments {
    /// What does not look like a secret.
    Redacted,
    /// Size and fingerprint only.
    None,
    /// Everything, secrets included.
    Raw,
}

/// When lines are forced to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AuditSync {
    /// When the system does it; only the end of the machine loses lines.
    Never,
    /// Once a second.
    Second,
    /// Before every call.
    Line,
}

/// What becomes of calls that cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AuditFailure {
    /// They do not run.
    Deny,
    /// They run.
    Allow,
}
