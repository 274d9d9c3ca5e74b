//! The one switch: `unstuck mode`.

use std::env;

use unstuck::Mode;
use unstuck_config::nearest;

use super::StateDir;
use crate::error::{Error, Result};

const FILE: &str = "mode";

/// Whether decisions are enforced, over what anything else says.
pub const MODE_VARIABLE: &str = "UNSTUCK_MODE";

/// Who said which mode it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeFrom {
    /// The variable `UNSTUCK_MODE`.
    Environment(Mode),
    /// The command `unstuck mode`.
    Switch(Mode),
    /// Neither: the configuration decides.
    Configuration,
}

impl ModeFrom {
    /// The mode, unless the configuration decides.
    pub fn mode(self) -> Option<Mode> {
        match self {
            Self::Environment(mode) | Self::Switch(mode) => Some(mode),
            Self::Configuration => None,
        }
    }
}

impl StateDir {
    /// The mode that the environment gives, or else the one that was switched to.
    pub fn mode(&self) -> Result<ModeFrom> {
        if let Some(mode) = mode_from_environment()? {
            return Ok(ModeFrom::Environment(mode));
        }
        let switched = self.read(FILE).and_then(|word| parse(word.trim()));
        Ok(switched.map_or(ModeFrom::Configuration, ModeFrom::Switch))
    }

    /// Switches; without a mode the configuration decides again.
    pub fn switch(&self, mode: Option<Mode>) -> Result<()> {
        self.change(FILE, |_| mode.map_or("", name).to_owned())
    }
}

/// Reads the mode that was switched to, for a process that asks several times a second.
#[derive(Debug, Default)]
pub struct SwitchReader {
    /// Why the file could not be used the last time.
    refusal: Option<String>,
}

impl SwitchReader {
    /// Returns the mode that was switched to. A file that cannot be used is reported in the log once, and again only
    /// after the reason has changed or the file was usable in between. A FIFO in its place is not waited for.
    pub fn mode(&mut self, state: &StateDir) -> Option<Mode> {
        match state.try_read(FILE) {
            Ok(word) => {
                self.refusal = None;
                parse(word?.trim())
            }
            Err(error) => {
                let reason = error.to_string();
                if self.refusal.as_ref() != Some(&reason) {
                    state.report(&error);
                    self.refusal = Some(reason);
                }
                None
            }
        }
    }
}

/// Returns the mode that the variable `UNSTUCK_MODE` names.
pub fn mode_from_environment() -> Result<Option<Mode>> {
    let Some(word) = env::var_os(MODE_VARIABLE).filter(|word| !word.is_empty()) else {
        return Ok(None);
    };
    let word = word.to_string_lossy();
    if let Some(mode) = parse(&word) {
        return Ok(Some(mode));
    }
    let meant = nearest(&word, ["enforce", "observe", "off"]);
    let hint = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    Err(Error::Refused(format!(
        "{MODE_VARIABLE} must be enforce, observe or off, not `{word}`{hint}"
    )))
}

fn parse(word: &str) -> Option<Mode> {
    match word {
        "enforce" => Some(Mode::Enforce),
        "observe" => Some(Mode::Observe),
        "off" => Some(Mode::Off),
        _ => None,
    }
}

/// The word for a mode.
pub fn name(mode: Mode) -> &'static str {
    match mode {
        Mode::Observe => "observe",
        Mode::Off => "off",
        _ => "enforce",
    }
}
