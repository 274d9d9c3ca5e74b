//! Secrets behind a name in forms of their own: `my pin is 1234`, a value on the next line, a call with a name and a value.

use std::ops::Range;

use super::{
    names::Strength,
    placeholder::is_placeholder_at,
    value::{self, Context, is_telling},
};

/// Bytes around a name that are looked at.
const PROBE: usize = 160;

/// Words before `key` that make it a secret, in order.
const KEYED: [&str; 11] = [
    "activation",
    "encryption",
    "licence",
    "license",
    "network",
    "product",
    "wep",
    "wi-fi",
    "wifi",
    "wireless",
    "wpa",
];

/// Names of numbers that are secret, in small letters.
const NUMBERS: [&str; 5] = ["pin", "otp", "cvc", "cvv", "ssn"];

/// Ends of calls that take a name and the value to be stored or typed.
const SETTERS: [&str; 12] = [
    ".fill",
    ".setItem",
    ".set_env",
    ".setenv",
    ".type",
    "fill",
    "putenv",
    "setItem",
    "set_var",
    "setenv",
    "setx",
    "type_text",
];

/// The secret behind a name in one of these forms.
pub(super) fn find(
    text: &str,
    name: &Range<usize>,
    named: Option<Strength>,
) -> Option<Range<usize>> {
    let rest = &text[name.end..];
    let near = &rest[..crate::floor_char_boundary(rest, PROBE)];
    let word = &text[name.clone()];
    let strength = named?;
    if let Some(told) = behind_is(near) {
        let start = name.end + told;
        let value = value::probe(text, start).trim_end_matches(['.', '!', '?']);
        let is_number =
            (4..=12).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
        let small = |known: &str| word.eq_ignore_ascii_case(known);
        if is_number && NUMBERS.iter().any(|known| small(known))
            || is_telling(value)
                && small("key")
                && KEYED
                    .binary_search(&&*word_before(text, name.start))
                    .is_ok()
        {
            return Some(start..start + value.len());
        }
        return None;
    }
    if strength == Strength::Password
        && let Some(quoted) = near.strip_prefix(' ').filter(|_| word == "PASSWORD")
        && quoted.starts_with(['\'', '"'])
    {
        let start = name.end + 2;
        let is_secret = !value::probe(text, start).is_empty() && !is_placeholder_at(text, start);
        return is_secret.then(|| value::extent(text, start));
    }
    if word.ends_with("auth")
        && let Some(second) = second_of_pair(near)
    {
        let start = name.end + second;
        return (!is_placeholder_at(text, start)).then(|| value::extent(text, start));
    }
    if strength >= Strength::Token {
        if let Some(start) = next_line(near) {
            let context = Context {
                strength,
                assigned: true,
                option: false,
            };
            return value::judge(text, name.end + start, context);
        }
        let groups = near.trim_start_matches([' ', ':', '=']);
        let start = near.len() - groups.len();
        if start > 0 {
            let is_phrase = word.to_ascii_lowercase().ends_with("phrase");
            return words_of(groups, is_phrase)
                .map(|length| name.end + start..name.end + start + length);
        }
    }
    None
}

/// Where the value of `is 1234` starts.
fn behind_is(near: &str) -> Option<usize> {
    let behind = near
        .strip_prefix(" is ")
        .or_else(|| near.strip_prefix(" was "))?;
    let value = behind.trim_start_matches([' ', '"', '\'', '`']);
    Some(near.len() - value.len())
}

/// The word before a name, in small letters.
fn word_before(text: &str, at: usize) -> String {
    let before = &text.as_bytes()[..at];
    let [rest @ .., b' '] = before else {
        return String::new();
    };
    let letters = rest.iter().rev().take(16);
    let length = letters
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
        .count();
    text[at - 1 - length..at - 1].to_ascii_lowercase()
}

/// Where the value of `=('joe', 'x')` starts.
fn second_of_pair(near: &str) -> Option<usize> {
    let inner = near
        .trim_start_matches([' ', '=', ':'])
        .strip_prefix(['(', '['])?;
    let quote = inner
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let (_, rest) = inner[1..].split_once(quote)?;
    let second = rest.trim_start_matches([',', ' ']);
    let is_second = second.len() < rest.len() && second.starts_with(quote);
    is_second.then(|| near.len() - second.len() + 1)
}

/// Where a value on the next line starts: `password:`, perhaps with the sign of a block, and below it one indented word.
fn next_line(near: &str) -> Option<usize> {
    let rest = near.strip_prefix(['"', '\'']).unwrap_or(near);
    let rest = rest.strip_prefix(':')?.trim_start_matches(' ');
    let block = rest.trim_start_matches(['|', '>', '-', '+']);
    let is_block = rest.starts_with(['|', '>']);
    let line = block.trim_start_matches(' ').strip_prefix('\n')?;
    let value = line.trim_start_matches([' ', '\t']);
    if value.len() == line.len() || value.starts_with(['-', '#', '{', '[']) {
        return None;
    }
    let line = &value[..value.find('\n').unwrap_or(value.len())];
    let is_word = !line.trim_end().contains([' ', ':', '(', '=']);
    (is_block || is_word).then(|| near.len() - value.len())
}

/// Bytes of several words that are one secret: four groups of four letters, or the plain words of a phrase to the end of
/// their line.
fn words_of(text: &str, is_phrase: bool) -> Option<usize> {
    let line = &text[..text.find(['\n', '"', '\'', '\\']).unwrap_or(text.len())];
    let is_group =
        |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let first = line.split(' ').next().unwrap_or_default();
    if first.len() == 19 && first.split('-').count() == 4 && first.split('-').all(is_group) {
        return Some(first.len());
    }
    let mut words = line.split(' ');
    let is_plain =
        |word: &str| word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let count = words.clone().count();
    let fits = is_phrase && (4..=12).contains(&count) && words.clone().all(is_plain)
        || count == 4 && words.all(is_group) && line.bytes().any(|byte| !b"aeiou".contains(&byte));
    fits.then_some(line.len())
}

/// `machine … login … password …`, the form of `.netrc`.
pub(super) fn is_login(text: &str, at: usize) -> bool {
    let from = crate::floor_char_boundary(text, at.saturating_sub(256));
    let mut before = text[from..at].split_ascii_whitespace().rev();
    let _user = before.next();
    before.next() == Some("login")
}

/// Whether the word before a name sets a variable of that name: `ENV DB_PASSWORD x`.
pub(super) fn is_set(text: &str, at: usize) -> bool {
    text[..at].ends_with("ENV ") || text[..at].ends_with("setx ")
}

/// Whether a name is the first argument of a call that stores or types the second, `fill('#password', 'x')`, or the first
/// of a list in a list.
pub(super) fn is_typed(text: &str, at: usize) -> bool {
    let from = crate::floor_char_boundary(text, at.saturating_sub(PROBE));
    let before = text[from..at].trim_end_matches(['#', '.', ' ', '"', '\'', '\\']);
    if let Some(call) = before.strip_suffix('(') {
        return SETTERS.iter().any(|setter| call.ends_with(setter));
    }
    // `[["password","x"]]`
    let list = before.strip_suffix('[').map(str::trim_end);
    list.is_some_and(|list| list.ends_with('[') || list.ends_with("],"))
}

#[cfg(test)]
#[path = "told_tests.rs"]
pub(super) mod tests;
