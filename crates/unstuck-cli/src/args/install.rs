//! `install`, `uninstall` and `doctor`.

use std::path::PathBuf;

use clap::{
    Args as ClapArgs, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use unstuck_hosts::{Host, McpClient, Scope};

pub(super) const INSTALL_EXAMPLES: &str = "\
Examples:
  Guard Claude Code in all your projects:
    unstuck install claude-code

  Guard everyone who works on this repository:
    unstuck install codex --scope project

  See what would be changed, or what to put into files that you manage yourself:
    unstuck install gemini-cli --dry-run
    unstuck install gemini-cli --print --binary unstuck

  Watch for a while without interfering:
    unstuck install claude-code
    unstuck mode observe

  Put an MCP server behind the proxy:
    unstuck install mcp cursor files";

pub(super) const UNINSTALL_EXAMPLES: &str = "\
Examples:
  unstuck uninstall claude-code
  unstuck uninstall codex --scope project --dry-run
  unstuck uninstall mcp cursor files";

const INSTALL_MCP_EXAMPLES: &str = "\
Examples:
  The server `files` of Cursor, wherever Cursor lists it:
    unstuck install mcp cursor files

  For everyone in this project, with another preset and policies:
    unstuck install mcp claude-code db --scope project -- \\
      --preset ironcurtain --policy db.cedar

  See what would be changed:
    unstuck install mcp codex files --dry-run

A server that the client reaches by a URL is not started by the client, so there
is no command to change. Run the proxy yourself, and give the client its
address:
    unstuck mcp --name files --listen 8790 --upstream https://example.com/mcp
    http://127.0.0.1:8790/mcp";

const UNINSTALL_MCP_EXAMPLES: &str = "\
Examples:
  unstuck uninstall mcp cursor files
  unstuck uninstall mcp claude-code db --scope project --dry-run";

pub(super) const DOCTOR_EXAMPLES: &str = "\
Examples:
  unstuck doctor
  unstuck doctor claude-code
  unstuck doctor --json | jq '.hosts[] | select(.healthy | not)'

Exit codes: 0 nothing is wrong, 1 something is, 2 the check itself failed.";

/// `--yes` where a person has to be there: agents must not remove their guard.
const UNINSTALL_YES: &str = "Make the changes without asking. A terminal is required all the same";

#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct InstallArgs {
    #[command(subcommand)]
    pub(crate) what: Option<InstallWhat>,

    /// The agents to guard.
    #[arg(required = true, value_name = "HOST", value_parser = hosts())]
    pub(crate) hosts: Vec<Host>,

    /// For whom: yourself everywhere, or everyone in this project.
    #[arg(long, value_name = "SCOPE", default_value = "user", value_parser = scopes())]
    pub(crate) scope: Scope,

    /// Make the changes without asking. Required where there is no terminal to ask on.
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Show what would be changed, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print what belongs into the files, and change nothing.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) print: bool,

    /// The program that the host is to run, if not this one. A bare name is looked for on PATH.
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::ExecutablePath)]
    pub(crate) binary: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct UninstallArgs {
    #[command(subcommand)]
    pub(crate) what: Option<UninstallWhat>,

    /// The agents to guard no longer.
    #[arg(required = true, value_name = "HOST", value_parser = hosts())]
    pub(crate) hosts: Vec<Host>,

    /// For whom it was installed.
    #[arg(long, value_name = "SCOPE", default_value = "user", value_parser = scopes())]
    pub(crate) scope: Scope,

    /// Make the changes without asking. A terminal is required all the same.
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Show what would be changed, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum InstallWhat {
    /// Put an MCP server of a client behind the proxy.
    ///
    /// Changes the server's entry in the client's configuration so that `unstuck mcp` starts it: the command becomes
    /// unstuck, and the command that stood there goes behind `--`. Comments, layout, environment and the server's name
    /// stay. The change is shown first, and you are asked; without a terminal, add `--yes`. A backup is kept. Restart the
    /// client afterwards.
    #[command(after_help = INSTALL_MCP_EXAMPLES)]
    Mcp(InstallMcpArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum UninstallWhat {
    /// Take an MCP server out from behind the proxy.
    ///
    /// The entry becomes what it was, to the byte if nobody changed it since.
    #[command(after_help = UNINSTALL_MCP_EXAMPLES, mut_arg("yes", |yes| yes.help(UNINSTALL_YES)))]
    Mcp(ServerArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InstallMcpArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,

    /// The program that the client is to run, if not this one. A bare name is looked for on PATH.
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::ExecutablePath)]
    pub(crate) binary: Option<PathBuf>,

    /// Options for `unstuck mcp`.
    #[arg(last = true, value_name = "OPTIONS")]
    pub(crate) options: Vec<String>,
}

/// A server of a client.
#[derive(Debug, ClapArgs)]
pub(crate) struct ServerArgs {
    /// The client.
    #[arg(value_name = "CLIENT", value_parser = clients())]
    pub(crate) client: McpClient,

    /// The server, as the client's configuration names it.
    #[arg(value_name = "SERVER")]
    pub(crate) server: String,

    /// Only in the user's own files, or only in those of this project; both are looked at unless given.
    #[arg(long, value_name = "SCOPE", value_parser = scopes())]
    pub(crate) scope: Option<Scope>,

    /// Make the changes without asking. Required where there is no terminal to ask on.
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Show what would be changed, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DoctorArgs {
    /// The agents to look at; every one that is found here if none is named.
    #[arg(value_name = "HOST", value_parser = hosts())]
    pub(crate) hosts: Vec<Host>,

    /// Write JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

fn hosts() -> impl TypedValueParser<Value = Host> {
    super::hook::hosts().try_map(|name| name.parse::<Host>())
}

fn clients() -> impl TypedValueParser<Value = McpClient> {
    let names =
        McpClient::all().map(|client| PossibleValue::new(client.name()).help(client.title()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<McpClient>())
}

fn scopes() -> impl TypedValueParser<Value = Scope> {
    let help = |scope| match scope {
        Scope::User => "the user's own files",
        Scope::Project => "files in the project, for everyone who works on it",
    };
    let names = Scope::ALL.map(|scope| PossibleValue::new(scope.name()).help(help(scope)));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Scope>())
}
