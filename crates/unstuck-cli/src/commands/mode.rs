//! `unstuck mode`: the switch.

use std::{env, io::Write as _, process::ExitCode};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use unstuck::Mode;
use unstuck_session::{MODE_VARIABLE, ModeFrom, StateDir, mode_name};

use super::Run;
use crate::{configuration, notes, person};

/// Switch the guard off, on, or to observing.
///
/// Applies to all hooks from the next call on. `UNSTUCK_MODE` overrides it. Without an argument, prints the current mode.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck mode off
  unstuck mode observe
  unstuck mode default
  UNSTUCK_MODE=off claude")]
pub(crate) struct ModeArgs {
    /// What hooks do from the next call on, and running proxies within a second.
    #[arg(value_name = "MODE")]
    mode: Option<ModeWord>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ModeWord {
    /// Nudge, deny and halt.
    Enforce,
    /// Decide and record, but let everything pass.
    Observe,
    /// Do nothing.
    Off,
    /// The mode of the configuration.
    Default,
}

impl Run for ModeArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &ModeArgs) -> Result<ExitCode> {
    let home = configuration::state_dir()?;
    if let Some(word) = args.mode {
        person::ensure_or("set UNSTUCK_MODE or write your own unstuck.toml")?;
        home.switch(match word {
            ModeWord::Enforce => Some(Mode::Enforce),
            ModeWord::Observe => Some(Mode::Observe),
            ModeWord::Off => Some(Mode::Off),
            ModeWord::Default => None,
        })?;
        notes::confirm(in_effect(&home)?)?;
    } else {
        writeln!(anstream::stdout(), "{}", in_effect(&home)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The mode of the next hook, and what sets it.
pub(crate) fn in_effect(home: &StateDir) -> Result<String> {
    let (mode, by) = found(home)?;
    Ok(format!("{} ({by})", mode_name(mode)))
}

/// The mode of the next hook.
pub(super) fn name(home: &StateDir) -> Result<&'static str> {
    Ok(mode_name(found(home)?.0))
}

/// What sets the mode of the next hook.
pub(super) fn set_by(home: &StateDir) -> Result<String> {
    Ok(found(home)?.1)
}

fn found(home: &StateDir) -> Result<(Mode, String)> {
    Ok(match home.mode()? {
        ModeFrom::Environment(mode) => (mode, format!("by {MODE_VARIABLE}")),
        ModeFrom::Switch(mode) => (mode, "by `unstuck mode`".to_owned()),
        ModeFrom::Configuration => {
            let here = env::current_dir().ok();
            let configuration = unstuck_session::configuration::of_hook(here.as_deref(), home)?;
            let mode = configuration.settings.mode;
            let by = if mode == Mode::Enforce {
                "default"
            } else {
                "by the configuration"
            };
            (mode, by.to_owned())
        }
    })
}
