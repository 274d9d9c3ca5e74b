//! Times as transcripts write them, as milliseconds.

use unstuck::Timestamp;
use unstuck_json::{JsonKind, JsonRef};

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
///
/// Every line of most transcripts has one, so it is read by its places rather than split into words.
pub(crate) fn iso(text: &str) -> Option<Timestamp> {
    let text = text.trim_ascii().as_bytes();
    let (date, time) = text.split_first_chunk::<10>()?;
    let [b'T' | b't' | b' ', time @ ..] = time else {
        return None;
    };
    let (hours, rest) = two_digits(time)?;
    let (minutes, rest) = two_digits(rest.strip_prefix(b":")?)?;
    let (seconds, rest) = match rest {
        [b':', rest @ ..] => two_digits(rest)?,
        _ => (0, rest),
    };
    let (fraction, rest) = match rest {
        [b'.' | b',', rest @ ..] => thousandths(rest)?,
        _ => (0, rest),
    };
    // A leap second is written as the sixtieth.
    if hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let of_day = hours * 3600 + minutes * 60 + seconds;
    let seconds = days(date)? * 86_400 + of_day - offset_seconds(rest)?;
    Some(Timestamp(seconds * 1000 + fraction))
}

/// Days since 1970 of `YYYY-MM-DD`.
fn days(date: &[u8; 10]) -> Option<i64> {
    let (century, rest) = two_digits(date)?;
    let (year, rest) = two_digits(rest)?;
    let year = century * 100 + year;
    let (month, rest) = two_digits(rest.strip_prefix(b"-")?)?;
    let (day, _) = two_digits(rest.strip_prefix(b"-")?)?;
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

/// Seconds east of Greenwich of nothing, `Z`, `+HH`, `+HHMM` or `+HH:MM`.
fn offset_seconds(text: &[u8]) -> Option<i64> {
    let (sign, rest) = match text {
        [] | [b'Z' | b'z'] => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, rest) = two_digits(rest)?;
    let rest = rest.strip_prefix(b":").unwrap_or(rest);
    let (minutes, rest) = match rest {
        [] => (0, rest),
        _ => two_digits(rest)?,
    };
    rest.is_empty()
        .then_some(sign * (hours * 3600 + minutes * 60))
}

/// Digits behind the point as milliseconds, and what follows them; what is finer is cut off.
fn thousandths(text: &[u8]) -> Option<(i64, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    let (digits, rest) = text.split_at(digits.count());
    let place = |at| i64::from(digits.get(at).map_or(0, |digit| digit - b'0'));
    (!digits.is_empty()).then(|| (place(0) * 100 + place(1) * 10 + place(2), rest))
}

/// The number that two digits make, and what follows them.
fn two_digits(text: &[u8]) -> Option<(i64, &[u8])> {
    match text {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] => {
            Some((i64::from(tens - b'0') * 10 + i64::from(ones - b'0'), rest))
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;
