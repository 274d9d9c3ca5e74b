//! Options of a guard: an object of JavaScript as settings.

use serde::Deserialize;
use serde_json::{Map, Value};
use unstuck::Settings;
use unstuck_config::{Fail, Layer, Prices, load};

use crate::error::Error;

/// Checked options of a guard.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The settings of the engine.
    pub settings: Settings,
    /// Prices of models, for scans.
    pub prices: Prices,
    /// What becomes of calls that cannot be judged; `None` if the options do not say it.
    pub fail: Option<Fail>,
    /// Settings that can never have an effect, each as a text.
    pub warnings: Vec<String>,
    pub(crate) index_key: [u8; 16],
}

/// The object as it comes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    /// Text of an `unstuck.toml`.
    #[serde(default)]
    config: Option<String>,
    /// Members named as the keys of `unstuck.toml`; they win over those of `config`.
    #[serde(default)]
    settings: Map<String, Value>,
    /// Random bytes, so that arguments cannot be chosen to make lookups slow.
    #[serde(default)]
    index_key: [u8; 16],
}

impl Options {
    /// Reads `{"config":TEXT,"settings":{…},"index_key":[…]}`; all three may be left out.
    pub fn read(text: &str) -> Result<Self, Error> {
        let given: Given =
            serde_json::from_str(text).map_err(|error| Error::Settings(error.to_string()))?;
        let mut layers: Vec<_> = given
            .config
            .map(|text| Layer::new("config", text))
            .into_iter()
            .collect();
        if !given.settings.is_empty() {
            let settings = without_nulls(Value::Object(given.settings));
            let text = toml::to_string(&settings).map_err(|error| {
                Error::Settings(format!("the options are not settings: {error}"))
            })?;
            layers.push(Layer::new("options", text));
        }
        let loaded = load(&layers, None)?;
        Ok(Self {
            settings: loaded.settings,
            prices: loaded.prices,
            fail: loaded.fail,
            warnings: loaded.warnings.iter().map(ToString::to_string).collect(),
            index_key: given.index_key,
        })
    }

    /// `open` or `closed`, if the options say either.
    pub fn fail_word(&self) -> Option<&'static str> {
        self.fail.map(Fail::as_str)
    }
}

/// A member that is null is absent.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(
                members
                    .map(|(name, value)| (name, without_nulls(value)))
                    .collect(),
            )
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(without_nulls).collect()),
        scalar => scalar,
    }
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
