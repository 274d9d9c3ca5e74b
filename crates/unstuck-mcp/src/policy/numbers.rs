//! The whole numbers that a lenient server could read in an argument.
//!
//! A server that takes an integer often takes `"7"`, `"007"`, `" 7 "`, `7.0` or `[7]` as well. What is accepted differs:
//! Python's `int` and pydantic take `"0_7"`, JavaScript's `Number` takes `"0x7"` and `[7]`, `parseInt` takes `"7 pieces"`.
//! Here all of their readings are collected, so that a policy can forbid a number however it is spelled. Too many
//! readings are harmless for a `forbid`; a missing one is a hole.

use std::collections::BTreeSet;

use unstuck::Json;
use unstuck_json::{JsonKind, JsonRef};

use super::request::{Budget, TooLarge};

/// JSON inside strings is read this deep: servers of the Python SDK parse `"[7]"` where they expect a list.
const DEEPEST_TEXT: u8 = 2;

/// The zeros of all scripts with decimal digits (Unicode 17, `Nd`), each followed by its nine other digits. Python's `int`
/// reads them all.
const ZEROS: [u32; 74] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0,
    0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50, 0x11d50,
    0x11da0, 0x11de0, 0x11f50, 0x16a60, 0x16ac0, 0x16b50, 0x1ccf0, 0x1d7ce, 0x1d7d8, 0x1d7e2,
    0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

/// All readings of a value, those of its elements and members included.
pub(super) fn readings(json: JsonRef<'_>, budget: &mut Budget) -> Result<BTreeSet<i64>, TooLarge> {
    let mut found = BTreeSet::new();
    collect(json, 0, budget, &mut found)?;
    Ok(found)
}

/// Whether a text as a whole is written like a number.
pub(super) fn is_number(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_digit()) && text.trim().parse::<f64>().is_ok()
}

fn collect(
    json: JsonRef<'_>,
    depth: u8,
    budget: &mut Budget,
    found: &mut BTreeSet<i64>,
) -> Result<(), TooLarge> {
    budget.take_value()?;
    match json.kind() {
        // JavaScript's `Number(null)` and `Number([])`.
        JsonKind::Null => {
            found.insert(0);
        }
        JsonKind::Bool => {
            found.insert(i64::from(json.boolean() == Some(true)));
        }
        JsonKind::Number => number(json.as_str(), found),
        JsonKind::String => text(&json.text().unwrap_or_default(), depth, budget, found)?,
        JsonKind::Array => {
            let mut empty = true;
            for element in json.elements() {
                empty = false;
                collect(element, depth, budget, found)?;
            }
            if empty {
                found.insert(0);
            }
        }
        JsonKind::Object => {
            for (_, member) in json.members() {
                collect(member, depth, budget, found)?;
            }
        }
    }
    Ok(())
}

fn text(
    text: &str,
    depth: u8,
    budget: &mut Budget,
    found: &mut BTreeSet<i64>,
) -> Result<(), TooLarge> {
    let text = text.trim_matches(is_blank);
    if text.is_empty() {
        found.insert(0);
        return Ok(());
    }
    if depth < DEEPEST_TEXT
        && text.starts_with(['[', '{', '"'])
        && let Ok(inner) = Json::parse(text)
    {
        collect(inner.view(), depth + 1, budget, found)?;
    }
    // Only the beginning of a text can be a number, and numbers are short unless they are padded.
    let plain: String = text
        .chars()
        .map(ascii_digit)
        .take_while(char::is_ascii)
        .collect();
    number(&plain.replace(['_', ','], ""), found);
    prefixes(&plain, found);
    radix(&plain, found);
    Ok(())
}

/// White space in the widest sense: that of Python, of JavaScript, and letters without a width.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

fn ascii_digit(letter: char) -> char {
    if letter == '\u{2212}' {
        return '-';
    }
    let place = u32::from(letter);
    let zero = ZEROS.partition_point(|zero| *zero <= place).checked_sub(1);
    match zero.map(|at| place - ZEROS[at]) {
        Some(digit @ 0..=9) => char::from_digit(digit, 10).unwrap_or(letter),
        _ => letter,
    }
}

/// A text that is a number as a whole.
fn number(text: &str, found: &mut BTreeSet<i64>) {
    if let Ok(whole) = text.parse::<i128>() {
        put(whole, found);
    } else if text.contains(|letter: char| letter.is_ascii_digit())
        && let Ok(value) = text.parse::<f64>()
    {
        // Servers cut fractions off, or round them. Values beyond 64 bits become the largest or the smallest one.
        found.insert(value.floor() as i64);
        found.insert(value.ceil() as i64);
    }
}

/// The number that a text begins with: `parseInt`, `parseFloat`, C's `atoi` and SQL casts read `7 pieces` as 7.
fn prefixes(text: &str, found: &mut BTreeSet<i64>) {
    let digits = |from: usize| {
        let rest = &text.as_bytes()[from..];
        from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign = usize::from(text.starts_with(['+', '-']));
    let whole = digits(sign);
    number(&text[..whole], found);
    let mut end = whole;
    if text[end..].starts_with('.') {
        end = digits(end + 1);
        number(&text[..end], found);
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        number(&text[..digits(end + 1 + signed)], found);
    }
}

/// `0x7`, `0b111`, `0o7`, and `010` as C and Go read it.
fn radix(text: &str, found: &mut BTreeSet<i64>) {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let Some(rest) = rest.strip_prefix('0') else {
        return;
    };
    let (radix, digits) = match rest.as_bytes().first() {
        Some(b'x' | b'X') => (16, &rest[1..]),
        Some(b'b' | b'B') => (2, &rest[1..]),
        Some(b'o' | b'O') => (8, &rest[1..]),
        _ => (8, rest),
    };
    let digits = digits.replace('_', "");
    let end = digits
        .find(|letter: char| !letter.is_digit(radix))
        .unwrap_or(digits.len());
    if let Ok(value) = i128::from_str_radix(&digits[..end], radix) {
        put(sign * value, found);
    }
}

/// The value, and what is left of it in a double, which is all that JavaScript has.
fn put(value: i128, found: &mut BTreeSet<i64>) {
    let nearest = value.clamp(i64::MIN.into(), i64::MAX.into());
    found.insert(nearest as i64);
    #[expect(clippy::cast_precision_loss, reason = "the loss is what is asked for")]
    found.insert(value as f64 as i64);
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;
