//! The ladder: from a count to a verdict.

use std::{fmt, num::NonZeroU32};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::SettingsWarning;

/// One threshold: a number of occurrences, or `"never"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rung {
    /// There is no such threshold.
    #[default]
    Never,
    /// Reached with this many occurrences.
    At(NonZeroU32),
}

/// The threshold from which calls are denied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DenyRung {
    /// There is no such threshold.
    #[default]
    Never,
    /// Reached with this many occurrences.
    At(NonZeroU32),
    /// A call equal to the one that got a critical nudge.
    AfterCritical,
}

/// The thresholds of one rule.
///
/// ```
/// use unstuck::settings::{Ladder, Rung};
///
/// let ladder = Ladder::new(3, 5, 8);
/// assert_eq!(ladder.nudge, Rung::at(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ladder {
    /// A first nudge.
    pub nudge: Rung,
    /// A nudge of level 2.
    pub warning: Rung,
    /// A nudge of level 3.
    pub critical: Rung,
    /// The call is denied.
    pub deny: DenyRung,
    /// The run is halted.
    pub halt: Rung,
}

impl Rung {
    /// The threshold at `count` occurrences; 0 means never.
    pub const fn at(count: u32) -> Self {
        match NonZeroU32::new(count) {
            Some(count) => Self::At(count),
            None => Self::Never,
        }
    }

    /// Whether the threshold is reached with `count` occurrences.
    pub fn reached(self, count: u32) -> bool {
        self.count().is_some_and(|rung| count >= rung)
    }

    /// The number of occurrences, if there is such a threshold.
    pub fn count(self) -> Option<u32> {
        match self {
            Self::Never => None,
            Self::At(count) => Some(count.get()),
        }
    }
}

impl DenyRung {
    /// The threshold at `count` occurrences; 0 means never.
    pub const fn at(count: u32) -> Self {
        match NonZeroU32::new(count) {
            Some(count) => Self::At(count),
            None => Self::Never,
        }
    }

    /// The number of occurrences, if that is what decides.
    pub fn count(self) -> Option<u32> {
        match self {
            Self::Never | Self::AfterCritical => None,
            Self::At(count) => Some(count.get()),
        }
    }
}

impl Ladder {
    /// A ladder of three thresholds; 0 leaves one out.
    pub const fn new(nudge: u32, deny: u32, halt: u32) -> Self {
        Self {
            nudge: Rung::at(nudge),
            warning: Rung::Never,
            critical: Rung::Never,
            deny: DenyRung::at(deny),
            halt: Rung::at(halt),
        }
    }

    /// The smallest count that has an effect.
    pub(crate) fn first(&self) -> Option<u32> {
        [
            self.nudge.count(),
            self.warning.count(),
            self.critical.count(),
            self.deny.count(),
            self.halt.count(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Whether this count is denied or halts the run.
    pub(crate) fn forces(&self, count: u32) -> bool {
        self.deny.count().is_some_and(|rung| count >= rung) || self.halt.reached(count)
    }

    /// Adds a remark for each threshold that a stricter or equal one hides. `table` is the table of the thresholds.
    pub(crate) fn warn(&self, table: &str, warnings: &mut Vec<SettingsWarning>) {
        let keys = |names: &[&str]| {
            let keys = names.iter().map(|name| format!("{table}.{name}"));
            keys.collect::<Vec<_>>()
        };
        let rungs = [
            ("nudge", self.nudge.count()),
            ("warning", self.warning.count()),
            ("critical", self.critical.count()),
            ("deny", self.deny.count()),
            ("halt", self.halt.count()),
        ];
        for (at, (low, low_count)) in rungs.iter().enumerate() {
            for (high, high_count) in &rungs[at + 1..] {
                if let (Some(low_count), Some(high_count)) = (low_count, high_count)
                    && low_count >= high_count
                {
                    warnings.push(SettingsWarning::new(
                        keys(&[low, high]),
                        format!("`{low} = {low_count}` can never be reached, because `{high} = {high_count}` comes first or with it"),
                    ));
                    break;
                }
            }
        }
        if self.deny == DenyRung::AfterCritical && self.critical == Rung::Never {
            warnings.push(SettingsWarning::new(
                keys(&["deny", "critical"]),
                "`deny = \"after-critical\"` can never be reached without a `critical` threshold",
            ));
        }
    }
}

const NEVER: &str = "never";
const AFTER_CRITICAL: &str = "after-critical";

impl Serialize for Rung {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Never => serializer.serialize_str(NEVER),
            Self::At(count) => serializer.serialize_u32(count.get()),
        }
    }
}

impl Serialize for DenyRung {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Never => serializer.serialize_str(NEVER),
            Self::At(count) => serializer.serialize_u32(count.get()),
            Self::AfterCritical => serializer.serialize_str(AFTER_CRITICAL),
        }
    }
}

/// Reads a count or one of a few words.
struct RungVisitor {
    words: &'static [&'static str],
    expected: &'static str,
}

enum RungWord {
    At(NonZeroU32),
    Word(&'static str),
}

impl de::Visitor<'_> for RungVisitor {
    type Value = RungWord;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_i64<E: de::Error>(self, count: i64) -> Result<RungWord, E> {
        u32::try_from(count)
            .ok()
            .and_then(NonZeroU32::new)
            .map(RungWord::At)
            .ok_or_else(|| E::invalid_value(de::Unexpected::Signed(count), &self))
    }

    fn visit_u64<E: de::Error>(self, count: u64) -> Result<RungWord, E> {
        u32::try_from(count)
            .ok()
            .and_then(NonZeroU32::new)
            .map(RungWord::At)
            .ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(count), &self))
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<RungWord, E> {
        match self.words.iter().find(|known| **known == word) {
            Some(known) => Ok(RungWord::Word(known)),
            None => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
        }
    }
}

impl<'de> Deserialize<'de> for Rung {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = RungVisitor {
            words: &[NEVER],
            expected: "a count from 1 on, or \"never\"",
        };
        Ok(match deserializer.deserialize_any(visitor)? {
            RungWord::At(count) => Self::At(count),
            RungWord::Word(_) => Self::Never,
        })
    }
}

impl<'de> Deserialize<'de> for DenyRung {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = RungVisitor {
            words: &[NEVER, AFTER_CRITICAL],
            expected: "a count from 1 on, \"never\" or \"after-critical\"",
        };
        Ok(match deserializer.deserialize_any(visitor)? {
            RungWord::At(count) => Self::At(count),
            RungWord::Word(AFTER_CRITICAL) => Self::AfterCritical,
            RungWord::Word(_) => Self::Never,
        })
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{AFTER_CRITICAL, DenyRung, NEVER, Rung};

    impl JsonSchema for Rung {
        fn schema_name() -> Cow<'static, str> {
            "Rung".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "A number of occurrences, or \"never\".",
                "oneOf": [{"type": "integer", "minimum": 1, "maximum": u32::MAX}, {"type": "string", "const": NEVER}]
            })
        }
    }

    impl JsonSchema for DenyRung {
        fn schema_name() -> Cow<'static, str> {
            "DenyRung".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "A number of occurrences, \"after-critical\" (a call equal to the one that got a critical nudge), or \"never\".",
                "oneOf": [{"type": "integer", "minimum": 1, "maximum": u32::MAX}, {"type": "string", "enum": [NEVER, AFTER_CRITICAL]}]
            })
        }
    }
}
