//! Settings as a file.

use unstuck::{RuleName, Settings};

/// Why settings cannot be written: a number is too large for TOML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these settings cannot be written as TOML")]
pub struct WriteError {
    source: toml::ser::Error,
}

/// Complete settings as the text of a file. Loading it gives the same settings again.
///
/// ```
/// use unstuck::Settings;
/// use unstuck_config::{Layer, load, to_toml};
///
/// let text = to_toml(&Settings::default())?;
/// let loaded = load(&[Layer::new("unstuck.toml", text)], None)?;
/// assert_eq!(loaded.settings, Settings::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_toml(settings: &Settings) -> Result<String, WriteError> {
    toml::to_string(settings).map_err(|source| WriteError { source })
}

/// The table of one rule in complete settings, as the text of a file.
///
/// ```
/// use unstuck::{RuleName, Settings};
///
/// let table = unstuck_config::rule_to_toml(&Settings::default(), RuleName::ExactRepeat)?;
/// assert!(table.starts_with("[rules.exact-repeat]\nenabled = true\nnudge = 3\n"));
/// # Ok::<(), unstuck_config::WriteError>(())
/// ```
pub fn rule_to_toml(settings: &Settings, rule: RuleName) -> Result<String, WriteError> {
    let text = to_toml(settings)?;
    let header = format!("[rules.{rule}]\n");
    // Tables are written one after the other, with a blank line between them.
    let table = text
        .split("\n\n")
        .map(|table| format!("{}\n", table.trim_end()));
    Ok(table
        .into_iter()
        .find(|table| table.starts_with(&header))
        .unwrap_or(header))
}
