//! Members whose names say that their values change: `"duration_ms":532`.

use super::{Kind, Recognised, text::ScannedText, text::is_word};
use crate::vocab::members;

/// Values longer than this tell something.
const LONGEST: usize = 128;

/// The value of the member whose name ends with the quote at `quote`, if its name says that it means nothing.
///
/// It may be a member of the output, or of JSON inside a string of it.
pub(super) fn value(text: &ScannedText<'_>, quote: usize) -> Option<Recognised> {
    let nested = text.before(quote) == b'\\';
    let name_end = quote - usize::from(nested);
    let name_start = text.start_of(name_end, 40, |byte| is_word(byte) || byte == b'-');
    if text.before(name_start) != b'"' {
        return None;
    }
    let start = text.end_of(quote + 2, |byte| byte == b' ').min(quote + 4);
    let first = text.at(start);
    let number = first.is_ascii_digit() || first == b'-';
    if !is_volatile(&text.bytes[name_start..name_end], number) {
        return None;
    }
    let end = if number {
        text.end_of(start, |byte| {
            byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
        })
    } else {
        string_end(text, start, nested)?
    };
    Some(Recognised {
        start,
        end,
        kind: Kind::Member,
    })
}

/// Where the string at `start` ends that is not empty and not long.
fn string_end(text: &ScannedText<'_>, start: usize, nested: bool) -> Option<usize> {
    let quote: &[u8] = if nested { b"\\\"" } else { b"\"" };
    if !text.says(start, quote) || text.says(start + quote.len(), quote) {
        return None;
    }
    let mut at = start + quote.len();
    while at - start < LONGEST {
        if text.says(at, quote) {
            return Some(at + quote.len());
        }
        match text.at(at) {
            b'"' | 0 => return None,
            b'\\' if nested => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

fn is_volatile(name: &[u8], number: bool) -> bool {
    let mut short = [0_u8; 40];
    let mut length = 0;
    for byte in name {
        if byte.is_ascii_alphanumeric() {
            short[length] = byte.to_ascii_lowercase();
            length += 1;
        }
    }
    let name = &short[..length];
    if members::is_volatile(name) {
        return true;
    }
    // Where these are texts, they are as often what was asked for.
    if members::is_volatile_number(name) {
        return number;
    }
    number
        && members::DURATIONS
            .iter()
            .any(|known| name.starts_with(known))
        || name.starts_with(b"elapsed")
        || (name.starts_with(b"duration") && length <= 10)
}
