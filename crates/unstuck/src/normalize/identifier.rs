//! Identifiers that are drawn at random: addresses, uuids, hashes, nonces, tokens.

use super::{Kind, Recognised, text::ScannedText, text::is_word};

/// Hexadecimal digits that make an identifier, if letters are among them.
const HEX: usize = 8;

/// Hexadecimal digits that make an address: shorter ones are constants.
const ADDRESS: usize = 6;

/// Letters and digits that make a token.
const TOKEN: usize = 20;

/// Longer words are not identifiers but data: keys, pictures, archives as text.
const LONGEST: usize = 4_096;

/// The identifier in, or around, the word from `start` to `end`.
pub(super) fn find(text: &ScannedText<'_>, start: usize, end: usize) -> Option<Recognised> {
    let word = &text.bytes[start..end];
    // Shorter words are parts of uuids at best, and most words are shorter.
    if word.len() < HEX && text.before(start) != b'-' || word.len() > LONGEST {
        return None;
    }
    let found = |start, end, kind| Some(Recognised { start, end, kind });
    if let [b'0', b'x' | b'X', digits @ ..] = word
        && digits.len() >= ADDRESS
        && digits.iter().all(u8::is_ascii_hexdigit)
    {
        return found(start, end, Kind::Address);
    }
    if let Some((start, end)) = uuid(text, start, end) {
        return found(start, end, Kind::Identifier);
    }
    if is_token(word) {
        return found(start, end, Kind::Identifier);
    }
    // `chatcmpl_…`: what was drawn stands behind the last underscore.
    let part = word
        .iter()
        .rposition(|&byte| byte == b'_')
        .map_or(0, |at| at + 1);
    let (front, tail) = word.split_at(part);
    let fraction =
        text.before(start) == b'.' && text.before(start.saturating_sub(1)).is_ascii_digit();
    let token = part > 0 && is_token(tail);
    if !token && (!is_hash(tail) || fraction) {
        return None;
    }
    let start = if is_token(front) { start } else { start + part };
    found(start, end, Kind::Identifier)
}

/// The uuid that the hexadecimal word from `start` to `end` is a group of.
fn uuid(text: &ScannedText<'_>, start: usize, end: usize) -> Option<(usize, usize)> {
    let length = end - start;
    if length == 8 {
        return uuid_at(text, start);
    }
    if !matches!(length, 4 | 12) || text.before(start) != b'-' {
        return None;
    }
    // The groups before this one held no digit.
    [9, 14, 19, 24]
        .into_iter()
        .filter_map(|back| start.checked_sub(back))
        .filter(|&from| from >= text.floor)
        .find_map(|from| uuid_at(text, from))
}

fn uuid_at(text: &ScannedText<'_>, start: usize) -> Option<(usize, usize)> {
    let candidate = text.bytes.get(start..start + 36)?;
    let shaped = candidate.iter().enumerate().all(|(at, &byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    let alone = !text.follows_word(start) && !is_word(text.at(start + 36));
    (shaped && alone).then_some((start, start + 36))
}

/// Hexadecimal, of some length, in one case, letters and digits.
fn is_hash(word: &[u8]) -> bool {
    if word.len() < HEX {
        return false;
    }
    let (mut lower, mut upper, mut digits) = (0, 0, 0);
    for byte in word {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'a'..=b'f' => lower += 1,
            b'A'..=b'F' => upper += 1,
            _ => return false,
        }
    }
    digits > 0 && (lower > 0) != (upper > 0) && !is_exponent(word)
}

/// `12345678e5` is a number.
fn is_exponent(word: &[u8]) -> bool {
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic());
    letters.clone().count() == 1
        && letters.clone().all(|byte| matches!(byte, b'e' | b'E'))
        && word.last().is_some_and(u8::is_ascii_digit)
        && word.len() < 2 * HEX
}

/// A bit for digits, small letters and capitals each.
#[inline]
fn class(byte: u8) -> u8 {
    u8::from(byte.is_ascii_digit())
        | u8::from(byte.is_ascii_lowercase()) << 1
        | u8::from(byte.is_ascii_uppercase()) << 2
}

/// Long, of both cases and digits, and changing between them too often for a name.
fn is_token(word: &[u8]) -> bool {
    // Most long words are in one case. Without a branch this compiles to vector instructions.
    let capital = |any, byte: &u8| any | byte.is_ascii_uppercase();
    if word.len() < TOKEN || !word.iter().fold(false, capital) {
        return false;
    }
    let mut runs = 1;
    let mut classes = 0;
    let mut before = class(word[0]);
    for &byte in word {
        let now = class(byte);
        classes |= now;
        runs += usize::from(now != before);
        before = now;
    }
    classes == 7 && runs * 2 >= word.len()
}
