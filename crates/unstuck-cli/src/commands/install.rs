//! `unstuck install`: puts our hooks into hosts' files.

mod mcp;

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand, ValueHint};
use unstuck_hosts::{Host, Invocation, Plan, Scope, StatusLine};
use unstuck_text::Shown;

pub(super) use mcp::{ServerArgs, uninstall as uninstall_mcp};

use super::Run;
use crate::{
    args::{hosts, scopes},
    configuration,
    install::{
        Applied, Ask, Change, Comparison, CopyStep, Place, Receipts, Refresh, Replaces, Unfit,
        apply, comparison, find_program, invocation, place_status_line, read,
    },
    notes, person, program,
    style::{CODE, HEADING, paint},
};

/// Guard a coding agent: put the hooks into its configuration.
///
/// Edits the agent's own configuration in place. Only what is needed is added: comments, order, layout and hooks of
/// others stay as they are. The change is shown first, and you are asked; without a terminal, add `--yes`. A backup is kept,
/// and `unstuck uninstall` takes out exactly what was added. Doing it again changes nothing, and after an update of unstuck it
/// brings the hooks up to date. A file that cannot be read is not touched.
///
/// The hooks name the program itself, never a launcher. If the program is where it does not last (npx, uvx, `node_modules`, a
/// virtual environment, a build directory), it is copied into your data directory first, and the hooks run the copy.
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
    let chosen = args.binary.as_deref();
    if let Some(chosen) = chosen {
        note_unfit(chosen, &place);
    }
    let invocation = invocation(&place, args.scope, chosen)?;
    let receipts = receipts()?;
    let mut due = due_copy(&place, args.scope, chosen)?;
    let mut code = ExitCode::SUCCESS;
    for &host in &args.hosts {
        let mut plan = place.plan(host, args.scope, &invocation);
        if args.statusline {
            plan = with_status_line(plan, &place)?;
        }
        if args.print {
            print(&plan, &place)?;
            continue;
        }
        let changes = plan
            .files
            .iter()
            .filter_map(|file| Change::install(&plan, file, &receipts, &place).transpose())
            .collect::<Result<Vec<_>>>()?;
        if changes.is_empty() && due.is_none() {
            let mut out = anstream::stdout().lock();
            writeln!(out, "{}: the hooks are in place already", title(host))?;
            continue;
        }
        // An install adds a guard, unless it puts another program in the place of one that works.
        if replaces(&changes, due.as_ref(), &place, &receipts) && !args.dry_run {
            person::ensure()?;
        }
        let step = copy_step(due.as_ref(), &invocation, &changes, &place, &receipts);
        match apply(
            &changes,
            step,
            &receipts,
            &place,
            ask(args.yes, args.dry_run),
        )? {
            Applied::Done => {
                due = None;
                installed(&plan)?;
            }
            Applied::Declined => code = declined()?,
            Applied::Shown => due = None,
        }
    }
    Ok(code)
}

/// The copy that has to be made or replaced before agents run it. One that is newer stays, which is said.
pub(super) fn due_copy(
    place: &Place,
    scope: Scope,
    chosen: Option<&Path>,
) -> Result<Option<Refresh>> {
    match comparison(place, scope, chosen)? {
        Some(Comparison::Due(refresh)) => Ok(Some(refresh)),
        Some(Comparison::Newer(version)) => {
            notes::note(format_args!(
                "agents run {}, which is version {} and newer than this one ({}); it stays. To go back, remove it first",
                place.short(&place.copy().command()),
                Shown::line(version),
                env!("CARGO_PKG_VERSION"),
            ));
            Ok(None)
        }
        Some(Comparison::Current) | None => Ok(None),
    }
}

/// Whether a guard that works gets another program.
pub(super) fn replaces(
    changes: &[Change],
    due: Option<&Refresh>,
    place: &Place,
    receipts: &Receipts,
) -> bool {
    let replaces = |change: &Change| change.replaces == Replaces::Guard;
    let is_run = |due: &Refresh| due.replaces() && due.copy().is_used(place, receipts, &[]);
    changes.iter().any(replaces) || due.is_some_and(is_run)
}

/// What becomes of the copy: one that no agent runs once these changes are made is removed.
pub(super) fn copy_step<'a>(
    due: Option<&'a Refresh>,
    invocation: &Invocation,
    changes: &[Change],
    place: &'a Place,
    receipts: &Receipts,
) -> CopyStep<'a> {
    let copy = place.copy();
    match due {
        Some(due) => CopyStep::Refresh(due),
        None if changes.is_empty() || copy.holds(Path::new(&invocation.program)) => CopyStep::Keep,
        None => copy.step_after(changes, place, receipts),
    }
}

/// A program that was chosen is registered, whatever it is.
pub(super) fn note_unfit(chosen: &Path, place: &Place) {
    let program = chosen.to_str().and_then(find_program);
    if let Some(unfit) = program.and_then(|program| Unfit::of(&program, place.home())) {
        notes::note(format_args!(
            "{} {unfit}; without --binary a path that lasts is registered",
            Shown::line(chosen.display())
        ));
    }
}

pub(super) fn receipts() -> Result<Receipts> {
    Ok(Receipts::at(configuration::state_dir()?.path("installs")))
}

/// The plan with a status line, and a note where there is one already.
fn with_status_line(mut plan: Plan, place: &Place) -> Result<Plan> {
    let mut files = Vec::new();
    for file in &plan.files {
        let current = read(&file.path)?.unwrap_or_default();
        if let Ok(Some(StatusLine::Foreign)) = file.status_line(&current) {
            notes::note(format_args!(
                "{} has a status line, which stays; it can run `unstuck statusline` (see `unstuck help statusline`)",
                file.path.display()
            ));
        }
        files.push(place_status_line(file, &plan, place)?);
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
        paint(CODE, &program::command(&format!("doctor {host}"))),
        paint(CODE, &program::command(&format!("uninstall {host}"))),
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
