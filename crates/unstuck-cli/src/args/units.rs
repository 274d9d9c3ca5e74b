//! Sizes and times with units, as arguments.

use std::{fmt, str::FromStr, time::Duration};

/// Number of bytes: `64MiB`, `10MB`, `512k` or a plain number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) u64);

/// Units of sizes. A letter alone is the binary unit, as in most tools that take it.
const SIZES: [(&str, u64); 14] = [
    ("b", 1),
    ("k", 1 << 10),
    ("kb", 1_000),
    ("kib", 1 << 10),
    ("m", 1 << 20),
    ("mb", 1_000_000),
    ("mib", 1 << 20),
    ("g", 1 << 30),
    ("gb", 1_000_000_000),
    ("gib", 1 << 30),
    ("t", 1 << 40),
    ("tb", 1_000_000_000_000),
    ("tib", 1 << 40),
    ("bytes", 1),
];

/// Units of times, in nanoseconds.
const TIMES: [(&str, u64); 8] = [
    ("us", 1_000),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", SECOND),
    ("sec", SECOND),
    ("m", 60 * SECOND),
    ("min", 60 * SECOND),
    ("h", 3_600 * SECOND),
];

const SECOND: u64 = 1_000_000_000;

impl Bytes {
    /// The number as an index; the largest one where it does not fit.
    pub(crate) fn to_usize(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write a size such as 64MiB, 10MB or 65536 (bytes)".to_owned();
        amount(text, &SIZES, 1).map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for Bytes {
    /// In the largest binary unit that divides it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        let fits = |(_, size): &(&str, u64)| self.0 > 0 && self.0.is_multiple_of(*size);
        match units.into_iter().find(fits) {
            Some((unit, size)) => write!(f, "{}{unit}", self.0 / size),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Parses a time of at least one second; a plain number is in seconds.
pub(crate) fn at_least_a_second(text: &str) -> Result<Duration, String> {
    within(text, Duration::from_secs(1), Duration::MAX)
}

/// Parses a time from one millisecond to one minute; a plain number is in seconds.
pub(crate) fn at_least_a_millisecond(text: &str) -> Result<Duration, String> {
    within(text, Duration::from_millis(1), Duration::from_mins(1))
}

/// Parses the time between two looks of `unstuck top`; a plain number is in seconds.
pub(crate) fn interval(text: &str) -> Result<Duration, String> {
    within(text, Duration::from_millis(100), Duration::from_hours(1))
}

fn within(text: &str, least: Duration, most: Duration) -> Result<Duration, String> {
    let nanoseconds = amount(text, &TIMES, SECOND);
    let nanoseconds = nanoseconds.ok_or("write a time such as 500ms, 30s, 10m or 30 (seconds)")?;
    let time = Duration::from_nanos(nanoseconds);
    if time < least {
        return Err(format!("the least is {least:?}; plain numbers are seconds"));
    }
    if time > most {
        return Err(format!("the most is {} seconds", most.as_secs()));
    }
    Ok(time)
}

/// A number, whole or with up to nine decimals, and its unit. Nothing is rounded.
fn amount(text: &str, units: &[(&str, u64)], plain: u64) -> Option<u64> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim().to_lowercase() {
        none if none.is_empty() => plain,
        unit => units.iter().find(|(name, _)| *name == unit)?.1,
    };
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    if decimals.is_empty() || decimals.len() > 9 || whole.is_empty() {
        return None;
    }
    let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
    let scale = 10_u128.pow(u32::try_from(decimals.len()).ok()?);
    let part = u128::from(decimals.parse::<u64>().ok()?) * u128::from(unit);
    if !part.is_multiple_of(scale) {
        return None;
    }
    whole.checked_add(u64::try_from(part / scale).ok()?)
}

#[cfg(test)]
#[path = "units_tests.rs"]
mod tests;
