//! Settings of a guard, from keyword arguments and files.

use std::path::PathBuf;

use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use unstuck::Preset;
use unstuck_config::{Layer, Loaded, load};

use crate::value::Value;

/// Loads settings: those of the preset, under those of a file, under those of the keyword arguments.
pub(crate) fn settings(
    preset: Option<&str>,
    config: Option<PathBuf>,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Loaded> {
    let preset: Option<Preset> =
        preset
            .map(str::parse)
            .transpose()
            .map_err(|error: unstuck::settings::UnknownPreset| {
                PyValueError::new_err(error.to_string())
            })?;
    let mut layers = Vec::new();
    if let Some(path) = config {
        let bytes = std::fs::read(&path)?;
        let name = path.display().to_string();
        layers.push(Layer::from_bytes(name, bytes).map_err(|errors| refused(&errors))?);
    }
    if let Some(given) = given.filter(|given| !given.is_empty()) {
        layers.push(Layer::new("keyword arguments", toml_of(given)?));
    }
    load(&layers, preset).map_err(|errors| refused(&errors))
}

fn refused(errors: &unstuck_config::Errors) -> PyErr {
    PyValueError::new_err(errors.to_string())
}

/// Keyword arguments as the text of a configuration file. `None` is left out.
fn toml_of(given: &Bound<'_, PyDict>) -> PyResult<String> {
    let json = Value::of(given)?.into_json();
    let mut value: serde_json::Value = serde_json::from_str(json.as_str())
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    without_null(&mut value);
    toml::to_string(&value).map_err(|error| PyValueError::new_err(format!("settings: {error}")))
}

fn without_null(value: &mut serde_json::Value) {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, member| !member.is_null());
        members.values_mut().for_each(without_null);
    }
}
