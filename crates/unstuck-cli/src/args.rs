//! The command line: options of all commands, help, and what is said about mistakes.

pub(crate) mod complete;
mod config;
mod general;
mod hosts;
mod mistakes;
mod output;
mod units;

pub(crate) use config::ConfigArgs;
pub(crate) use hosts::{client, host_names, hosts, scopes};
pub(crate) use mistakes::parse;
pub(crate) use output::{FileArgs, OutputArgs, TextOrJson, old};
pub(crate) use units::{Bytes, at_least_a_millisecond, at_least_a_second, interval};

use std::{fmt::Write as _, process::ExitCode};

use anyhow::{Context as _, Result};
use clap::{ArgMatches, Args as _, Command, CommandFactory as _, Parser, builder::StyledStr};

use crate::{
    commands::{self, Group},
    style::{self, CODE, HEADING, paint},
};
use general::GeneralArgs;

/// Keeps LLM agents from going in circles.
///
/// unstuck watches the calls of an agent and their results, and decides whether the agent still makes progress. Its
/// answer is one of four: allow, nudge (a text for the model), deny (this call is not run) or halt (the run ends).
///
/// What counts as a loop is decided by rules (`unstuck rules`), with thresholds from a preset and from `unstuck.toml`
/// files (`unstuck config show`).
#[derive(Debug, Parser)]
#[command(
    name = "unstuck",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    styles = style::HELP,
    max_term_width = 100,
    after_help = "\
Examples:
  Which runs of the agents on this machine got stuck in loops?
    unstuck scan

  Guard the coding agents on this machine, and see that they are guarded:
    unstuck init
    unstuck doctor

  Watch the agents that are at work now:
    unstuck top

  See which verdicts your agents got, and let a halted one continue:
    unstuck status
    unstuck reset SESSION

  Judge a recorded or running agent, one decision for each event:
    unstuck check < events.jsonl

  See which rules are on, and read about one of them:
    unstuck rules
    unstuck explain exact-repeat

  Check the configuration before it is used:
    unstuck config check

  See the verdicts your own agents would have got, and settings that fit them:
    unstuck tune recordings/

Exit codes:
  0    success
  1    a check found what it looks for (scan --fail-on, doctor, audit verify,
       policy check), or you declined a change
  2    something could not be used: a line, a file, an option
  130  interrupted by Ctrl-C

Environment:
  UNSTUCK_MODE  enforce, observe or off: overrides `unstuck mode` and all
                configuration files
  UNSTUCK_FAIL  open or closed: whether calls that cannot be judged are let
                through or denied; overrides `fail` of all configuration files
  UNSTUCK_HOME  directory for the state of hooks
  UNSTUCK_CONFIG_HOME
                directory of your own unstuck.toml
  NO_COLOR      switches colours off, unless --color says otherwise"
)]
struct Root {}

/// A command line that was understood.
pub(crate) struct Parsed {
    matches: ArgMatches,
}

impl Parsed {
    /// Applies the general options, and runs the command.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        GeneralArgs::of(&self.matches).apply();
        let (name, matches) = self.matches.subcommand().context("no command is named")?;
        let mut rows = commands::ALL.iter();
        let row = rows.find(|row| row.name == name);
        row.with_context(|| format!("there is no command `{name}`"))?
            .run(matches)
    }
}

/// The whole command line.
pub(crate) fn command() -> Command {
    let root = Root::command().subcommands(commands::ALL.iter().map(commands::Row::command));
    with_general(root).help_template(template())
}

/// Adds the general options to a command and to all commands below it.
fn with_general(command: Command) -> Command {
    GeneralArgs::augment_args(command).mut_subcommands(with_general)
}

/// The help of the whole command, with its commands in groups.
fn template() -> StyledStr {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let of = |wanted: Group| commands::ALL.iter().filter(move |row| row.group == wanted);
    for (group, title) in Group::LISTED {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n{}", paint(HEADING, &format!("{title}:")));
        for row in of(group) {
            let about = row.command().get_about().map(ToString::to_string);
            let name = paint(CODE, &format!("{:<11}", row.name));
            let _ = writeln!(text, "  {name}  {}", about.unwrap_or_default());
        }
    }
    let plumbing: Vec<_> = of(Group::Plumbing)
        .map(|row| paint(CODE, row.name))
        .collect();
    let _ = write!(
        text,
        "\nRun by other programs: {}\n`unstuck help COMMAND` explains a command.\n\n{}\n{{options}}{{after-help}}",
        plumbing.join(", "),
        paint(HEADING, "Options:"),
    );
    StyledStr::from(text)
}

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
