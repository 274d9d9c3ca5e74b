//! `unstuck init`: guards what is on this machine, and starts a configuration.

mod starter;

use std::{io::Write, process::ExitCode};

use anyhow::Result;
use clap::Args as ClapArgs;
use unstuck_hosts::{Access, Host, Invocation, Plan, Scope};
use unstuck_scan::known_places;
use unstuck_session::configuration::{of_files, user_file};
use unstuck_text::Shown;
use unstuck_transcript::Format;

pub(super) use starter::starter_files;

use super::{
    Run,
    install::{ask, copy_step, declined, due_copy, receipts, replaces},
};
use crate::{
    doctor,
    install::{Applied, Backup, Change, Direction, Place, Receipts, Replaces, apply, invocation},
    notes, person,
    style::{CODE, HEADING, WARNING, paint},
};

/// Guard the agents on this machine, and start a configuration.
///
/// Looks for coding agents and for their transcripts. For each agent that is found it proposes what `unstuck install`
/// would change, and for your own `unstuck.toml`, where you have none, a file that explains the settings and changes none of
/// them, with its schema beside it for editors. All changes are shown first, and you are asked; without a terminal, add
/// `--yes`. No file of yours is overwritten, and doing it again changes nothing.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck init
  unstuck init --dry-run
  unstuck init --yes")]
pub(crate) struct InitArgs {
    /// Make the changes without asking. Required where there is no terminal to ask on.
    #[arg(long, short)]
    yes: bool,

    /// Show what would be changed, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

/// An agent on this machine, and what an install would change for it.
struct Agent {
    host: Host,
    signs: Vec<String>,
    plan: Plan,
    changes: Result<Vec<Change>>,
}

impl Run for InitArgs {
    fn run(&self) -> Result<ExitCode> {
        let place = Place::here()?;
        let receipts = receipts()?;
        let invocation = invocation(&place, Scope::User, None)?;
        let agents = agents(&invocation, &place, &receipts);
        let mut out = anstream::stdout().lock();
        if notes::are_wanted() {
            print(&mut out, &agents, &place)?;
        }
        let mut code = ExitCode::SUCCESS;
        let has_agents = agents.iter().any(|agent| agent.changes.is_ok());
        let mut changes = Vec::new();
        let mut plans = Vec::new();
        for agent in agents {
            match agent.changes {
                Ok(made) if made.is_empty() => {}
                Ok(made) => {
                    changes.extend(made);
                    plans.push(agent.plan);
                }
                Err(error) => {
                    let title = agent.host.title();
                    let error = Shown::lines(format!("{error:#}")).to_string();
                    anstream::eprintln!("{} {title}: {error}", paint(WARNING, "warning:"));
                    code = ExitCode::from(2);
                }
            }
        }
        // Without an agent that runs it a copy would be of no use.
        let due = if has_agents {
            due_copy(&place, Scope::User, None)?
        } else {
            None
        };
        changes.extend(starter());
        if changes.is_empty() && due.is_none() {
            writeln!(out, "Nothing to change.")?;
            return Ok(code);
        }
        if replaces(&changes, due.as_ref(), &place, &receipts) && !self.dry_run {
            person::ensure()?;
        }
        drop(out);
        let step = copy_step(due.as_ref(), &invocation, &changes, &place, &receipts);
        let ask = ask(self.yes, self.dry_run);
        match apply(&changes, step, &receipts, &place, ask)? {
            Applied::Done => done(&plans)?,
            Applied::Declined => return declined(),
            Applied::Shown => {}
        }
        Ok(code)
    }
}

fn agents(invocation: &Invocation, place: &Place, receipts: &Receipts) -> Vec<Agent> {
    let mut found = Vec::new();
    for &host in &Host::ALL {
        let signs = doctor::signs(host, place);
        if signs.is_empty() {
            continue;
        }
        let plan = place.plan(host, Scope::User, invocation);
        let changes = plan
            .files
            .iter()
            .filter_map(|file| Change::install(&plan, file, receipts, place).transpose())
            .collect();
        found.push(Agent {
            host,
            signs,
            plan,
            changes,
        });
    }
    found
}

/// Files that start a configuration, where there is none.
fn starter() -> Vec<Change> {
    let Some(file) = user_file().filter(|file| !file.exists()) else {
        return Vec::new();
    };
    let files = starter_files(&file).into_iter();
    files
        .filter(|(path, _)| !path.exists())
        .map(|(path, text)| Change {
            path,
            before: None,
            after: Some(text),
            access: Access::Data,
            backup: Backup::Needless,
            direction: Direction::Create,
            replaces: Replaces::Nothing,
        })
        .collect()
}

fn print(out: &mut impl Write, agents: &[Agent], place: &Place) -> Result<()> {
    writeln!(out, "{}", paint(HEADING, "Agents on this machine:"))?;
    if agents.is_empty() {
        writeln!(out, "  none that unstuck knows")?;
    }
    for agent in agents {
        let state = match &agent.changes {
            Ok(changes) if changes.is_empty() => "guarded",
            Ok(changes)
                if changes
                    .iter()
                    .any(|change| change.replaces == Replaces::Guard) =>
            {
                "guarded by another version"
            }
            Ok(_) => "not guarded",
            Err(_) => "its configuration cannot be read",
        };
        let signs = agent.signs.join(", ");
        writeln!(out, "  {:<20} {state}  ({signs})", agent.host.title())?;
    }
    writeln!(out, "{}", paint(HEADING, "Transcripts:"))?;
    let mut places = known_places()?;
    places.retain(|known| known.format.parse::<Format>().is_ok() && known.path.exists());
    if places.is_empty() {
        writeln!(out, "  none where known agents keep them")?;
    }
    for known in places {
        writeln!(out, "  {:<20} {}", known.title(), place.short(&known.path))?;
    }
    if let Some(file) = user_file().filter(|file| file.exists()) {
        writeln!(out, "{}", paint(HEADING, "Configuration:"))?;
        let is_sound = of_files(&[&file], None).is_ok_and(|(_, loaded)| loaded.is_ok());
        let mistakes = if is_sound {
            ""
        } else {
            "  has mistakes and is ignored: unstuck config check"
        };
        writeln!(out, "  {}{mistakes}", place.short(&file))?;
    }
    writeln!(out)?;
    Ok(())
}

fn done(plans: &[Plan]) -> Result<()> {
    if !notes::are_wanted() {
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    for plan in plans {
        let title = paint(HEADING, plan.host.title());
        writeln!(out, "{title}: the hooks are in place")?;
        for step in &plan.by_hand {
            writeln!(out, "- {step}")?;
        }
    }
    for (what, command) in [
        ("See that the guard works", "unstuck doctor"),
        ("Look at recorded runs", "unstuck scan"),
        ("Change settings", "unstuck config edit"),
    ] {
        writeln!(out, "{what}: {}", paint(CODE, command))?;
    }
    Ok(())
}
