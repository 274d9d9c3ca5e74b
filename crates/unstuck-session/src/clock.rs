//! The time, for events and for people.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: i64 = 86_400_000;

/// Milliseconds since 1970.
pub fn now() -> i64 {
    milliseconds(SystemTime::now())
}

/// Milliseconds since the machine was started, sleep included, where the system tells. Nothing sets this clock back.
#[cfg(unix)]
pub fn since_boot() -> Option<i64> {
    use nix::time::{ClockId, clock_gettime};
    #[cfg(target_os = "linux")]
    const CLOCK: ClockId = ClockId::CLOCK_BOOTTIME;
    #[cfg(not(target_os = "linux"))]
    const CLOCK: ClockId = ClockId::CLOCK_MONOTONIC;
    let time = clock_gettime(CLOCK).ok()?;
    // Both have 32 bits on some systems.
    #[cfg_attr(
        target_pointer_width = "64",
        expect(clippy::useless_conversion, reason = "both have 64 bits here")
    )]
    let (seconds, nanoseconds) = (i64::from(time.tv_sec()), i64::from(time.tv_nsec()));
    Some(seconds * 1_000 + nanoseconds / 1_000_000)
}

/// Milliseconds since the machine was started, where the system tells.
#[cfg(not(unix))]
pub fn since_boot() -> Option<i64> {
    None
}

/// A time in milliseconds since 1970.
pub fn milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(0))
}

/// `2026-11-15T06:42:25Z`.
pub fn utc(milliseconds: i64) -> String {
    let days = milliseconds.div_euclid(DAY);
    let seconds = milliseconds.rem_euclid(DAY) / 1_000;
    // The Gregorian calendar, in years that begin in March, so that a leap day is a year's last.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = (march_month + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// `3 min ago`.
pub fn ago(then: i64, now: i64) -> String {
    let seconds = now.saturating_sub(then).max(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;
