//! Settings and the state directory, as commands use them.

use anyhow::Result;
use unstuck_session::{
    StateDir,
    configuration::{Configuration, Examined, Files, FoundFiles},
};
use unstuck_text::Shown;

use crate::{args::ConfigArgs, notes, style};

/// The state directory. Lines that its log cannot take are printed.
pub(crate) fn state_dir() -> Result<StateDir> {
    let home = StateDir::find()?.with_fallback(|line| anstream::eprintln!("unstuck: {line}"));
    notes::detail(format_args!(
        "state: {}",
        Shown::line(home.path("").display())
    ));
    Ok(home)
}

/// Reads the settings of a command, in the current directory.
pub(crate) fn load(args: &ConfigArgs) -> Result<Configuration> {
    let state = state_dir().ok();
    let loaded = unstuck_session::configuration::load(&files(args), state.as_ref())?;
    notes::detail(format_args!("settings: preset {}", loaded.settings.preset));
    for source in &loaded.sources {
        let path = Shown::line(source.path.display());
        notes::detail(format_args!("settings: {path} ({})", source.describe()));
    }
    Ok(loaded)
}

/// Reads the same files as [`load`], to report every mistake in them, also in those that are not trusted.
pub(crate) fn examine(args: &ConfigArgs) -> Result<Examined> {
    let state = state_dir().ok();
    let examined = unstuck_session::configuration::examine(&files(args), state.as_ref());
    Ok(examined?)
}

/// Prints what is not applied and what can never have an effect.
pub(crate) fn print_warnings(configuration: &Configuration) {
    for warning in configuration.notices.iter().chain(&configuration.warnings) {
        notes::print(format_args!("{}\n", style::diagnostic(warning)));
    }
}

/// The mistakes in configuration files, if they are the error.
pub(crate) fn mistakes(error: &anyhow::Error) -> Option<&unstuck_config::Errors> {
    match error.downcast_ref() {
        Some(unstuck_session::Error::Configuration(errors)) => Some(errors),
        _ => error.downcast_ref(),
    }
}

fn files(args: &ConfigArgs) -> Files<'_> {
    Files {
        preset: args.preset,
        named: args.config.as_deref(),
        found: if args.no_config {
            FoundFiles::Ignore
        } else {
            FoundFiles::Read
        },
    }
}
