//! Amounts of cost.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

/// An amount of cost, in the unit that `turn` events report: a finite number of at least 0.
///
/// ```
/// use unstuck::settings::Cost;
///
/// assert_eq!(Cost::try_from(2.5)?.get(), 2.5);
/// let error = Cost::try_from(-1.0).unwrap_err();
/// assert_eq!(error.to_string(), "-1 is not a number of at least 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Cost(f64);

/// A number that is not an amount of cost.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is not a number of at least 0")]
#[non_exhaustive]
pub struct InvalidCost(pub f64);

impl Cost {
    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Cost {
    type Error = InvalidCost;

    fn try_from(number: f64) -> Result<Self, Self::Error> {
        if number.is_finite() && number >= 0.0 {
            Ok(Self(number))
        } else {
            Err(InvalidCost(number))
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer)?
            .try_into()
            .map_err(de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Cost {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cost".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "format": "double", "minimum": 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_numbers_of_at_least_zero_are_costs() {
        for number in [0.0, 1e-9, 3.0, f64::MAX] {
            assert_eq!(Cost::try_from(number).map(Cost::get), Ok(number));
        }
        for number in [-1.0, -1e-9, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Cost::try_from(number).is_err(), "{number}");
        }
        let error = serde_json::from_str::<Cost>("-0.5").unwrap_err();
        assert_eq!(error.to_string(), "-0.5 is not a number of at least 0");
    }
}
