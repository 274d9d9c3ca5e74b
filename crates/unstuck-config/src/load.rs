//! Layers on top of a preset.

use std::{collections::BTreeMap, ops::Range};

use serde::Deserialize as _;
use toml::{Table, Value};
use unstuck::{Preset, Settings, settings::SettingsWarning};

use crate::{
    check::{Checked, check, spoken},
    diagnostic::{Diagnostic, Errors, Severity},
    fail::Fail,
    layer::Layer,
    notify::NotifySettings,
    prices::Prices,
    quick,
    spending::SpendingSettings,
};

/// The result of loading a configuration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The settings, complete and checked.
    pub settings: Settings,
    /// Prices of models.
    pub prices: Prices,
    /// Notifications of people. Which layers may set them is for the caller to decide.
    pub notify: NotifySettings,
    /// What agents may use.
    pub spending: SpendingSettings,
    /// What becomes of calls that cannot be judged or recorded; `None` if no layer says it.
    pub fail: Option<Fail>,
    /// Settings that can never have an effect.
    pub warnings: Vec<Diagnostic>,
}

/// Puts layers on top of each other and of a preset.
///
/// A later layer wins over an earlier one, key by key: tables merge, single values and arrays replace. Entries of
/// `[[tools]]` add up, the later layer's first, because the first entry that matches a tool counts.
///
/// The preset is `preset` if given, or else the one that the last layer names that names one, or else `standard`. All
/// other keys of all layers are laid over the settings of that preset. A rule whose table a layer has, but which is off
/// in the preset, is switched on, unless a layer sets `enabled`.
///
/// ```
/// use unstuck::Preset;
/// use unstuck_config::{Layer, load};
///
/// let user = Layer::new("user.toml", "mode = \"observe\"\npreset = \"attocode\"\n");
/// let project = Layer::new("unstuck.toml", "[rules.budget]\nsteps = 200\n");
/// let settings = load(&[user, project], None)?.settings;
/// assert_eq!(settings.preset, Preset::Attocode);
/// assert!(settings.rules.budget.enabled);
/// # Ok::<(), unstuck_config::Errors>(())
/// ```
pub fn load(layers: &[Layer], preset: Option<Preset>) -> Result<Loaded, Errors> {
    if layers.is_empty() {
        return Ok(Loaded {
            settings: Settings::of(preset.unwrap_or_default()),
            prices: Prices::default(),
            notify: NotifySettings::default(),
            spending: SpendingSettings::default(),
            fail: None,
            warnings: Vec::new(),
        });
    }
    if let Some(loaded) = quick::load(layers, preset) {
        return Ok(loaded);
    }
    load_carefully(layers, preset)
}

/// Every mistake and every remark, with its place.
pub(crate) fn load_carefully(layers: &[Layer], preset: Option<Preset>) -> Result<Loaded, Errors> {
    let mut checked: Vec<Checked> = Vec::new();
    let mut tools = 0;
    // From the last to the first, because the last layer's tools come first.
    for layer in layers.iter().rev() {
        let one = check(layer, tools);
        tools += one
            .table
            .get("tools")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        checked.push(one);
    }
    checked.reverse();
    let errors: Vec<_> = checked.iter().flat_map(|one| one.errors.clone()).collect();
    if !errors.is_empty() {
        return Err(Errors {
            diagnostics: errors,
        });
    }
    let mut loaded = merge(&checked, preset).map_err(|message| Errors {
        diagnostics: vec![Diagnostic::error(message)],
    })?;
    let load_warnings = loaded.settings.load_warnings();
    let remarks = load_warnings
        .iter()
        .map(|warning| remark(warning, layers, &checked));
    let patterns = checked.iter().flat_map(|one| one.warnings.iter().cloned());
    loaded.warnings = patterns.chain(remarks).collect();
    Ok(loaded)
}

fn merge(layers: &[Checked], preset: Option<Preset>) -> Result<Loaded, String> {
    let mut settings = Table::new();
    for layer in layers {
        lay_over(&mut settings, &layer.table);
    }
    complete(settings, preset)
}

/// Settings of the layers, applied to a preset, without warnings.
pub(crate) fn complete(mut settings: Table, preset: Option<Preset>) -> Result<Loaded, String> {
    let fail = settings.remove("fail").map(Fail::deserialize).transpose();
    let fail = fail.map_err(|error| error.message().to_owned())?;
    let prices = settings
        .remove("prices")
        .map_or(Ok(Prices::default()), Prices::deserialize)
        .map_err(|error| error.message().to_owned())?;
    let notify = settings
        .remove("notify")
        .map_or(Ok(NotifySettings::default()), NotifySettings::deserialize)
        .map_err(|error| error.message().to_owned())?;
    let spending = settings
        .remove("spending")
        .map_or(
            Ok(SpendingSettings::default()),
            SpendingSettings::deserialize,
        )
        .map_err(|error| error.message().to_owned())?;
    let named = settings.get("preset").and_then(Value::as_str);
    let preset = match (preset, named) {
        (Some(preset), _) => preset,
        (None, Some(named)) => named.parse().map_err(|error| format!("{error}"))?,
        (None, None) => Preset::default(),
    };
    settings.insert("preset".into(), preset.as_str().into());
    switch_on(&mut settings);
    let mut complete = Table::try_from(Settings::of(preset)).map_err(|error| error.to_string())?;
    lay_over(&mut complete, &settings);
    let settings = Settings::deserialize(complete).map_err(|error| error.message().to_owned())?;
    Ok(Loaded {
        settings,
        prices,
        notify,
        spending,
        fail,
        warnings: Vec::new(),
    })
}

pub(crate) fn lay_over(below: &mut Table, above: &Table) {
    for (key, value) in above {
        match (below.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above),
            (Some(Value::Array(below)), Value::Array(above)) if key == "tools" => {
                below.splice(0..0, above.iter().cloned());
            }
            _ => {
                below.insert(key.clone(), value.clone());
            }
        }
    }
}

/// A table of a rule switches the rule on.
fn switch_on(settings: &mut Table) {
    let Some(Value::Table(rules)) = settings.get_mut("rules") else {
        return;
    };
    for (_, rule) in rules.iter_mut() {
        if let Value::Table(rule) = rule {
            rule.entry("enabled").or_insert(Value::Boolean(true));
        }
    }
}

/// A warning with the place of the key that causes it.
fn remark(warning: &SettingsWarning, layers: &[Layer], checked: &[Checked]) -> Diagnostic {
    let key = warning.keys.first().map_or("", String::as_str);
    let message = format!("`{}`: {}", spoken(key), warning.message);
    let diagnostic = Diagnostic::new(Severity::Warning, message);
    let exact = warning.keys.iter().find_map(|key| find(checked, key));
    let table = || {
        let (table, _) = key.rsplit_once('.')?;
        find(checked, table)
    };
    match exact.or_else(table) {
        Some((layer, span)) => diagnostic.at(layers[layer].place(span)),
        None => diagnostic,
    }
}

/// The last layer that has the key counts.
fn find<'a>(checked: &'a [Checked], key: &str) -> Option<(usize, &'a Range<usize>)> {
    let places = checked.iter().map(|one| &one.places).enumerate().rev();
    let mut found =
        places.filter_map(|(at, places): (_, &BTreeMap<_, _>)| Some((at, places.get(key)?)));
    found.next()
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
