//! Strings: finding their ends, reading and writing their escapes, ordering them as keys.

use std::cmp::Ordering;

use super::JsonError;

/// How strings and numbers without an exact value are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// They are errors.
    Exact,
    /// The nearest value is used.
    Lossy,
}

/// How many bytes are judged at once: one vector register on every target.
const BLOCK: usize = 16;

/// The same for mostly long strings: the texts of calls and results.
const WIDE: usize = 2 * BLOCK;

/// A one in each byte of a word.
const ONES: u64 = u64::MAX / 255;

/// Where the canonical spelling that starts at `at`, inside a string, ends: at the closing quote,
/// at a control character, at an escape other than the short ones, or with the text.
///
/// Escapes are frequent in code and in prose with line breaks, and a search that stops at each
/// mispredicts a branch at each. So the short ones are judged in passing, a block at a time.
#[inline]
pub(crate) fn run_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        // Most strings are short: the first bytes go without the blocks.
        let limit = at + BLOCK;
        while at < limit {
            at = match next_word(bytes, at) {
                Some(word) => match special_bytes(word) {
                    0 => {
                        at += 8;
                        continue;
                    }
                    hits => at + first_marked(hits),
                },
                None => find_special(bytes, at),
            };
            match bytes.get(at..at + 2) {
                Some(&[b'\\', byte]) if is_short_escape(byte) => at += 2,
                _ => return at,
            }
        }
        at = skip_plain_blocks(bytes, at);
    }
}

/// Behind the closing quote of the string whose inside starts at `at`, whatever it holds.
#[inline]
pub(crate) fn string_end(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let mut at = at;
    loop {
        // Most strings are short: the first bytes go without the blocks, and so does what follows an escaped
        // backslash, which the blocks would take for the start of an escape.
        let limit = at + BLOCK;
        while at < limit || bytes.get(at - 1) == Some(&b'\\') {
            at = match next_word(bytes, at) {
                Some(word) => match special_bytes(word) {
                    0 => {
                        at += 8;
                        continue;
                    }
                    hits => at + first_marked(hits),
                },
                None => find_special(bytes, at),
            };
            match bytes.get(at) {
                Some(b'"') => return Ok(at + 1),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => return Err(JsonError::End { at: bytes.len() }),
            }
        }
        at = skip_inside_blocks(bytes, at);
    }
}

/// Passes over whole blocks from `start` on, which is not the first byte, that surely do not end the string.
///
/// The end of a block may fall into an escape; the result never does.
// Inlined, its constants would be loaded for short strings too.
#[inline(never)]
fn skip_inside_blocks(bytes: &[u8], start: usize) -> usize {
    let at = skip_blocks(bytes, start - 1, is_inside) + 1;
    // No block passed holds two backslashes in a row, so this one starts an escape.
    at + usize::from(at > start && bytes.get(at - 1) == Some(&b'\\'))
}

/// Passes over blocks behind the byte at `before` for which `passes` is true. It is given the bytes before those of the
/// block, and those of the block. Returns the position of the last byte that was passed over.
#[inline]
fn skip_blocks(
    bytes: &[u8],
    before: usize,
    passes: impl Fn(&[u8; WIDE], &[u8; WIDE]) -> bool,
) -> usize {
    let mut at = before;
    while let Some(window) = bytes.get(at..at + WIDE + 1)
        && let (Some(before), Some(block)) = (window.first_chunk(), window.last_chunk())
        && passes(before, block)
    {
        at += WIDE;
    }
    at
}

/// Whether a block, each byte with the one before it, surely goes on inside the string.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "only without branches it compiles to vector instructions"
)]
fn is_inside(before: &[u8; WIDE], block: &[u8; WIDE]) -> bool {
    let mut odd = false;
    for (&before, &byte) in before.iter().zip(block) {
        let escaped = before == b'\\';
        odd |= ((byte == b'"') & !escaped) | ((byte == b'\\') & escaped);
    }
    !odd
}

/// Whether a backslash and this byte are an escape in its canonical spelling.
#[inline]
fn is_short_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// Passes over whole blocks from `start` on that hold nothing but plain text and short escapes.
///
/// The end of a block may fall into an escape; the result never does.
// Inlined, its constants would be loaded for short strings too.
#[inline(never)]
fn skip_plain_blocks(bytes: &[u8], start: usize) -> usize {
    // The blocks judge each byte by the one before it; the very first has none.
    if !matches!(bytes.get(start), Some(&byte) if byte != b'"' && byte >= 0x20) {
        return start;
    }
    let at = skip_blocks(bytes, start, is_plain);
    // No block passed holds two backslashes in a row, so this one starts an escape.
    at + usize::from(at > start && bytes.get(at - 1) == Some(&b'\\'))
}

/// Whether no byte of a block, each with the one before it, needs a closer look.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "only without branches it compiles to vector instructions"
)]
fn is_plain(before: &[u8; WIDE], block: &[u8; WIDE]) -> bool {
    let mut odd = false;
    for (&before, &byte) in before.iter().zip(block) {
        let escaped = before == b'\\';
        // `b` and `f` differ in one bit. `\\` is left out: what follows it is not escaped.
        let short =
            (byte == b'"') | (byte | 4 == b'f') | (byte == b'n') | (byte == b'r') | (byte == b't');
        odd |= (byte < 0x20) | ((byte == b'"') & !escaped) | (escaped & !short);
    }
    !odd
}

/// The first `"`, `\` or control character from `at` on, or the end of the text.
#[inline]
pub(crate) fn find_special(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(word) = next_word(bytes, at) {
        let hits = special_bytes(word);
        if hits != 0 {
            return at + first_marked(hits);
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at)
        && byte != b'"'
        && byte != b'\\'
        && byte >= 0x20
    {
        at += 1;
    }
    at
}

#[inline]
fn next_word(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at + 8)?.first_chunk()?;
    Some(u64::from_le_bytes(*word))
}

/// Marks the top bit of each byte that is `"`, `\` or a control character.
///
/// Borrows can mark bytes above a true hit by mistake, never below it: the lowest mark is right.
#[inline]
fn special_bytes(word: u64) -> u64 {
    // Swapping 0x20 and 0x22 puts the quote right behind the control characters.
    let quote_or_control = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
    (quote_or_control | backslash) & !word & (ONES * 0x80)
}

#[inline]
fn first_marked(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// Checks that the run ended at `at` because the string did.
#[inline]
pub(crate) fn closing_quote(bytes: &[u8], at: usize) -> Result<(), JsonError> {
    match bytes.get(at) {
        Some(b'"') => Ok(()),
        Some(_) => Err(JsonError::Control { at }),
        None => Err(JsonError::End { at }),
    }
}

/// Appends the value of the string that starts at `at` (behind its quote); returns the position of its end.
pub(crate) fn unescape(
    text: &str,
    at: usize,
    decoded: &mut String,
    reading: Reading,
) -> Result<usize, JsonError> {
    let bytes = text.as_bytes();
    let mut run = at;
    loop {
        let at = find_special(bytes, run);
        decoded.push_str(&text[run..at]);
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(_) => {
                let (character, end) = special(bytes, at, reading)?;
                decoded.push(character);
                run = end;
            }
            None => return Err(JsonError::End { at }),
        }
    }
}

/// Returns the value of the escape or control character at `at`, and the position of its end.
pub(crate) fn special(
    bytes: &[u8],
    at: usize,
    reading: Reading,
) -> Result<(char, usize), JsonError> {
    match (bytes.get(at), reading) {
        (Some(&byte @ 0..0x20), Reading::Lossy) => Ok((char::from(byte), at + 1)),
        (Some(0..0x20), Reading::Exact) => Err(JsonError::Control { at }),
        (_, Reading::Exact) => escape(bytes, at),
        (_, Reading::Lossy) => match escape(bytes, at) {
            Err(JsonError::LoneSurrogate { at }) => Ok((char::REPLACEMENT_CHARACTER, at + 6)),
            read => read,
        },
    }
}

/// Reads the escape whose backslash is at `at`, a surrogate pair as one; also gives its end.
pub(crate) fn escape(bytes: &[u8], at: usize) -> Result<(char, usize), JsonError> {
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
pub(crate) fn hex4(bytes: &[u8], at: usize) -> Result<u16, JsonError> {
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
pub(crate) fn write_quoted(text: &str, out: &mut String) {
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
pub(crate) fn write_char(character: char, out: &mut String) {
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

/// The first eight bytes of a key as a number: where two differ, so do the keys, in the same order.
///
/// `bytes` hold the key in its canonical spelling, from `start` to `end`, and whatever follows it.
#[inline]
pub(crate) fn key_prefix(bytes: &[u8], start: usize, end: usize) -> u64 {
    let Some(word) = next_word(bytes, start) else {
        return respelled_prefix(&bytes[start..end]);
    };
    let beyond = 8_usize.saturating_sub(end - start) as u32 * 8;
    let prefix = word.swap_bytes() & u64::MAX.checked_shl(beyond).unwrap_or(0);
    if sorts_as_spelled(prefix) {
        prefix
    } else {
        respelled_prefix(&bytes[start..end])
    }
}

/// Whether eight bytes are ASCII without escapes: nothing else sorts as it is spelled.
#[inline]
fn sorts_as_spelled(bytes: u64) -> bool {
    let backslash = (bytes ^ (ONES * 0x5c)).wrapping_sub(ONES);
    (backslash | bytes) & (ONES * 0x80) == 0
}

#[cold]
fn respelled_prefix(key: &[u8]) -> u64 {
    KeyPart::at(key, 0).ranks
}

/// Up to eight ranks of a key, from some place in it on. Parts of two keys that agree in everything before them are in the
/// order of the keys; where they are equal and full, the next parts decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KeyPart {
    ranks: u64,
    /// How many ranks there are. A key that ends sorts before one that goes on with a zero.
    len: u8,
}

impl KeyPart {
    /// The part of a key in its canonical spelling that begins at `at`.
    pub(crate) fn at(key: &[u8], at: usize) -> Self {
        Self::with_end(key, at).0
    }

    /// The part that begins at `at`, and where the next one begins.
    pub(crate) fn with_end(key: &[u8], at: usize) -> (Self, usize) {
        if let Some(word) = next_word(key, at)
            && sorts_as_spelled(word)
        {
            let ranks = word.swap_bytes();
            return (Self { ranks, len: 8 }, at + 8);
        }
        let mut ranks = [0; 8];
        let (mut len, mut end) = (0, at);
        for place in &mut ranks {
            let Some((rank, next)) = rank_at(key, end) else {
                break;
            };
            *place = rank;
            len += 1;
            end = next;
        }
        let ranks = u64::from_be_bytes(ranks);
        (Self { ranks, len }, end)
    }

    /// Whether the key may go on behind it.
    pub(crate) fn is_full(self) -> bool {
        self.len == 8
    }
}

/// Orders two keys in their canonical spelling (without quotes) by the UTF-16 units they stand for.
pub(crate) fn compare_keys(left: &[u8], right: &[u8]) -> Ordering {
    let common = left.iter().zip(right).position(|(a, b)| a != b);
    // Escapes are ordered by their value, not by their backslash.
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

/// The ranks of the bytes of a canonical key's value.
fn ranks(key: &[u8]) -> impl Iterator<Item = u8> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (rank, next) = rank_at(key, at)?;
        at = next;
        Some(rank)
    })
}

/// The rank of the byte, or of the escape, at `at`, and where the next one begins.
fn rank_at(key: &[u8], at: usize) -> Option<(u8, usize)> {
    let byte = *key.get(at)?;
    if byte != b'\\' {
        return Some((utf16_rank(byte), at + 1));
    }
    // Canonical escapes are well-formed and stand for one ASCII character each.
    let (character, end) = escape(key, at).ok()?;
    Some((character as u8, end))
}

#[cfg(test)]
#[path = "string_tests.rs"]
mod tests;
