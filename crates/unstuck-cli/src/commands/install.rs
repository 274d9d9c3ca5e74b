//! `unstuck install` and `unstuck uninstall`: our hooks into hosts' files, and out again.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Result;
use unstuck_hosts::{Host, Plan};

use crate::{
    args::{InstallArgs, InstallWhat, UninstallArgs, UninstallWhat},
    commands::install_mcp,
    configuration,
    install::{Applied, Ask, Change, Place, Receipts, Replaces, apply, invocation},
    person,
    style::{CODE, HEADING, paint},
};

pub(crate) fn install(args: &InstallArgs) -> Result<ExitCode> {
    if let Some(InstallWhat::Mcp(args)) = &args.what {
        return install_mcp::install(args);
    }
    let place = Place::here()?;
    let invocation = invocation(args.scope, args.binary.as_deref())?;
    let receipts = receipts()?;
    let mut code = ExitCode::SUCCESS;
    for &host in &args.hosts {
        let plan = place.plan(host, args.scope, &invocation);
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

pub(crate) fn uninstall(args: &UninstallArgs) -> Result<ExitCode> {
    if let Some(UninstallWhat::Mcp(args)) = &args.what {
        return install_mcp::uninstall(args);
    }
    if !args.dry_run {
        person::ensure()?;
    }
    let place = Place::here()?;
    let invocation = invocation(args.scope, None)?;
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
        match apply(&changes, &receipts, &place, ask(args.yes, args.dry_run))? {
            Applied::Done => {
                let kept = place.short(&configuration::state_dir()?.path("installs"));
                writeln!(
                    anstream::stdout().lock(),
                    "{title}: the hooks are gone; backups of changed files stay in {kept}"
                )?;
            }
            Applied::Declined => code = declined()?,
            Applied::Shown => {}
        }
    }
    Ok(code)
}

pub(crate) fn receipts() -> Result<Receipts> {
    Ok(Receipts::at(configuration::state_dir()?.path("installs")))
}

/// What belongs into the files, for those who write them themselves. Standard output is the content alone.
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

fn installed(plan: &Plan) -> Result<()> {
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

fn title(host: Host) -> String {
    paint(HEADING, host.title())
}
