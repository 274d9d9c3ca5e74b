//! Recorded times as milliseconds.

use crate::trajectory::Moment;

/// Seconds above this are taken for milliseconds.
const LARGEST_SECONDS: f64 = 1e11;

impl Moment {
    /// Milliseconds since 1970, or nothing if it cannot be read.
    pub fn milliseconds(&self) -> Option<i64> {
        match self {
            Self::Number(number) => match number.as_i64() {
                #[expect(clippy::cast_precision_loss, reason = "only compared with a limit")]
                Some(whole) if (whole as f64) < LARGEST_SECONDS => whole.checked_mul(1000),
                Some(whole) => Some(whole),
                None => number.as_f64().map(|seconds| {
                    (if seconds < LARGEST_SECONDS {
                        seconds * 1000.0
                    } else {
                        seconds
                    }) as i64
                }),
            },
            Self::Text(text) => iso(text.trim()),
            Self::Other(_) => None,
        }
    }
}

/// `2026-01-31T12:00:00.250Z`, also with a space, without seconds, with an offset, or without a time. A time without an
/// offset is taken as UTC.
fn iso(text: &str) -> Option<i64> {
    let date = text.get(..10)?;
    let days = days(date)?;
    let Some(rest) = text.get(11..) else {
        return (text.len() == 10).then(|| days * 86_400_000);
    };
    let (time, offset) = match rest.find(['Z', '+', '-']) {
        None => (rest, 0),
        Some(at) => (&rest[..at], offset(&rest[at..])?),
    };
    let (time, fraction) = match time.split_once(['.', ',']) {
        None => (time, 0),
        Some((time, digits)) => (time, micros(digits)?),
    };
    let mut parts = time.split(':').map(two);
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = parts.next().unwrap_or(Some(0))?;
    if parts.next().is_some() || hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let seconds = days * 86_400 + hours * 3600 + minutes * 60 + seconds - offset;
    // By way of a double and back, as the reference scorer has it: the last millisecond depends on it.
    #[expect(clippy::cast_precision_loss, reason = "microseconds since 1970 fit")]
    let seconds = (seconds * 1_000_000 + fraction) as f64 / 1e6;
    Some((seconds * 1000.0) as i64)
}

/// Days since 1970 of `YYYY-MM-DD`.
fn days(date: &str) -> Option<i64> {
    let mut parts = date.split('-');
    let year = parts.next().filter(|year| year.len() == 4)?;
    let year: i64 = digits(year)?;
    let (month, day) = (two(parts.next()?)?, two(parts.next()?)?);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years that start in March have their leap day at the end.
    let (year, month) = if month < 3 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Seconds east of Greenwich of `Z`, `+HH:MM` or `+HHMM`.
fn offset(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, rest) = text.split_at(1);
    let (hours, minutes) = match rest.split_once(':') {
        Some(parts) => parts,
        None => rest.split_at_checked(2)?,
    };
    let minutes = if minutes.is_empty() { 0 } else { two(minutes)? };
    let seconds = two(hours)? * 3600 + minutes * 60;
    Some(if sign == "-" { -seconds } else { seconds })
}

/// Digits behind the point as microseconds; what is finer is cut off.
fn micros(text: &str) -> Option<i64> {
    let kept = text.get(..text.len().min(6))?;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits(kept)? * 10_i64.pow(6 - kept.len() as u32))
}

fn two(text: &str) -> Option<i64> {
    if text.len() == 2 { digits(text) } else { None }
}

fn digits(text: &str) -> Option<i64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;
