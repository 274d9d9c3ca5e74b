//! `unstuck uninstall`: takes our hooks out of hosts' files.

use std::{io::Write as _, process::ExitCode};

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use unstuck_hosts::{Host, Scope};

use super::{
    Run,
    install::{ServerArgs, ask, declined, receipts, title, uninstall_mcp},
};
use crate::{
    args::{hosts, scopes},
    configuration,
    install::{Applied, Change, Place, apply, invocation},
    notes, person,
};

/// Take the hooks out of an agent's configuration.
///
/// Removes what `unstuck install` added and nothing else. Files that were not changed since are the same as before,
/// to the byte; files that were made for the hooks are gone, and so is the copy of unstuck in your data directory when no agent
/// runs it any more. A line that runs the hook among other things is yours and
/// stays. Runs only in a terminal, and not for an agent.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct UninstallArgs {
    #[command(subcommand)]
    what: Option<UninstallWhat>,

    /// Agents to guard no longer, such as `claude-code`.
    #[arg(required = true, value_name = "HOST", value_parser = hosts())]
    hosts: Vec<Host>,

    /// Whose files the hooks are in: yours, or those of this project.
    #[arg(long, value_name = "SCOPE", default_value = "user", value_parser = scopes())]
    scope: Scope,

    /// Make the changes without asking. A terminal is required all the same.
    #[arg(long, short)]
    yes: bool,

    /// Show what would be changed, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Subcommand)]
enum UninstallWhat {
    /// Take an MCP server out from behind the proxy.
    ///
    /// The entry becomes what it was, to the byte if it was not changed since.
    #[command(after_help = MCP_EXAMPLES, mut_arg("yes", |yes| yes.help(YES)))]
    Mcp(ServerArgs),
}

/// `--yes` where a person has to be there: agents must not remove their guard.
const YES: &str = "Make the changes without asking. A terminal is required all the same";

const EXAMPLES: &str = "\
Examples:
  unstuck uninstall claude-code
  unstuck uninstall codex --scope project --dry-run
  unstuck uninstall mcp cursor files";

const MCP_EXAMPLES: &str = "\
Examples:
  unstuck uninstall mcp cursor files
  unstuck uninstall mcp claude-code db --scope project --dry-run";

impl Run for UninstallArgs {
    fn run(&self) -> Result<ExitCode> {
        match &self.what {
            Some(UninstallWhat::Mcp(args)) => uninstall_mcp(args),
            None => uninstall(self),
        }
    }
}

fn uninstall(args: &UninstallArgs) -> Result<ExitCode> {
    if !args.dry_run {
        person::ensure()?;
    }
    let place = Place::here()?;
    let invocation = invocation(&place, args.scope, None)?;
    let receipts = receipts()?;
    let mut code = ExitCode::SUCCESS;
    for &host in &args.hosts {
        let plan = place.everything(host, args.scope, &invocation);
        let changes = plan
            .files
            .iter()
            .filter_map(|file| Change::uninstall(&plan, file, &receipts).transpose())
            .collect::<Result<Vec<_>>>()?;
        let title = title(host);
        let mut out = anstream::stdout().lock();
        if changes.is_empty() {
            let scope = args.scope;
            writeln!(out, "unstuck is not installed for {title} ({scope} scope)")?;
            continue;
        }
        drop(out);
        let step = place.copy().step_after(&changes, &place, &receipts);
        match apply(
            &changes,
            step,
            &receipts,
            &place,
            ask(args.yes, args.dry_run),
        )? {
            Applied::Done => {
                let kept = place.short(&configuration::state_dir()?.path("installs"));
                notes::confirm(format_args!(
                    "{title}: the hooks are gone; backups of changed files stay in {kept}"
                ))?;
            }
            Applied::Declined => code = declined()?,
            Applied::Shown => {}
        }
    }
    Ok(code)
}
