//! Arguments of `unstuck mcp`.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::Args as ClapArgs;
use unstuck_audit::HeadTarget;

use super::http_args::McpHttpArgs;
use crate::args::{Bytes, ConfigArgs, at_least_a_second};

const EXAMPLES: &str = r#"Examples:
  In a client's configuration, instead of `npx some-server`:
    unstuck mcp --name files -- npx some-server

  Only the circuit breaker: 20 equal calls in 60 seconds:
    unstuck mcp --preset ironcurtain -- npx some-server

  With policies, and an audit in a place of your own:
    unstuck mcp --name db --policy db.cedar --audit db.jsonl -- ./db-server

  A policy file that permits everything but deletions at night:
    permit (principal, action, resource);
    forbid (principal, action, resource == Tool::"db/delete")
    when { context.time.hour < 6 };

  For clients that connect over HTTP, to http://127.0.0.1:8080/mcp:
    unstuck mcp --listen 8080 --name tracker --upstream https://example.com/mcp
    unstuck mcp --listen 8080 --name files -- npx some-server

  Several servers, each at /NAME/mcp, from a file with `mcpServers`:
    unstuck mcp --listen 8080 --config servers.json

The exit code is the server's, or 2 where it could not be started; with --listen
it is 0."#;

/// Run an MCP server behind a guard.
///
/// Stands between an MCP client and the server that the command after `--` starts. Messages pass as they are. Every
/// tool call is judged first, by the policies and then by the rules, and recorded; a call that is denied does not
/// reach the server, and the model gets the reason. The command is run as it is written, never by a shell; its standard
/// error, its exit code and signals are passed on.
///
/// Policies are written in Cedar. Without `--policy`, the file `policy.cedar` beside the user's `unstuck.toml`
/// applies; until there is one, every call is permitted. An edited file applies within two seconds; an invalid one
/// is reported, and the last valid one stays in force. `unstuck policy check` tries policies on a call.
///
/// Tools are called `SERVER__TOOL` in settings and in the rules' words.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(crate) struct McpArgs {
    /// Name of the server, as settings, policies and the audit call it; the name of its program unless given.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// File of policies in Cedar; `policy.cedar` beside the user's `unstuck.toml` unless given.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) policy: Option<PathBuf>,

    /// Largest size of a call's arguments that policies read; a call with more is denied. One value is read for each
    /// 64 bytes. Arguments that no policy mentions are not limited. Plain numbers are bytes.
    #[arg(long, value_name = "SIZE", default_value_t = Bytes(unstuck_mcp::POLICY_ARGUMENTS as u64))]
    pub(crate) max_policy_arguments: Bytes,

    /// File in which calls are recorded; `audit/NAME.jsonl` in the state directory (`UNSTUCK_HOME`) unless given.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) audit: Option<PathBuf>,

    /// Keep no audit: calls are judged, and not recorded.
    #[arg(long, conflicts_with = "audit")]
    pub(crate) no_audit: bool,

    /// How much of a call's arguments the audit records.
    #[arg(long, value_name = "WHAT", default_value = "redacted")]
    pub(crate) audit_arguments: AuditArguments,

    /// Argument that is never recorded, such as `db__query:password`; `*` stands for any run of characters in the tool.
    /// May be repeated.
    #[arg(long, value_name = "TOOL:FIELD")]
    pub(crate) audit_hide: Vec<String>,

    /// When lines of the audit are forced to the disk.
    #[arg(long, value_name = "WHEN", default_value = "never")]
    pub(crate) audit_sync: AuditSync,

    /// What becomes of calls that cannot be recorded, because the audit cannot be written or was tampered with, in place
    /// of `fail` of the configuration. Where neither is given they are denied.
    #[arg(long, value_name = "WHAT")]
    pub(crate) audit_failure: Option<AuditFailure>,

    /// Size at which the audit continues in a new file, such as 64MiB; plain numbers are bytes. Full files are kept.
    #[arg(long, value_name = "SIZE", default_value_t = Bytes(64 << 20))]
    pub(crate) audit_rotate: Bytes,

    /// Largest size of the audit and its full files together, such as 2GiB; without it there is no limit. Near the limit
    /// refused messages are only counted; at the limit `--audit-failure` applies. No file is ever removed.
    #[arg(long, value_name = "SIZE")]
    pub(crate) audit_budget: Option<Bytes>,

    /// Send heads of the audit to `file:PATH`, `syslog` or `command:PROGRAM ARGUMENTS`, so that a rewritten log is
    /// found. May be repeated.
    #[arg(long, value_name = "TARGET", conflicts_with = "no_audit")]
    pub(crate) head_to: Vec<HeadTarget>,

    /// Send a head at most this long after a line was written, such as 10s or 1m; plain numbers are seconds.
    #[arg(long, value_name = "TIME", default_value = "10s", requires = "head_to", value_parser = at_least_a_second)]
    pub(crate) head_interval: Duration,

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

    /// Largest size of a message, such as 16MiB; larger ones are refused. Plain numbers are bytes.
    #[arg(long, value_name = "SIZE", default_value_t = Bytes(unstuck::event::MAX_LINE_BYTES as u64))]
    pub(crate) max_message: Bytes,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    pub(crate) http: McpHttpArgs,

    /// Command that starts the server, with its arguments; not read by a shell.
    #[arg(last = true, required_unless_present = "listen", value_name = "COMMAND", value_hint = clap::ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
}

/// How much of the arguments is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AuditArguments {
    /// Values that do not look like a secret.
    Redacted,
    /// Size and fingerprint only.
    None,
    /// Everything, secrets included.
    Raw,
}

/// When lines are forced to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AuditSync {
    /// When the system does it: only a crash of the machine loses lines.
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
