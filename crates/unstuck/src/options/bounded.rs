//! Whole numbers that are within bounds by their type.

use std::{fmt, num::NonZeroU32};

use serde::{Deserialize, Deserializer, Serialize, de};

/// A whole number from `MIN` to `MAX`, both included.
///
/// ```
/// use unstuck::{Settings, settings::Bounded};
///
/// let mut settings = Settings::default();
/// // A constant is checked when the program is compiled,
/// settings.rules.cycle.longest = Bounded::of::<8>();
/// // any other number when the program runs.
/// settings.rules.swarm_loop.workers = "3".parse::<u32>()?.try_into()?;
/// assert_eq!(settings.rules.cycle.longest.get(), 8);
///
/// let error = Bounded::<1, 16>::try_from(17).unwrap_err();
/// assert_eq!(error.to_string(), "17 is not a whole number from 1 to 16");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Bounded<const MIN: u32, const MAX: u32>(u32);

/// A number that is not within its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{number} is not a whole number from {min} to {max}")]
#[non_exhaustive]
pub struct OutOfBounds {
    /// The number.
    pub number: u32,
    /// The smallest that is allowed.
    pub min: u32,
    /// The largest that is allowed.
    pub max: u32,
}

impl<const MIN: u32, const MAX: u32> Bounded<MIN, MAX> {
    /// The number `N`. A number that is out of bounds does not compile.
    pub const fn of<const N: u32>() -> Self {
        const { assert!(MIN <= N && N <= MAX, "the number is out of bounds") };
        Self(N)
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The number; 1 if the bounds include zero and it is zero.
    pub const fn non_zero(self) -> NonZeroU32 {
        match NonZeroU32::new(self.0) {
            Some(number) => number,
            None => NonZeroU32::MIN,
        }
    }
}

impl<const MIN: u32, const MAX: u32> TryFrom<u32> for Bounded<MIN, MAX> {
    type Error = OutOfBounds;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        if (MIN..=MAX).contains(&number) {
            Ok(Self(number))
        } else {
            Err(OutOfBounds {
                number,
                min: MIN,
                max: MAX,
            })
        }
    }
}

impl<const MIN: u32, const MAX: u32> From<Bounded<MIN, MAX>> for u32 {
    fn from(number: Bounded<MIN, MAX>) -> Self {
        number.0
    }
}

impl<const MIN: u32, const MAX: u32> fmt::Display for Bounded<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Bounded<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer)?
            .try_into()
            .map_err(de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl<const MIN: u32, const MAX: u32> schemars::JsonSchema for Bounded<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("From{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "integer",
            "format": "uint32",
            "minimum": MIN,
            "maximum": MAX
        })
    }
}

/// A positive number that is known when the program is compiled.
macro_rules! nonzero {
    ($number:expr) => {
        const { std::num::NonZero::new($number).unwrap() }
    };
}
pub(crate) use nonzero;

#[cfg(test)]
#[path = "bounded_tests.rs"]
mod tests;
