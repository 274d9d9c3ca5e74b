//! Remarks about settings that can never have an effect.

use std::fmt;

/// Something that was set but can never have an effect. Not an error: a remark for whoever wrote the settings.
///
/// ```
/// use unstuck::{Rung, Settings};
///
/// let mut settings = Settings::default();
/// settings.rules.exact_repeat.nudge = Rung::at(9);
/// let warning = &settings.load_warnings()[0];
/// assert_eq!(warning.keys[0], "rules.exact-repeat.nudge");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingsWarning {
    /// The keys it is about, the most telling first: `rules.cycle.nudge`, `tools[0].tool`.
    pub keys: Vec<String>,
    /// What is the matter.
    pub message: String,
}

impl SettingsWarning {
    pub(super) fn new(keys: impl IntoIterator<Item = String>, message: impl Into<String>) -> Self {
        Self {
            keys: keys.into_iter().collect(),
            message: message.into(),
        }
    }
}

impl fmt::Display for SettingsWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(key) = self.keys.first() {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.message)
    }
}

#[cfg(test)]
#[path = "warning_tests.rs"]
mod tests;
