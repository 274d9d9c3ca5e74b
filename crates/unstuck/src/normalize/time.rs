//! Timestamps: a date with a time of day, a time of day to the second, seconds since 1970.
//!
//! A date alone is not a timestamp: it is as often what was asked for.

use super::{Kind, Recognised, text::ScannedText, text::is_word};

const MONTHS: &[u8] = b"janfebmaraprmayjunjulaugsepoctnovdec";
const WEEKDAYS: &[u8] = b"montuewedthufrisatsun";

/// The timestamp whose first number goes from `start` to `end`, or whose time of day starts there.
pub(super) fn find(text: &ScannedText<'_>, start: usize, end: usize) -> Option<Recognised> {
    let found = |start, end| {
        Some(Recognised {
            start,
            end,
            kind: Kind::Time,
        })
    };
    match (end - start, text.at(end)) {
        (4, b'-' | b'/') if text.is_number_start(start) => {
            found(start, date_and_clock(text, start)?)
        }
        (8, b'T') if !text.follows_word(start) => found(start, compact(text, start)?),
        (1 | 2, b':') => {
            let (start, end) = clock_with_date(text, start)?;
            found(start, end)
        }
        (10 | 13 | 16 | 19, _) => found(start, epoch(text, start, end)?),
        _ => None,
    }
}

/// `2026-11-15T09:01:02.123Z` and its kin.
fn date_and_clock(text: &ScannedText<'_>, start: usize) -> Option<usize> {
    let separator = text.at(start + 4);
    let year = matches!(
        (text.at(start), text.at(start + 1)),
        (b'1', b'9') | (b'2', b'0')
    );
    let shaped = two(text, start + 5) && text.at(start + 7) == separator && two(text, start + 8);
    if !year || !shaped {
        return None;
    }
    let day = start + 10;
    let clock = match text.at(day) {
        b'T' | b't' | b'_' => day + 1,
        b' ' => text.end_of(day, |byte| byte == b' ').min(day + 3),
        _ => return None,
    };
    let minutes = hours_and_minutes(text, clock)?;
    Some(zone_end(
        text,
        seconds_end(text, minutes).unwrap_or(minutes),
    ))
}

/// `20261115T090102Z`.
fn compact(text: &ScannedText<'_>, start: usize) -> Option<usize> {
    let end = text.digits_end(start + 9);
    let end = match (end - start, text.at(end)) {
        (13 | 15, b'Z') => end + 1,
        (13 | 15, _) => end,
        _ => return None,
    };
    (!is_word(text.at(end))).then_some(end)
}

/// A time of day, with the date that may stand before or behind it.
fn clock_with_date(text: &ScannedText<'_>, start: usize) -> Option<(usize, usize)> {
    let minutes = hours_and_minutes(text, start)?;
    let seconds = seconds_end(text, minutes);
    let date = date_before(text, start);
    if date.is_none()
        && (matches!(text.before(start), b':' | b'.' | b'-' | b'/') || text.follows_word(start))
    {
        return None;
    }
    let mut end = match (seconds, date) {
        (Some(end), _) => end,
        (None, Some(_)) if !is_word(text.at(minutes)) => minutes,
        _ => return None,
    };
    end = zone_end(text, end);
    if date.is_some() && text.at(end) == b' ' && matches!(text.at(end + 1), b'1' | b'2') {
        let year = text.digits_end(end + 1);
        if year == end + 5 && !is_word(text.at(year)) {
            end = year;
        }
    }
    Some((date.unwrap_or(start), end))
}

/// Where a date that ends before `at` starts: `Nov 15 `, `Sun, 15 Nov 2026 `, `10/Nov/2026:`, `11/15/2026 `.
fn date_before(text: &ScannedText<'_>, at: usize) -> Option<usize> {
    let mut start = at;
    let mut accepted = None;
    let (mut day, mut month, mut numbers) = (false, false, 0);
    for _ in 0..4 {
        let gap = text.start_of(start, 3, |byte| {
            matches!(byte, b' ' | b',' | b'/' | b'-' | b':')
        });
        if gap == start {
            break;
        }
        let word = text.start_of(gap, 10, u8_alphanumeric);
        let mut piece = &text.bytes[word..gap];
        // The letter of a line break sticks to the word.
        let mut from = word;
        if text.before(word) == b'\\' && piece.len() > 1 {
            piece = &piece[1..];
            from += 1;
        }
        let number = piece.iter().all(u8::is_ascii_digit);
        match piece.len() {
            1 | 2 if number && !day => {
                day = true;
                numbers += 1;
            }
            1 | 2 if number && !month && text.at(gap) == b'/' => {
                numbers += 1;
            }
            4 if number && !month => numbers += 1,
            3..=9 if !month && is_named(MONTHS, piece) => month = true,
            3..=9 if is_named(WEEKDAYS, piece) => {
                return if month { Some(from) } else { accepted };
            }
            _ => break,
        }
        start = from;
        let slashes = numbers == 3 && text.at(gap) == b'/';
        if month || slashes {
            accepted = Some(start);
        }
    }
    accepted
}

fn u8_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// Whether a word starts with one of these names of three letters.
fn is_named(names: &[u8], word: &[u8]) -> bool {
    let Some(start) = word.first_chunk::<3>() else {
        return false;
    };
    let lower = start.map(|byte| byte.to_ascii_lowercase());
    word[0].is_ascii_uppercase() && names.chunks_exact(3).any(|name| name == lower)
}

fn epoch(text: &ScannedText<'_>, start: usize, end: usize) -> Option<usize> {
    // From 2017 to 2033.
    let plausible = text.at(start) == b'1' && matches!(text.at(start + 1), b'5'..=b'9');
    let before = text.before(start);
    let after = text.at(end);
    // In quotes it is an identifier, and as part of something longer it is part of that.
    let bound = (before == b'"' && matches!(after, b'"' | b'\\'))
        || matches!(before, b'#' | b'-' | b'/' | b'$' | b'+')
        || !text.is_number_start(start)
        || is_word(after)
        || matches!(after, b'-' | b'/');
    if !plausible || bound {
        return None;
    }
    let fraction = text.digits_end(end + 1);
    if after == b'.' && fraction > end + 1 {
        return (!is_word(text.at(fraction))).then_some(fraction);
    }
    Some(end)
}

/// The end of `9:01` or `09:01`.
fn hours_and_minutes(text: &ScannedText<'_>, at: usize) -> Option<usize> {
    let colon = text.digits_end(at);
    let shaped = matches!(colon - at, 1 | 2) && text.at(colon) == b':' && sixty(text, colon + 1);
    shaped.then_some(colon + 3)
}

/// The end of `:02.123` behind minutes.
fn seconds_end(text: &ScannedText<'_>, at: usize) -> Option<usize> {
    if text.at(at) != b':' || !sixty(text, at + 1) {
        return None;
    }
    let end = at + 3;
    let goes_on = |end| {
        text.at(end).is_ascii_digit() || (text.at(end) == b':' && text.at(end + 1).is_ascii_digit())
    };
    if matches!(text.at(end), b'.' | b',') {
        let fraction = text.digits_end(end + 1);
        if fraction > end + 1 && !goes_on(fraction) {
            return Some(fraction);
        }
    }
    (!goes_on(end)).then_some(end)
}

/// The end of a zone, or of `AM` and `PM`, behind a time of day.
fn zone_end(text: &ScannedText<'_>, at: usize) -> usize {
    let mut end = at;
    for half in [b"AM", b"PM", b"am", b"pm"] {
        let from = if text.at(end) == b' ' { end + 1 } else { end };
        if text.says(from, half) && !is_word(text.at(from + 2)) {
            end = from + 2;
            break;
        }
    }
    let from = if text.at(end) == b' ' { end + 1 } else { end };
    let named = text.letters_end(from);
    let name = &text.bytes[from.min(text.bytes.len())..named.min(text.bytes.len())];
    if matches!(
        name,
        b"Z" | b"z" | b"UTC" | b"GMT" | b"CET" | b"CEST" | b"PST" | b"PDT" | b"EST" | b"EDT"
    ) && !is_word(text.at(named))
    {
        return named;
    }
    if matches!(text.at(from), b'+' | b'-') && two(text, from + 1) {
        let minutes = from + 3 + usize::from(text.at(from + 3) == b':');
        let zone = if two(text, minutes) {
            minutes + 2
        } else {
            from + 3
        };
        if !is_word(text.at(zone)) {
            return zone;
        }
    }
    end
}

/// Whether two digits stand at `at`.
fn two(text: &ScannedText<'_>, at: usize) -> bool {
    text.at(at).is_ascii_digit() && text.at(at + 1).is_ascii_digit()
}

/// Whether minutes or seconds stand at `at`.
fn sixty(text: &ScannedText<'_>, at: usize) -> bool {
    two(text, at) && text.at(at) <= b'6'
}
