//! What is printed on standard error beside the results, as `--quiet` and `--verbose` ask.

use std::{
    fmt::Display,
    io::Write as _,
    sync::atomic::{AtomicU8, Ordering},
};

use crate::style::{DIM, HEADING, paint};

/// How much is printed on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Errors only.
    Quiet = 0,
    /// Notes, warnings about settings and progress, too.
    Normal = 1,
    /// Details, too.
    Verbose = 2,
}

static LEVEL: AtomicU8 = AtomicU8::new(Level::Normal as u8);

/// Sets the level, once, before a command runs.
pub(crate) fn set_level(level: Level) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

/// Whether notes and progress are wanted.
pub(crate) fn are_wanted() -> bool {
    LEVEL.load(Ordering::Relaxed) >= Level::Normal as u8
}

/// Whether details are wanted.
pub(crate) fn is_verbose() -> bool {
    LEVEL.load(Ordering::Relaxed) >= Level::Verbose as u8
}

/// Prints a line on standard error, unless `--quiet` is given.
pub(crate) fn print(text: impl Display) {
    if are_wanted() {
        anstream::eprintln!("{text}");
    }
}

/// Prints a note about the command line itself, unless `--quiet` is given.
pub(crate) fn note(text: impl Display) {
    print(format_args!("{} {text}", paint(HEADING, "note:")));
}

/// Prints a line on standard error if `--verbose` is given.
pub(crate) fn detail(text: impl Display) {
    if is_verbose() {
        anstream::eprintln!("{}", paint(DIM, &text.to_string()));
    }
}

/// Prints on standard output that something was done, unless `--quiet` is given.
pub(crate) fn confirm(text: impl Display) -> std::io::Result<()> {
    if are_wanted() {
        writeln!(anstream::stdout(), "{text}")?;
    }
    Ok(())
}
