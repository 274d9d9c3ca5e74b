//! Strings: finding their ends, reading and writing their escapes, ordering them as keys.

use std::cmp::Ordering;

use super::JsonError;

/// The first `"`, `\` or control character from `at` on, or the end of the text.
#[inline]
pub(super) fn find_special(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let hits = special_bytes(u64::from_le_bytes(*word));
        if hits != 0 {
            return at + hits.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        if is_special(byte) {
            break;
        }
        at += 1;
    }
    at
}

#[inline]
fn is_special(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

/// The top bit of each byte that is special.
///
/// Borrows can mark bytes above a true hit by mistake, never below it: the lowest mark is right.
#[inline]
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let quote = word ^ (ONES * 0x22);
    let backslash = word ^ (ONES * 0x5c);
    let hits = (quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (word.wrapping_sub(ONES * 0x20) & !word);
    hits & (ONES * 0x80)
}

/// Appends what the string that starts at `at` (behind its quote) means; returns where it ended.
pub(super) fn unescape(text: &str, at: usize, decoded: &mut String) -> Result<usize, JsonError> {
    let bytes = text.as_bytes();
    let mut run = at;
    loop {
        let at = find_special(bytes, run);
        decoded.push_str(&text[run..at]);
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => {
                let (character, end) = escape(bytes, at)?;
                decoded.push(character);
                run = end;
            }
            Some(_) => return Err(JsonError::Control { at }),
            None => return Err(JsonError::End { at }),
        }
    }
}

/// Reads the escape whose backslash is at `at`, a surrogate pair as one; also gives its end.
pub(super) fn escape(bytes: &[u8], at: usize) -> Result<(char, usize), JsonError> {
    let character = match bytes.get(at + 1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(bytes, at),
        Some(_) => return Err(JsonError::Escape { at }),
        None => return Err(JsonError::End { at: bytes.len() }),
    };
    Ok((character, at + 2))
}

fn unicode_escape(bytes: &[u8], at: usize) -> Result<(char, usize), JsonError> {
    let first = hex4(bytes, at)?;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Ok((character, at + 6));
    }
    let pair = match bytes.get(at + 6..at + 8) {
        Some(b"\\u") => [first, hex4(bytes, at + 6)?],
        _ => return Err(JsonError::LoneSurrogate { at }),
    };
    match char::decode_utf16(pair).next() {
        Some(Ok(character)) => Ok((character, at + 12)),
        _ => Err(JsonError::LoneSurrogate { at }),
    }
}

/// The four hexadecimal digits of the `\u` escape at `at`.
pub(super) fn hex4(bytes: &[u8], at: usize) -> Result<u16, JsonError> {
    let mut unit = 0;
    for place in at + 2..at + 6 {
        let byte = *bytes.get(place).ok_or(JsonError::End { at: bytes.len() })?;
        let digit = char::from(byte)
            .to_digit(16)
            .ok_or(JsonError::Escape { at })?;
        unit = unit << 4 | digit as u16;
    }
    Ok(unit)
}

/// Appends `text` as a canonical JSON string.
pub(super) fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    let mut run = 0;
    loop {
        let at = find_special(text.as_bytes(), run);
        out.push_str(&text[run..at]);
        let Some(&byte) = text.as_bytes().get(at) else {
            break;
        };
        write_char(char::from(byte), out);
        run = at + 1;
    }
    out.push('"');
}

/// Appends one character of a string in its canonical spelling.
pub(super) fn write_char(character: char, out: &mut String) {
    let short = match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{8}' => "\\b",
        '\t' => "\\t",
        '\n' => "\\n",
        '\u{c}' => "\\f",
        '\r' => "\\r",
        '\0'..='\u{1f}' => {
            let code = character as u32;
            out.push_str("\\u00");
            out.push(if code < 0x10 { '0' } else { '1' });
            out.extend(char::from_digit(code & 0xf, 16));
            return;
        }
        _ => {
            out.push(character);
            return;
        }
    };
    out.push_str(short);
}

/// Orders two keys in their canonical spelling (without quotes) by the UTF-16 units they stand for.
pub(super) fn compare_keys(left: &[u8], right: &[u8]) -> Ordering {
    let common = left.iter().zip(right).position(|(a, b)| a != b);
    // Escapes sort by what they mean, not by their backslash.
    if left.contains(&b'\\') || right.contains(&b'\\') {
        return compare_escaped_keys(left, right);
    }
    match common {
        Some(place) => utf16_rank(left[place]).cmp(&utf16_rank(right[place])),
        None => left.len().cmp(&right.len()),
    }
}

/// Turns the order of UTF-8 bytes into that of UTF-16 units.
///
/// The two differ in one case: characters beyond U+FFFF (first byte F0 and up) are surrogates in
/// UTF-16 and sort before U+E000 to U+FFFF (first byte EE or EF).
#[inline]
fn utf16_rank(byte: u8) -> u8 {
    if matches!(byte, 0xee | 0xef) {
        byte + 0x10
    } else {
        byte
    }
}

#[cold]
fn compare_escaped_keys(left: &[u8], right: &[u8]) -> Ordering {
    ranks(left).cmp(ranks(right))
}

/// The ranks of the bytes a canonical key stands for.
fn ranks(key: &[u8]) -> impl Iterator<Item = u8> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let byte = *key.get(at)?;
        if byte != b'\\' {
            at += 1;
            return Some(utf16_rank(byte));
        }
        // Canonical escapes are well-formed and stand for one ASCII character each.
        let (character, end) = escape(key, at).ok()?;
        at = end;
        Some(character as u8)
    })
}

#[cfg(test)]
#[path = "string_tests.rs"]
mod tests;
