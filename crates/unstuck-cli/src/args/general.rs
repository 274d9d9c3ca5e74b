//! Options that every command takes, before its name or behind it.

use std::ffi::OsString;

use clap::{ArgMatches, Args as ClapArgs, FromArgMatches as _, ValueEnum};

use crate::notes::{self, Level};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ClapArgs)]
#[command(next_help_heading = "General")]
pub(crate) struct GeneralArgs {
    /// Print results and errors only: no notes, no progress, no warnings about settings.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,

    /// Print details on standard error, such as the settings that were read and every file that was skipped.
    #[arg(short, long)]
    verbose: bool,

    /// When to use colours. `auto` uses them on a terminal, unless `NO_COLOR` is set.
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// In files and pipes, too.
    Always,
    /// Nowhere.
    Never,
}

impl GeneralArgs {
    /// Reads the options from all levels of a command line; the deepest one wins.
    pub(super) fn of(mut matches: &ArgMatches) -> Self {
        let mut found = Self::default();
        loop {
            if let Ok(one) = Self::from_arg_matches(matches) {
                if one.quiet || one.verbose {
                    (found.quiet, found.verbose) = (one.quiet, one.verbose);
                }
                found.color = one.color.or(found.color);
            }
            match matches.subcommand() {
                Some((_, below)) => matches = below,
                None => return found,
            }
        }
    }

    /// Applies them to this process.
    pub(super) fn apply(self) {
        notes::set_level(match self {
            Self { quiet: true, .. } => Level::Quiet,
            Self { verbose: true, .. } => Level::Verbose,
            _ => Level::Normal,
        });
        if let Some(color) = self.color {
            color.choice().write_global();
        }
    }
}

impl Color {
    fn choice(self) -> anstream::ColorChoice {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
    }
}

/// The colours that a command line asks for, where it is not parsed yet: help and errors have colours, too.
pub(super) fn color_of(words: &[OsString]) -> clap::ColorChoice {
    let mut words = words.iter().map_while(|word| match word.to_str() {
        Some("--") => None,
        word => Some(word.unwrap_or_default()),
    });
    let mut found = clap::ColorChoice::Auto;
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        found = match value {
            Some("always") => clap::ColorChoice::Always,
            Some("never") => clap::ColorChoice::Never,
            Some("auto") => clap::ColorChoice::Auto,
            _ => found,
        };
    }
    found
}
