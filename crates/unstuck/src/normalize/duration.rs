//! Durations and rates: how long it took says nothing about what came of it.

use super::{
    Kind, Recognised,
    text::{ScannedText, ends_with_word, is_word},
};

/// Words after which a bare number is a duration.
const LABELS: [&[u8]; 5] = [b"elapsed", b"duration", b"took", b"latency", b"elapsed_ms"];

/// `took`, and no label is shorter.
const SHORTEST_LABEL: usize = 4;

/// Words after which a whole number of seconds may be written `3 s`.
const LEADS: [&[u8]; 6] = [b"time", b"in", b"took", b"after", b"elapsed", b"duration"];

/// `milliseconds`, and no unit is longer.
const LONGEST_UNIT: usize = 12;

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    /// Seconds and less.
    Seconds,
    /// Minutes and hours, which need seconds behind them to be told from other things.
    Longer,
    /// `s` behind a space.
    LoneS,
    Rate,
}

/// The duration whose first number goes from `start` to `end`, with its label.
pub(super) fn find(
    text: &ScannedText<'_>,
    start: usize,
    end: usize,
    label: &[u8],
) -> Option<Recognised> {
    let after = text.at(end);
    let unit = if after == b' ' {
        text.at(end + 1)
    } else {
        after
    };
    // Most numbers end here.
    if after != b'.' && !starts_unit(unit) && !is_told(label) {
        return None;
    }
    if !text.is_number_start(start) {
        return None;
    }
    let end = whole(text, start, end, label)?;
    Some(Recognised {
        start,
        end,
        kind: Kind::Duration,
    })
}

fn whole(text: &ScannedText<'_>, start: usize, digits: usize, label: &[u8]) -> Option<usize> {
    let number = number_end(text, digits);
    let Some((mut end, mut unit)) = unit(text, number) else {
        // `took 3 steps` counts something else.
        let ends =
            matches!(text.at(number), b',' | b'}' | b']' | b')' | b';') || text.is_line_end(number);
        return (ends && is_told(label)).then_some(number);
    };
    match unit {
        // The eighties are not a duration.
        Unit::Seconds => {
            return (number - start != 4 || number > digits || end > number + 1).then_some(end);
        }
        Unit::Rate => return Some(end),
        Unit::LoneS => {
            let lead = number > digits || is_led(text, start);
            return lead.then_some(end);
        }
        Unit::Longer => {}
    }
    for _ in 0..3 {
        let next = [&b" and "[..], b", ", b" "]
            .into_iter()
            .find(|gap| text.says(end, gap))
            .map_or(end, |gap| end + gap.len());
        let digits = text.digits_end(next);
        if digits == next {
            return None;
        }
        (end, unit) = self::unit(text, number_end(text, digits))?;
        if matches!(unit, Unit::Seconds | Unit::LoneS) {
            return Some(end);
        }
    }
    None
}

/// Where a number ends whose whole part does at `digits`.
fn number_end(text: &ScannedText<'_>, digits: usize) -> usize {
    let fraction = text.digits_end(digits + 1);
    if text.at(digits) == b'.' && fraction > digits + 1 {
        fraction
    } else {
        digits
    }
}

/// The unit behind a number, and where it ends.
fn unit(text: &ScannedText<'_>, number: usize) -> Option<(usize, Unit)> {
    let spaced = text.at(number) == b' ';
    let at = number + usize::from(spaced);
    if !starts_unit(text.at(at)) {
        return None;
    }
    // Both ways to write the micro sign.
    if text.says(at, "µs".as_bytes()) || text.says(at, "μs".as_bytes()) {
        return (!is_word(text.at(at + 3))).then_some((at + 3, Unit::Seconds));
    }
    let end = text.end_of_within(at, LONGEST_UNIT + 1, |byte| byte.is_ascii_alphabetic());
    let word = text.bytes.get(at..end)?;
    if word.is_empty() || word.len() > LONGEST_UNIT {
        return None;
    }
    if text.says(end, b"/s") && is_countable(word) {
        let rate = end + 2 + usize::from(text.says(end + 2, b"ec")) * 2;
        return (!is_word(text.at(rate))).then_some((rate, Unit::Rate));
    }
    let unit = match word {
        b"s" if spaced => Unit::LoneS,
        b"s" | b"ms" | b"us" | b"ns" | b"sec" | b"secs" | b"second" | b"seconds" | b"msec"
        | b"msecs" | b"millisecond" | b"milliseconds" | b"microseconds" | b"nanoseconds" => {
            Unit::Seconds
        }
        b"m" | b"h" if !spaced => Unit::Longer,
        b"min" | b"mins" | b"minute" | b"minutes" | b"hr" | b"hrs" | b"hour" | b"hours" => {
            Unit::Longer
        }
        _ => return None,
    };
    let next = text.at(end);
    // `1m3s` goes on at once.
    let bound = if unit == Unit::Longer {
        next == b'_'
    } else {
        is_word(next)
    };
    (!bound).then_some((end, unit))
}

/// Whether a unit, or something countable, may start with this byte. Most of what follows a number does not.
fn starts_unit(byte: u8) -> bool {
    matches!(
        byte,
        b's' | b'm'
            | b'u'
            | b'n'
            | b'h'
            | b'i'
            | b'b'
            | b'k'
            | b'B'
            | b'K'
            | b'M'
            | b'G'
            | 0xc2
            | 0xce
    )
}

/// Whether so many of them a second are a speed.
fn is_countable(word: &[u8]) -> bool {
    matches!(
        word,
        b"it"
            | b"B"
            | b"kB"
            | b"KB"
            | b"MB"
            | b"GB"
            | b"KiB"
            | b"MiB"
            | b"GiB"
            | b"bytes"
            | b"bits"
            | b"Mbit"
    )
}

/// Whether a label says that a bare number is a duration.
fn is_told(label: &[u8]) -> bool {
    label.len() >= SHORTEST_LABEL && LABELS.iter().any(|known| ends_with_word(label, known))
}

fn is_led(text: &ScannedText<'_>, start: usize) -> bool {
    let before = text.start_of(start, 16, |byte| byte == b' ' || byte == b':');
    let word = text.start_of(before, 12, |byte| byte.is_ascii_alphabetic());
    let word = &text.bytes[word..before];
    LEADS.iter().any(|known| ends_with_word(word, known))
}
