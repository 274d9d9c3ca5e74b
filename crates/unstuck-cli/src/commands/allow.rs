//! `unstuck allow`: a tool that is not watched from here on.

use std::{env, fmt::Write as _, io::Write as _, process::ExitCode};

use anyhow::{Context as _, Result, bail};
use clap::Args as ClapArgs;
use clap_complete::ArgValueCandidates;
use unstuck_config::{Diagnostic, foreign_pattern};
use unstuck_session::{Exemption, StateDir};
use unstuck_text::Shown;

use super::Run;
use crate::{args::complete, configuration, notes, person, style};

/// Stop watching a tool.
///
/// Calls of the tool neither count nor are denied, from the next call on. Without a tool it lists what was allowed.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck allow 'mcp__*__sleep'
  unstuck allow Bash --session 844a24d0
  unstuck allow Bash --here
  unstuck allow Bash --remove")]
pub(crate) struct AllowArgs {
    /// Name of the tool, such as `Bash`; `*` stands for any run of characters. Without it, lists what is allowed.
    #[arg(value_name = "TOOL", add = ArgValueCandidates::new(complete::tools))]
    tool: Option<String>,

    /// Only in this session; how its name begins is enough. `unstuck sessions` lists them.
    #[arg(long, value_name = "SESSION", requires = "tool", add = ArgValueCandidates::new(complete::sessions))]
    session: Option<String>,

    /// Only for agents that work in the current directory or below.
    #[arg(long, requires = "tool")]
    here: bool,

    /// Watch the tool again: takes back everything that was allowed for it.
    #[arg(long, requires = "tool", conflicts_with_all = ["session", "here"])]
    remove: bool,
}

impl Run for AllowArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &AllowArgs) -> Result<ExitCode> {
    let home = configuration::state_dir()?;
    let Some(tool) = &args.tool else {
        list(&home)?;
        return Ok(ExitCode::SUCCESS);
    };
    if tool.trim().is_empty() {
        bail!("a tool's name is missing; `*` stands for any run of characters");
    }
    person::ensure_or("set UNSTUCK_MODE or write your own unstuck.toml")?;
    if args.remove {
        if home.disallow(tool)? == 0 {
            bail!("`{tool}` was not allowed; `unstuck allow` lists what is");
        }
        notes::confirm(format_args!("`{}` is watched again", Shown::line(tool)))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(help) = foreign_pattern(tool) {
        let message = format!("`{tool}` matches only a tool of exactly that name");
        let warning = Diagnostic::warning(
            message,
            help.replace("`[[tools]]` entry", "`unstuck allow`"),
        );
        notes::print(style::diagnostic(&warning));
    }
    let session = match &args.session {
        Some(prefix) => Some(home.find_session(prefix)?.name),
        None => None,
    };
    let directory = if args.here {
        let here = env::current_dir().context("cannot tell the current directory")?;
        Some(here.display().to_string())
    } else {
        None
    };
    let allowance = Exemption {
        tool: tool.clone(),
        session,
        directory,
    };
    home.allow(&allowance)?;
    notes::confirm(describe(&allowance))?;
    Ok(ExitCode::SUCCESS)
}

fn list(home: &StateDir) -> Result<()> {
    let allowances = home.exemptions();
    if allowances.is_empty() {
        writeln!(
            anstream::stdout(),
            "every tool is watched; `unstuck allow TOOL` exempts one"
        )?;
    }
    for allowance in allowances {
        writeln!(anstream::stdout(), "{}", describe(&allowance))?;
    }
    Ok(())
}

pub(crate) fn describe(allowance: &Exemption) -> String {
    let mut text = format!("`{}` is not watched", Shown::line(&allowance.tool));
    if let Some(session) = &allowance.session {
        let _ = write!(text, " in the session {}", Shown::line(session));
    }
    if let Some(directory) = &allowance.directory {
        let _ = write!(text, " below {}", Shown::line(directory));
    }
    text
}
