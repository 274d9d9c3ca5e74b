//! `--since`: a span of time or a day.

use std::{
    str::FromStr,
    time::{Duration, SystemTime},
};

use jiff::{Timestamp, civil::Date, tz::TimeZone};

/// A point in the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// So long ago.
    Ago(Duration),
    /// In milliseconds since 1970.
    At(i64),
}

const WRONG: &str = "write a span such as 90m, 12h, 7d or 2w, a day such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z";

impl FromStr for Since {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((count, unit)) = text
            .char_indices()
            .last()
            .map(|(at, unit)| (&text[..at], unit))
            && let Ok(count) = count.parse::<u32>()
        {
            let seconds = match unit {
                'm' => 60,
                'h' => 3_600,
                'd' => 86_400,
                'w' => 7 * 86_400,
                _ => return Err(WRONG),
            };
            return Ok(Self::Ago(Duration::from_secs(u64::from(count) * seconds)));
        }
        if let Ok(day) = text.parse::<Date>() {
            // The day in the time zone of the machine.
            let start = day.to_zoned(TimeZone::system()).map_err(|_| WRONG)?;
            return Ok(Self::At(start.timestamp().as_millisecond()));
        }
        let time: Timestamp = text.parse().map_err(|_| WRONG)?;
        Ok(Self::At(time.as_millisecond()))
    }
}

impl Since {
    /// In milliseconds since 1970.
    pub fn milliseconds(self, now: SystemTime) -> i64 {
        match self {
            Self::Ago(span) => now.checked_sub(span).map_or(i64::MIN, milliseconds),
            Self::At(time) => time,
        }
    }
}

/// In milliseconds since 1970.
pub(crate) fn milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

#[cfg(test)]
#[path = "since_tests.rs"]
mod tests;
