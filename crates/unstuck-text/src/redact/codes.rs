//! Codes to log in with: `verification code 123456`, `backup codes`.

use std::ops::Range;

use super::names::CODES;

/// Words before `code` that make it one to log in with, in order.
const CODED: [&str; 18] = [
    "2fa",
    "access",
    "activation",
    "auth",
    "authentication",
    "backup",
    "confirmation",
    "door",
    "factor",
    "gate",
    "login",
    "mfa",
    "otp",
    "recovery",
    "security",
    "sms",
    "time",
    "verification",
];

/// Whether a word is the `code` of `verification code` or `backup codes`.
pub(super) fn is_code(text: &str, name: Range<usize>) -> bool {
    if !CODES
        .iter()
        .any(|code| text[name.clone()].eq_ignore_ascii_case(code))
    {
        return false;
    }
    let before = &text.as_bytes()[..name.start];
    let [rest @ .., b' '] = before else {
        return false;
    };
    let letters = rest.iter().rev().take(16);
    let length = letters
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let word = text[name.start - 1 - length..name.start - 1].to_ascii_lowercase();
    CODED.binary_search(&&*word).is_ok()
}

/// Whether a name ends as those of codes to log in with do: `One-time code`.
pub(super) fn is_coded(name: &str) -> bool {
    let start = name.len().saturating_sub("code".len());
    name.is_ascii() && is_code(name, start..name.len())
}

/// The codes behind such a name: words with digits in them, in one line or one below the other.
pub(super) fn find(text: &str, behind: usize) -> Option<Range<usize>> {
    /// Bytes that are looked at.
    const PROBE: usize = 512;
    let rest = &text[behind..];
    let rest = &rest[..crate::floor_char_boundary(rest, PROBE)];
    let between = |letter: char| {
        matches!(
            letter,
            ' ' | '\t' | '\n' | '\r' | ':' | '=' | ',' | '"' | '\''
        )
    };
    let mut at = rest.len() - rest.trim_start_matches(between).len();
    if let Some(told) = rest[at..].strip_prefix("is ") {
        at = rest.len() - told.trim_start_matches(between).len();
    }
    let start = at;
    let mut end = at;
    while at > 0 && at < rest.len() {
        let word = rest[at..]
            .find(between)
            .map_or(&rest[at..], |end| &rest[at..at + end]);
        let word = word.trim_end_matches('.');
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if !(4..=32).contains(&word.len())
            || !word.bytes().all(inner)
            || word.bytes().filter(u8::is_ascii_digit).count() < 2
        {
            break;
        }
        end = at + word.len();
        let gap = rest[end..].len() - rest[end..].trim_start_matches(between).len();
        at = end + gap;
        if gap == 0 {
            break;
        }
    }
    (end > start).then(|| behind + start..behind + end)
}
