//! Settings as a file.

use serde::Serialize;
use toml::Value;
use unstuck::{RuleName, Settings, settings::ToolSettings};

use crate::{notify::NotifySettings, prices::Prices, spending::SpendingSettings};

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

/// The tables of prices as part of a file; nothing where there are none.
///
/// ```
/// let prices = unstuck_config::Prices::default();
/// assert_eq!(unstuck_config::prices_to_toml(&prices)?, "");
/// # Ok::<(), unstuck_config::WriteError>(())
/// ```
pub fn prices_to_toml(prices: &Prices) -> Result<String, WriteError> {
    #[derive(Serialize)]
    struct File<'a> {
        prices: &'a Prices,
    }
    if prices.is_empty() {
        return Ok(String::new());
    }
    toml::to_string(&File { prices }).map_err(|source| WriteError { source })
}

/// The table of notifications as part of a file; nothing where there are none.
///
/// ```
/// let notify = unstuck_config::NotifySettings::default();
/// assert_eq!(unstuck_config::notify_to_toml(&notify)?, "");
/// # Ok::<(), unstuck_config::WriteError>(())
/// ```
pub fn notify_to_toml(notify: &NotifySettings) -> Result<String, WriteError> {
    #[derive(Serialize)]
    struct File<'a> {
        notify: &'a NotifySettings,
    }
    if *notify == NotifySettings::default() {
        return Ok(String::new());
    }
    toml::to_string(&File { notify }).map_err(|source| WriteError { source })
}

/// The table of limits on what agents may use as part of a file; nothing where there are none.
///
/// ```
/// let spending = unstuck_config::SpendingSettings::default();
/// assert_eq!(unstuck_config::spending_to_toml(&spending)?, "");
/// # Ok::<(), unstuck_config::WriteError>(())
/// ```
pub fn spending_to_toml(spending: &SpendingSettings) -> Result<String, WriteError> {
    #[derive(Serialize)]
    struct File<'a> {
        spending: &'a SpendingSettings,
    }
    if *spending == SpendingSettings::default() {
        return Ok(String::new());
    }
    toml::to_string(&File { spending }).map_err(|source| WriteError { source })
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

/// Entries of `[[tools]]` as part of a file, with only the keys that are set in them.
///
/// ```
/// use unstuck::settings::{Rung, ToolSettings};
///
/// let mut entry = ToolSettings::new("ci__status");
/// entry.ladder.nudge = Some(Rung::at(12));
/// let text = unstuck_config::tools_to_toml(&[entry])?;
/// assert_eq!(text, "[[tools]]\ntool = \"ci__status\"\nladder = { nudge = 12 }\n");
/// # Ok::<(), unstuck_config::WriteError>(())
/// ```
pub fn tools_to_toml(entries: &[ToolSettings]) -> Result<String, WriteError> {
    let entries = entries.iter().map(tool_to_toml);
    Ok(entries.collect::<Result<Vec<_>, _>>()?.join("\n"))
}

fn tool_to_toml(entry: &ToolSettings) -> Result<String, WriteError> {
    let mut lines = vec![
        "[[tools]]".to_owned(),
        format!("tool = {}", value(&entry.tool)?),
    ];
    if entry.exempt {
        lines.push("exempt = true".to_owned());
    }
    for (key, names) in [
        ("key_fields", &entry.key_fields),
        ("volatile_fields", &entry.volatile_fields),
        ("match", &entry.examples),
        ("not_match", &entry.counter_examples),
    ] {
        if !names.is_empty() {
            lines.push(format!("{key} = {}", value(names)?));
        }
    }
    let ladder = &entry.ladder;
    let mut rungs = Vec::new();
    if let Some(rung) = ladder.nudge {
        rungs.push(format!("nudge = {}", value(&rung)?));
    }
    if let Some(rung) = ladder.deny {
        rungs.push(format!("deny = {}", value(&rung)?));
    }
    if let Some(rung) = ladder.halt {
        rungs.push(format!("halt = {}", value(&rung)?));
    }
    if !rungs.is_empty() {
        lines.push(format!("ladder = {{ {} }}", rungs.join(", ")));
    }
    Ok(lines.join("\n") + "\n")
}

/// A value as it is written behind a key.
fn value(value: &impl Serialize) -> Result<Value, WriteError> {
    Value::try_from(value).map_err(|source| WriteError { source })
}
