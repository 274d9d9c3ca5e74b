//! `install`, `uninstall` and `doctor`.

use std::path::PathBuf;

use clap::{
    Args as ClapArgs,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use unstuck_hosts::{Host, Scope};

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
    unstuck mode observe";

pub(super) const UNINSTALL_EXAMPLES: &str = "\
Examples:
  unstuck uninstall claude-code
  unstuck uninstall codex --scope project --dry-run";

pub(super) const DOCTOR_EXAMPLES: &str = "\
Examples:
  unstuck doctor
  unstuck doctor claude-code
  unstuck doctor --json | jq '.hosts[] | select(.healthy | not)'

Exit codes: 0 nothing is wrong, 1 something is, 2 the check itself failed.";

#[derive(Debug, ClapArgs)]
pub(crate) struct InstallArgs {
    /// The agents to guard.
    #[arg(required = true, value_name = "HOST", value_parser = hosts())]
    pub(crate) hosts: Vec<Host>,

    /// For whom: yourself everywhere, or everyone in this project.
    #[arg(long, value_name = "SCOPE", default_value = "user", value_parser = scopes())]
    pub(crate) scope: Scope,

    /// Do not ask.
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
pub(crate) struct UninstallArgs {
    /// The agents to guard no longer.
    #[arg(required = true, value_name = "HOST", value_parser = hosts())]
    pub(crate) hosts: Vec<Host>,

    /// For whom it was installed.
    #[arg(long, value_name = "SCOPE", default_value = "user", value_parser = scopes())]
    pub(crate) scope: Scope,

    /// Do not ask.
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
    super::hosts().try_map(|name| name.parse::<Host>())
}

fn scopes() -> impl TypedValueParser<Value = Scope> {
    let help = |scope| match scope {
        Scope::User => "the user's own files",
        Scope::Project => "files in the project, for everyone who works on it",
    };
    let names = Scope::ALL.map(|scope| PossibleValue::new(scope.name()).help(help(scope)));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Scope>())
}
