//! What agents may use.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What agents behind `unstuck proxy` and `unstuck run` may use, by what the providers say that they used. A limit that is
/// reached ends every further turn with an answer that says what was spent. Days are those of UTC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct SpendingSettings {
    /// Dollars that one session may cost in a day.
    #[schemars(range(min = 0.0))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_dollars: Option<f64>,
    /// Tokens that one session may use in a day: read, written, and read from or written to the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_tokens: Option<NonZeroU64>,
    /// Dollars that all sessions together may cost in a day.
    #[schemars(range(min = 0.0))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day_dollars: Option<f64>,
    /// Tokens that all sessions together may use in a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day_tokens: Option<NonZeroU64>,
    /// Shares of a limit, in percent, at which the agent gets a message.
    #[schemars(inner(range(min = 1, max = 99)))]
    pub warn_percent: Vec<u8>,
}

impl Default for SpendingSettings {
    fn default() -> Self {
        Self {
            session_dollars: None,
            session_tokens: None,
            day_dollars: None,
            day_tokens: None,
            warn_percent: vec![50, 80, 95],
        }
    }
}

impl SpendingSettings {
    /// Whether one of the limits of `other` is higher here, or missing.
    pub fn is_looser_than(&self, other: &Self) -> bool {
        fn is_looser<T: PartialOrd>(here: Option<T>, there: Option<T>) -> bool {
            there.is_some_and(|there| here.is_none_or(|here| here > there))
        }
        is_looser(self.session_dollars, other.session_dollars)
            || is_looser(self.session_tokens, other.session_tokens)
            || is_looser(self.day_dollars, other.day_dollars)
            || is_looser(self.day_tokens, other.day_tokens)
    }
}

#[cfg(test)]
#[path = "spending_tests.rs"]
mod tests;
