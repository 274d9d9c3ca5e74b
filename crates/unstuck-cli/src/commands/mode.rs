//! `unstuck mode`: the switch.

use std::{env, io::Write as _, process::ExitCode};

use anyhow::Result;
use unstuck::Mode;
use unstuck_session::{MODE_VARIABLE, ModeFrom, StateDir, configuration::Applied, mode_name};

use crate::{
    args::{ModeArgs, ModeWord},
    configuration, person,
};

pub(crate) fn run(args: &ModeArgs) -> Result<ExitCode> {
    let home = configuration::state_dir()?;
    if let Some(word) = args.mode {
        person::ensure_or("set UNSTUCK_MODE or write your own unstuck.toml")?;
        home.switch(match word {
            ModeWord::Enforce => Some(Mode::Enforce),
            ModeWord::Observe => Some(Mode::Observe),
            ModeWord::Off => Some(Mode::Off),
            ModeWord::Default => None,
        })?;
    }
    writeln!(anstream::stdout(), "{}", in_effect(&home)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The mode of the next hook, and who says so.
pub(crate) fn in_effect(home: &StateDir) -> Result<String> {
    Ok(match home.mode()? {
        ModeFrom::Environment(mode) => format!("{} (by {MODE_VARIABLE})", mode_name(mode)),
        ModeFrom::Switch(mode) => format!("{} (by `unstuck mode`)", mode_name(mode)),
        ModeFrom::Configuration => {
            let here = env::current_dir().ok();
            let configuration = unstuck_session::configuration::of_hook(here.as_deref(), home)?;
            let by = if configuration
                .sources
                .iter()
                .all(|source| source.applied == Applied::Nothing)
            {
                "default"
            } else {
                "by the configuration"
            };
            format!("{} ({by})", mode_name(configuration.settings.mode))
        }
    })
}
