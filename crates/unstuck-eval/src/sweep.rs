//! How much the numbers depend on single thresholds: settings with one whole-number option at its neighbours.

use std::collections::BTreeMap;

use unstuck::{Preset, Settings};
use unstuck_config::Layer;

use crate::{headline::Headline, injected::Injected, score::SetScore, table::Table};

/// A number counts as worse when it is worse by this share of itself.
const WORSE: f64 = 0.4;

/// And by this much at least: half a percentage point.
const LEAST: f64 = 0.005;

/// Settings that differ in one option.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// `RULE.OPTION = VALUE`.
    pub name: String,
    /// The settings.
    pub settings: Settings,
}

/// Why there are no neighbours of an option.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// No rule that is on has such a name.
    #[error("no rule that is on has the name `{0}`")]
    Rule(String),
    /// The rule has no such option with a whole number.
    #[error("`{0}` is not an option with a whole number")]
    Option(String),
}

/// Which way a number is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Better {
    Lower,
    Higher,
}

use Better::{Higher, Lower};

/// The numbers of a row, by their names in the headline.
const NUMBERS: [(&str, &str, Better); 10] = [
    ("solved deny", "overthinking solved runs with deny+", Lower),
    (
        "after deny",
        "overthinking unsolved tokens after first deny+",
        Higher,
    ),
    (
        "solved nudge",
        "overthinking solved runs with nudge+",
        Lower,
    ),
    (
        "after nudge",
        "overthinking unsolved tokens after first nudge+",
        Higher,
    ),
    ("wrong denials", "overthinking wrong denials", Lower),
    ("waste nudge", "overthinking waste caught by nudge+", Higher),
    ("waste deny", "overthinking waste caught by deny+", Higher),
    ("who&when R", "Who&When is_in_loop R (nudge+)", Higher),
    (
        "steps found F1",
        "human step repetition F1 (findings)",
        Higher,
    ),
    ("web F1", "web agents loop F1 (nudge+)", Higher),
];

/// The numbers of a row about injected cases.
const INJECTED: [(&str, Better); 2] = [("injected told", Higher), ("alike nudged", Lower)];

/// A row of a sweep: what was changed, and its numbers.
#[derive(Clone, Debug)]
pub struct SweepRow {
    name: String,
    numbers: Vec<Option<f64>>,
}

impl SweepRow {
    /// The row of a setting.
    pub fn new(name: &str, sets: &BTreeMap<String, SetScore>, injected: Option<&Injected>) -> Self {
        let headline = Headline::of(sets).wide(sets);
        let value = |name: &str| Some(headline.figure(name)?.value);
        let mut numbers: Vec<_> = NUMBERS.iter().map(|(_, name, _)| value(name)).collect();
        numbers.push(injected.and_then(|injected| injected.headline.told));
        numbers.push(injected.and_then(|injected| injected.headline.alike_nudged));
        Self {
            name: name.to_owned(),
            numbers,
        }
    }
}

/// All settings next to these in the options asked for: `RULE` or `RULE.OPTION`. Settings that are invalid, because
/// thresholds would not increase, are left out.
pub fn neighbours(
    asked: &[String],
    settings: &Settings,
    layers: &[Layer],
    preset: Option<Preset>,
) -> Result<Vec<Neighbour>, SweepError> {
    let mut all = Vec::new();
    for name in asked {
        let (rule, option) = match name.split_once('.') {
            Some((rule, option)) => (rule, Some(option)),
            None => (&**name, None),
        };
        let options: Vec<_> = numbers_of(rule, settings)
            .ok_or_else(|| SweepError::Rule(rule.to_owned()))?
            .into_iter()
            .filter(|(known, _)| option.is_none_or(|option| option == known))
            .collect();
        if options.is_empty() {
            return Err(SweepError::Option(name.clone()));
        }
        for (option, value) in options {
            let step = (value / 10).max(1);
            let values = [value - step, value + step];
            for value in values.into_iter().filter(|value| *value > 0) {
                let line = format!("{option} = {value}");
                let layer = Layer::new("sweep", format!("[rules.{rule}]\n{line}\n"));
                let layers: Vec<_> = layers.iter().cloned().chain([layer]).collect();
                if let Ok(loaded) = unstuck_config::load(&layers, preset) {
                    all.push(Neighbour {
                        name: format!("{rule}.{line}"),
                        settings: loaded.settings,
                    });
                }
            }
        }
    }
    Ok(all)
}

/// Options of a rule with whole numbers, thresholds that are off aside.
fn numbers_of(rule: &str, settings: &Settings) -> Option<Vec<(String, i64)>> {
    let all = serde_json::to_value(&settings.rules).ok()?;
    let options = all.get(rule)?.as_object()?.clone();
    let number = |(name, value): (String, serde_json::Value)| {
        let value = value.as_i64().filter(|value| *value > 0)?;
        Some((name, value))
    };
    Some(options.into_iter().filter_map(number).collect())
}

/// The rows as a table; the first is the one that the others are compared with.
pub fn sweep(rows: &[SweepRow]) -> Table {
    let names = NUMBERS.iter().map(|(name, ..)| *name);
    let names = names.chain(INJECTED.map(|(name, _)| name));
    let mut table = Table::new(1, ["settings"].into_iter().chain(names));
    let better: Vec<_> = NUMBERS
        .iter()
        .map(|(_, _, better)| *better)
        .chain(INJECTED.map(|(_, better)| better))
        .collect();
    for row in rows {
        let mut cells = vec![row.name.clone()];
        for (at, number) in row.numbers.iter().enumerate() {
            let ours = rows.first().and_then(|first| first.numbers[at]);
            let mark = match ours.zip(*number) {
                Some((ours, number)) if is_worse(better[at], ours, number) => "!",
                _ => "",
            };
            cells.push(number.map_or_else(
                || "-".to_owned(),
                |number| format!("{:.1}{mark}", 100.0 * number),
            ));
        }
        table.push(cells);
    }
    table
}

fn is_worse(better: Better, ours: f64, number: f64) -> bool {
    let loss = match better {
        Lower => number - ours,
        Higher => ours - number,
    };
    loss >= LEAST && loss >= WORSE * ours
}

#[cfg(test)]
#[path = "sweep_tests.rs"]
mod tests;
