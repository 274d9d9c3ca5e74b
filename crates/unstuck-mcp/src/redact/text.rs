//! Finds the secrets in a text.

use std::{borrow::Cow, ops::Range};

use super::{
    REDACTED,
    opaque::{count, is_opaque},
};

/// Parts of names that stand before a secret, without case and separators, in order.
const NAMES: [&str; 30] = [
    "accesskey",
    "accountkey",
    "apikey",
    "authkey",
    "authorization",
    "bearer",
    "cardnumber",
    "connectionstring",
    "cookie",
    "credential",
    "creditcard",
    "cvc",
    "cvv",
    "encryptionkey",
    "jwt",
    "masterkey",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "pwd",
    "secret",
    "sessionid",
    "sharedkey",
    "signature",
    "signingkey",
    "ssn",
    "token",
];

/// Where in [`NAMES`] those stand that start with a byte: most places in a word need no look at any.
const STARTING_WITH: [(usize, usize); 256] = {
    let mut ranges = [(0, 0); 256];
    let mut at = 0;
    while at < NAMES.len() {
        let range = &mut ranges[NAMES[at].as_bytes()[0] as usize];
        if range.1 == 0 {
            range.0 = at;
        }
        at += 1;
        range.1 = at;
    }
    ranges
};

/// Words after which a space is enough.
const SCHEMES: [&str; 5] = ["bearer", "basic", "digest", "apikey", "token"];

/// A text without what looks like a secret.
///
/// ```
/// assert_eq!(unstuck_mcp::redact("curl -u x https://joe:pa55@host/a?b=1"), "curl -u x https://[redacted]@host/a?b=1");
/// assert_eq!(unstuck_mcp::redact("read src/auth.py"), "read src/auth.py");
/// ```
pub fn redact(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    redact_any(text)
}

/// Names and small numbers, as most names and ids are.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() <= 16 && bytes.iter().all(u8::is_ascii_lowercase)
        || bytes.len() <= 8 && bytes.iter().all(u8::is_ascii_digit)
}

pub(super) fn redact_any(text: &str) -> Cow<'_, str> {
    let mut found = Vec::new();
    find_keys(text, &mut found);
    find_credentials(text, &mut found);
    find_numbers(text, &mut found);
    find_words(text, &mut found);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    found.sort_unstable_by_key(|range| range.start);
    let mut clean = String::with_capacity(text.len());
    let mut at = 0;
    for range in found {
        if range.end <= at {
            continue;
        }
        // Two that overlap are one.
        if range.start >= at {
            clean.push_str(&text[at..range.start]);
            clean.push_str(REDACTED);
        }
        at = range.end;
    }
    clean.push_str(&text[at..]);
    Cow::Owned(clean)
}

/// Is this the name of something secret?
pub(super) fn names_a_secret(name: &str) -> bool {
    if name.len() > 64 {
        return false;
    }
    let mut letters = [0; 64];
    let mut length = 0;
    for byte in name.bytes().filter(u8::is_ascii_alphanumeric) {
        letters[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    let plain = &letters[..length];
    let begins = |rest: &[u8]| {
        let (from, to) = STARTING_WITH[usize::from(rest[0])];
        let mut names = NAMES[from..to].iter();
        names.any(|known| rest.starts_with(known.as_bytes()))
    };
    is_secret_by_itself(plain) || (0..length).any(|start| begins(&plain[start..]))
}

/// Names that are such a word as a whole.
fn is_secret_by_itself(name: &[u8]) -> bool {
    matches!(
        name,
        b"pass" | b"auth" | b"pin" | b"key" | b"sig" | b"pw" | b"dsn" | b"xapikey"
    )
}

/// Blocks such as private keys.
fn find_keys(text: &str, found: &mut Vec<Range<usize>>) {
    if memchr::memchr(b'-', text.as_bytes()).is_none() {
        return;
    }
    let mut at = 0;
    while let Some(begin) = text[at..].find("-----BEGIN").map(|begin| at + begin) {
        let end = text[begin..].find("-----END").map(|end| begin + end + 8);
        let end = end.and_then(|end| text[end..].find("-----").map(|close| end + close + 5));
        at = end.unwrap_or(text.len());
        found.push(begin..at);
    }
}

/// `user:password@` in URLs.
fn find_credentials(text: &str, found: &mut Vec<Range<usize>>) {
    for place in memchr::memchr_iter(b':', text.as_bytes()) {
        if !text.as_bytes()[place..].starts_with(b"://") {
            continue;
        }
        let start = place + 3;
        let rest = &text[start..];
        let end = rest.find(['/', '?', '#', '"', '\'', '<', '>', ' ', '\n', '\t', '\r']);
        let authority = &rest[..end.unwrap_or(rest.len())];
        // A password may hold a slash that should have been escaped.
        let wide = &rest[..rest
            .find(['"', '\'', '<', '>', ' ', '\n', '\t', '\r'])
            .unwrap_or(rest.len())];
        if let Some(at) = authority.rfind('@') {
            found.push(start..start + at);
        } else if let Some(at) = wide.rfind('@')
            && wide[..at].contains(':')
        {
            found.push(start..start + at);
        }
    }
}

/// Cards and social security numbers.
fn find_numbers(text: &str, found: &mut Vec<Range<usize>>) {
    /// A social security number has no more.
    const FEWEST: usize = 9;
    let bytes = text.as_bytes();
    if count(bytes, u8::is_ascii_digit) < FEWEST {
        return;
    }
    let mut at = 0;
    while let Some(skipped) = bytes[at..].iter().position(u8::is_ascii_digit) {
        at += skipped;
        let start = at;
        let mut end = at;
        // Neither is longer than this, nor has more groups.
        let mut digits = [0; 19];
        let mut shape = [0; 4];
        let (mut length, mut groups) = (0, 0);
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'0'..=b'9' => {
                    if let Some(digit) = digits.get_mut(length) {
                        *digit = byte - b'0';
                    }
                    length += 1;
                    groups += usize::from(length == 1 || end < at);
                    if let Some(group) = shape.get_mut(groups - 1) {
                        *group += 1;
                    }
                    end = at + 1;
                }
                b' ' | b'-' | b'.' if end == at => {}
                _ => break,
            }
            at += 1;
        }
        let card = (13..=19).contains(&length) && luhn(&digits[..length]);
        if card || shape == [3, 2, 4, 0] {
            found.push(start..end);
        }
    }
}

fn luhn(digits: &[u8]) -> bool {
    let weigh = |(place, digit): (usize, &u8)| match (place % 2, *digit) {
        (0, digit) => u32::from(digit),
        (_, digit) if digit > 4 => u32::from(digit) * 2 - 9,
        (_, digit) => u32::from(digit) * 2,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(weigh).sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

/// Values behind telling names, and words that look opaque by themselves.
fn find_words(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(skipped) = bytes[at..].iter().position(|byte| is_word(*byte)) {
        let start = at + skipped;
        let rest = &bytes[start..];
        let length = rest.iter().position(|byte| !is_word(*byte));
        at = start + length.unwrap_or(rest.len());
        // Nothing in it but ASCII, so these are its ends in the text as well.
        let word = &text[start..at];
        if word.len() >= 12 && is_opaque(word.as_bytes()) {
            // What belongs to the same token goes with it.
            let tail = text[at..].find(ends_value).unwrap_or(text.len() - at);
            let tail = if text[at..].starts_with(['=', '+', ':']) {
                tail
            } else {
                0
            };
            found.push(start..at + tail);
            at += tail;
            continue;
        }
        if let Some(value) = value_behind(text, word, at) {
            at = value.end;
            found.push(value);
        }
    }
}

/// The value that stands behind a name, if the name says that it is secret.
fn value_behind(text: &str, word: &str, at: usize) -> Option<Range<usize>> {
    let rest = &text[at..];
    let gap = rest
        .find(|letter: char| !matches!(letter, ' ' | '\t' | '"' | '\'' | ':' | '=' | '>' | '\\'))?;
    if gap == 0 {
        return None;
    }
    let bare = word.trim_start_matches('-');
    let scheme = SCHEMES.iter().any(|known| bare.eq_ignore_ascii_case(known));
    if !scheme && !names_a_secret(last_name(word)) {
        return None;
    }
    let assigned = rest[..gap].contains([':', '=']);
    let spaced = scheme || word.starts_with('-');
    let mut start = at + gap;
    if text[start..].starts_with("is ") {
        start += 3;
    }
    let value = &text[start..];
    // A quoted value ends with its quote, whatever is in it.
    let quote = rest[..gap].chars().next_back();
    let end = match quote {
        Some(quote @ ('"' | '\'')) => value.find(quote),
        _ => value.find(ends_value),
    };
    let value = &value[..end.unwrap_or(value.len())];
    let telling = |value: &str| {
        value.len() >= 4 && value.contains(|letter: char| !letter.is_ascii_alphabetic())
    };
    // `Authorization: Bearer …`: the scheme is no secret, what follows it is.
    if SCHEMES
        .iter()
        .any(|known| value.eq_ignore_ascii_case(known))
    {
        return None;
    }
    let secret =
        assigned || spaced && (word.starts_with('-') || value.len() >= 8) || telling(value);
    (secret && !value.is_empty()).then(|| start..start + value.len())
}

/// `DB_PASSWORD` of `--env.DB_PASSWORD`.
fn last_name(word: &str) -> &str {
    word.rsplit(['.', '/', '%']).next().unwrap_or(word)
}

#[inline]
fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

/// What words are made of, looked up: every byte of every argument is asked.
const WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        word[byte as usize] = byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'.' | b'~' | b'%');
        byte += 1;
    }
    word
};

fn ends_value(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '"' | '\'' | '&' | ';' | ',' | ')' | ']' | '}' | '<' | '>' | '|' | '`'
        )
}
