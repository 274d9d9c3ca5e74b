//! The one switch: `unstuck mode`.

use std::env;

use anyhow::{Result, bail};
use unstuck::Mode;
use unstuck_config::nearest;

use super::Home;

const FILE: &str = "mode";

/// Whether decisions are enforced, over what anything else says.
pub(crate) const MODE_VARIABLE: &str = "UNSTUCK_MODE";

/// Who said which mode it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModeFrom {
    Environment(Mode),
    Switch(Mode),
    /// Neither: the configuration decides.
    Configuration,
}

impl ModeFrom {
    pub(crate) fn mode(self) -> Option<Mode> {
        match self {
            Self::Environment(mode) | Self::Switch(mode) => Some(mode),
            Self::Configuration => None,
        }
    }
}

impl Home {
    /// The mode that the environment gives, or else the one that was switched to.
    pub(crate) fn mode(&self) -> Result<ModeFrom> {
        if let Some(mode) = mode_from_environment()? {
            return Ok(ModeFrom::Environment(mode));
        }
        let switched = self.read(FILE).and_then(|word| parse(word.trim()));
        Ok(switched.map_or(ModeFrom::Configuration, ModeFrom::Switch))
    }

    /// The mode that was switched to, for a process that asks again and again: whatever stands in the place of the file,
    /// this does not wait for it.
    pub(crate) fn switched(&self) -> Option<Mode> {
        let is_file = std::fs::symlink_metadata(self.path(FILE)).is_ok_and(|found| found.is_file());
        let word = is_file.then(|| self.read(FILE)).flatten()?;
        parse(word.trim())
    }

    /// Switches; without a mode the configuration decides again.
    pub(crate) fn switch(&self, mode: Option<Mode>) -> Result<()> {
        self.change(FILE, |_| mode.map_or("", name).to_owned())
    }
}

pub(crate) fn mode_from_environment() -> Result<Option<Mode>> {
    let Some(word) = env::var_os(MODE_VARIABLE).filter(|word| !word.is_empty()) else {
        return Ok(None);
    };
    let word = word.to_string_lossy();
    if let Some(mode) = parse(&word) {
        return Ok(Some(mode));
    }
    let meant = nearest(&word, ["enforce", "observe", "off"]);
    let hint = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    bail!("{MODE_VARIABLE} must be enforce, observe or off, not `{word}`{hint}")
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
pub(crate) fn name(mode: Mode) -> &'static str {
    match mode {
        Mode::Observe => "observe",
        Mode::Off => "off",
        _ => "enforce",
    }
}
