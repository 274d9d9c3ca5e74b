//! `unstuck allow`: a tool that is not watched from here on.

use std::{env, fmt::Write as _, io::Write as _, process::ExitCode};

use anyhow::{Context as _, Result, bail};
use unstuck_config::{Diagnostic, foreign_pattern};
use unstuck_session::{Exemption, StateDir};
use unstuck_text::Shown;

use crate::{args::AllowArgs, configuration, person, style};

pub(crate) fn run(args: &AllowArgs) -> Result<ExitCode> {
    let home = configuration::state_dir()?;
    let Some(tool) = &args.tool else {
        list(&home)?;
        return Ok(ExitCode::SUCCESS);
    };
    person::ensure_or("set UNSTUCK_MODE or write your own unstuck.toml")?;
    if args.remove {
        if home.disallow(tool)? == 0 {
            bail!("`{tool}` was not allowed; `unstuck allow` lists what is");
        }
        writeln!(
            anstream::stdout(),
            "`{}` is watched again",
            Shown::line(tool)
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(help) = foreign_pattern(tool) {
        let message = format!("`{tool}` matches only a tool of exactly that name");
        let warning = Diagnostic::warning(
            message,
            help.replace("`[[tools]]` entry", "`unstuck allow`"),
        );
        anstream::eprintln!("{}", style::diagnostic(&warning));
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
    writeln!(anstream::stdout(), "{}", describe(&allowance))?;
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
