//! Prices of models.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use unstuck::settings::ToolPattern;

/// The price of a model, in dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Price {
    /// Tokens that are read.
    #[schemars(range(min = 0.0))]
    pub input: f64,
    /// Tokens that are written, thinking included.
    #[schemars(range(min = 0.0))]
    pub output: f64,
    /// Tokens that are read from the provider's cache; as `input` where it is not set.
    #[schemars(range(min = 0.0))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<f64>,
    /// Tokens that are written to the provider's cache; as `input` where it is not set.
    #[schemars(range(min = 0.0))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
}

impl Price {
    /// A price that makes no difference for caches.
    pub fn new(input: f64, output: f64) -> Self {
        Self {
            input,
            output,
            cache_read: None,
            cache_write: None,
        }
    }

    /// Sets separate prices for tokens that are read from and written to the provider's cache.
    #[must_use]
    pub fn with_cache(mut self, read: f64, write: f64) -> Self {
        self.cache_read = Some(read);
        self.cache_write = Some(write);
        self
    }
}

/// Prices by patterns of model names: `*` stands for any run of characters, `?` for one.
///
/// ```
/// use unstuck_config::{Layer, load};
///
/// let text = "[prices.\"local-*\"]\ninput = 0\noutput = 0\n\n[prices.\"local-big*\"]\ninput = 0.2\noutput = 0.8\n";
/// let prices = load(&[Layer::new("unstuck.toml", text)], None)?.prices;
/// assert_eq!(prices.of("local-small").map(|price| price.output), Some(0.0));
/// assert_eq!(prices.of("local-big-2").map(|price| price.output), Some(0.8));
/// assert_eq!(prices.of("other"), None);
/// # Ok::<(), unstuck_config::Errors>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prices(BTreeMap<String, Price>);

impl Prices {
    /// The price of a model: of the patterns that match its name the longest counts.
    pub fn of(&self, model: &str) -> Option<Price> {
        self.0
            .iter()
            .filter(|(pattern, _)| ToolPattern::new(pattern.as_str()).matches(model))
            .max_by_key(|(pattern, _)| pattern.len())
            .map(|(_, price)| *price)
    }

    /// Whether there are no prices.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
