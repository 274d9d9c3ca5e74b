//! Fast path for files without mistakes.
//!
//! Explaining a mistake takes the schema of all settings, and building the schema costs more than everything else. A
//! hook loads its settings before every call of an agent, and nearly always they have no mistakes. So settings are
//! first deserialised directly; if anything is unusual, the whole configuration is loaded again by the slow path,
//! which explains every mistake.

use toml::{Table, Value};
use unstuck::Preset;

use crate::{
    layer::Layer,
    load::{Loaded, complete, lay_over},
    pattern::foreign_pattern,
};

/// Whole numbers that every key takes.
const TAKEN_BY_ALL: std::ops::RangeInclusive<i64> = 1..=16;

/// Keys that take any whole number from 1 on.
const RUNGS: [&str; 5] = ["nudge", "warning", "critical", "deny", "halt"];

/// The settings, if there is nothing to say about them.
pub(crate) fn load(layers: &[Layer], preset: Option<Preset>) -> Option<Loaded> {
    let mut merged = Table::new();
    for layer in layers {
        let table: Table = layer.text.parse().ok()?;
        if !table.iter().all(|(key, value)| is_usual(key, value)) {
            return None;
        }
        lay_over(&mut merged, &table);
    }
    let loaded = complete(merged, preset).ok()?;
    let settings = &loaded.settings;
    let examples_hold =
        |tool: &unstuck::settings::ToolSettings| tool.failed_examples().next().is_none();
    let is_plain =
        |tool: &unstuck::settings::ToolSettings| foreign_pattern(tool.tool.as_str()).is_none();
    let mut tools = settings.tools.iter();
    (tools.all(|tool| examples_hold(tool) && is_plain(tool)) && settings.load_warnings().is_empty())
        .then_some(loaded)
}

/// Whether a value is valid whatever the bounds of its key are. Types and names are checked by deserialisation.
fn is_usual(key: &str, value: &Value) -> bool {
    match value {
        Value::Integer(number) => {
            TAKEN_BY_ALL.contains(number)
                || (RUNGS.contains(&key) && (1..=i64::from(u32::MAX)).contains(number))
        }
        Value::Float(_) | Value::Datetime(_) => false,
        Value::String(_) | Value::Boolean(_) => true,
        Value::Array(values) => values.iter().all(|value| is_usual(key, value)),
        Value::Table(table) => table.iter().all(|(key, value)| is_usual(key, value)),
    }
}

#[cfg(test)]
#[path = "quick_tests.rs"]
mod tests;
