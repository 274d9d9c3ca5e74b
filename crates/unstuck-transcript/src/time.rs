//! Times as transcripts write them, as milliseconds.

use unstuck::{JsonKind, JsonRef, Timestamp};

/// Numbers below this are seconds, those above it milliseconds: as milliseconds it is a day in 1973.
const LARGEST_SECONDS: f64 = 1e11;

/// A time in a member: ISO 8601, or seconds or milliseconds since 1970.
pub(crate) fn time(value: JsonRef<'_>) -> Option<Timestamp> {
    match value.kind() {
        JsonKind::String => iso(&value.text()?),
        JsonKind::Number => number(value.number()?),
        _ => None,
    }
}

fn number(number: f64) -> Option<Timestamp> {
    let milliseconds = if number.abs() < LARGEST_SECONDS {
        number * 1000.0
    } else {
        number
    };
    (milliseconds.abs() < 9e15).then_some(Timestamp(milliseconds as i64))
}

/// `2026-01-31T12:00:00.250Z`, also with a space, without seconds or with an offset. Without an offset it is UTC.
pub(crate) fn iso(text: &str) -> Option<Timestamp> {
    let text = text.trim_ascii();
    let (date, time) = text.split_at_checked(10)?;
    let time = time.strip_prefix(['T', 't', ' '])?;
    let (time, offset) = match time.find(['Z', 'z', '+', '-']) {
        None => (time, 0),
        Some(at) => (&time[..at], offset_seconds(&time[at..])?),
    };
    let (time, fraction) = match time.split_once(['.', ',']) {
        None => (time, 0),
        Some((time, digits)) => (time, thousandths(digits)?),
    };
    let mut parts = time.split(':').map(two_digits);
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = parts.next().unwrap_or(Some(0))?;
    // A leap second is written as the sixtieth.
    if parts.next().is_some() || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let seconds = days(date)? * 86_400 + hours * 3600 + minutes * 60 + seconds - offset;
    Some(Timestamp(seconds * 1000 + fraction))
}

/// Days since 1970 of `YYYY-MM-DD`.
fn days(date: &str) -> Option<i64> {
    let (year, rest) = date.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let year = if year.len() == 4 {
        digits(year)?
    } else {
        return None;
    };
    let (month, day) = (two_digits(month)?, two_digits(day)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years that start in March have their leap day at the end.
    let (year, month) = if month < 3 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Seconds east of Greenwich of `Z`, `+HH`, `+HHMM` or `+HH:MM`.
fn offset_seconds(text: &str) -> Option<i64> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, rest) = text.split_at(1);
    let (hours, minutes) = rest.split_at_checked(2)?;
    let minutes = match minutes.strip_prefix(':').unwrap_or(minutes) {
        "" => 0,
        minutes => two_digits(minutes)?,
    };
    let seconds = two_digits(hours)? * 3600 + minutes * 60;
    Some(if sign == "-" { -seconds } else { seconds })
}

/// Digits behind the point as milliseconds; what is finer is cut off.
fn thousandths(text: &str) -> Option<i64> {
    digits(text.get(..text.len().min(9))?)?;
    let mut kept = text.bytes().chain(std::iter::repeat(b'0'));
    Some((0..3).fold(0, |sum, _| {
        sum * 10 + i64::from(kept.next().unwrap_or(b'0') - b'0')
    }))
}

fn two_digits(text: &str) -> Option<i64> {
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
#[path = "time_tests.rs"]
mod tests;
