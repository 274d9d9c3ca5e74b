//! `unstuck install`: puts our hooks into hosts' files.

mod mcp;

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand, ValueHint};
use unstuck_hosts::{Host, Plan, Scope, StatusLine};

pub(super) use mcp::{ServerArgs, uninstall as uninstall_mcp};

use super::Run;
use crate::{
    args::{hosts, scopes},
    configuration,
    install::{
        Applied, Ask, Change, Place, Receipts, Replaces, apply, invocation, place_status_line, read,
    },
    notes, person,
    style::{CODE, HEADING, paint},
};

/// Guard a coding agent: put the hooks into its configuration.
///
/// Edits the agent's own configuration in place. Only what is needed is added: comments, order, layout and hooks of
/// others stay as they are. The change is shown first, and you are asked; without a terminal, add `--yes`. A backup is kept,
/// and `unstuck uninstall` takes out exactly what was added. Doing it again changes nothing, and after an update of unstuck it
/// brings the hooks up to date. A file that cannot be read is not touched.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "options of a command line that are there or not"
)]
pub(crate) struct InstallArgs {
    #[command(subcommand)]
    what: Option<InstallWhat>,

    /// Agents to guard, such as `claude-code`. `unstuck init` finds those that are on this machine.
    #[arg(required = true, value_name = "HOST", value_parser = hosts())]
    hosts: Vec<Host>,

    /// Whose files are changed: yours, for all projects, or those of this project, for everyone who works on it.
    #[arg(long, value_name = "SCOPE", default_value = "user", value_parser = scopes())]
    scope: Scope,

    /// Make the changes without asking. Required where there is no terminal to ask on.
    #[arg(long, short)]
    yes: bool,

    /// Show what would be changed, and change nothing.
    #[arg(long)]
    dry_run: bool,

    /// Print what belongs in the files, and change nothing.
    #[arg(long, conflicts_with = "dry_run")]
    print: bool,

    /// Show how the session is doing in the status line of Claude Code, too. A status line of your own is kept.
    #[arg(long)]
    statusline: bool,

    /// Program that the agent is to run, if not this one. A bare name such as `unstuck` is looked for on PATH.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath)]
    binary: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum InstallWhat {
    Mcp(mcp::InstallMcpArgs),
}

const EXAMPLES: &str = "\
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

  Show how the session is doing in the status line, too:
    unstuck install claude-code --statusline

  Put an MCP server behind the proxy:
    unstuck install mcp cursor files";

impl Run for InstallArgs {
    fn run(&self) -> Result<ExitCode> {
        match &self.what {
            Some(InstallWhat::Mcp(args)) => args.run(),
            None => install(self),
        }
    }
}

fn install(args: &InstallArgs) -> Result<ExitCode> {
    if args.statusline && args.hosts.iter().any(|host| *host != Host::ClaudeCode) {
        bail!("--statusline is for Claude Code; install the others without it");
    }
    let place = Place::here()?;
    let invocation = invocation(args.scope, args.binary.as_deref())?;
    let receipts = receipts()?;
    let mut code = ExitCode::SUCCESS;
    for &host in &args.hosts {
        let mut plan = place.plan(host, args.scope, &invocation);
        if args.statusline {
            plan = with_status_line(plan)?;
        }
        if args.print {
            print(&plan, &place)?;
            continue;
        }
        let changes = plan
            .files
            .iter()
            .filter_map(|file| Change::install(&plan, file, &receipts).transpose())
            .collect::<Result<Vec<_>>>()?;
        let mut out = anstream::stdout().lock();
        if changes.is_empty() {
            writeln!(out, "{}: the hooks are in place already", title(host))?;
            continue;
        }
        drop(out);
        // An install adds a guard, unless it puts another program in the place of one that works.
        let replaces = changes
            .iter()
            .any(|change| change.replaces == Replaces::Guard);
        if replaces && !args.dry_run {
            person::ensure()?;
        }
        match apply(&changes, &receipts, &place, ask(args.yes, args.dry_run))? {
            Applied::Done => installed(&plan)?,
            Applied::Declined => code = declined()?,
            Applied::Shown => {}
        }
    }
    Ok(code)
}

pub(super) fn receipts() -> Result<Receipts> {
    Ok(Receipts::at(configuration::state_dir()?.path("installs")))
}

/// The plan with a status line, and a note where there is one already.
fn with_status_line(mut plan: Plan) -> Result<Plan> {
    let mut files = Vec::new();
    for file in &plan.files {
        let current = read(&file.path)?.unwrap_or_default();
        if let Ok(Some(StatusLine::Foreign)) = file.status_line(&current) {
            notes::note(format_args!(
                "{} has a status line, which stays; it can run `unstuck statusline` (see `unstuck help statusline`)",
                file.path.display()
            ));
        }
        files.push(place_status_line(file, &plan)?);
    }
    plan.files = files;
    Ok(plan)
}

/// What belongs in the files, for those who write them themselves. Standard output is the content alone.
fn print(plan: &Plan, place: &Place) -> Result<()> {
    for file in &plan.files {
        let (mut out, mut err) = (io::stdout().lock(), anstream::stderr().lock());
        writeln!(err, "{}", paint(HEADING, &place.short(&file.path)))?;
        // Into an empty file everything fits.
        out.write_all(file.add(None, None)?.text.as_bytes())?;
        out.flush()?;
    }
    by_hand(plan, &mut anstream::stderr().lock())
}

pub(super) fn installed(plan: &Plan) -> Result<()> {
    if !notes::are_wanted() {
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    let host = plan.host;
    writeln!(out, "{}: the hooks are in place", title(host))?;
    by_hand(plan, &mut out)?;
    let (doctor, uninstall) = (
        paint(CODE, &format!("unstuck doctor {host}")),
        paint(CODE, &format!("unstuck uninstall {host}")),
    );
    writeln!(
        out,
        "See that they work: {doctor}; take them out: {uninstall}"
    )?;
    Ok(())
}

fn by_hand(plan: &Plan, out: &mut impl io::Write) -> Result<()> {
    for step in &plan.by_hand {
        writeln!(out, "- {step}")?;
    }
    Ok(())
}

pub(super) fn declined() -> Result<ExitCode> {
    writeln!(anstream::stdout().lock(), "nothing was changed")?;
    Ok(ExitCode::from(1))
}

pub(super) fn ask(yes: bool, dry_run: bool) -> Ask {
    match (yes, dry_run) {
        (_, true) => Ask::OnlyShow,
        (true, _) => Ask::Never,
        _ => Ask::OnTerminal,
    }
}

pub(super) fn title(host: Host) -> String {
    paint(HEADING, host.title())
}
