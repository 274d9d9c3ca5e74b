//! Small looks into JSON values.

use std::borrow::Cow;

use unstuck_json::{JsonKind, JsonRef};

use crate::sink::Tokens;

/// What the string under `key` says.
pub(crate) fn text<'a>(value: JsonRef<'a>, key: &str) -> Option<Cow<'a, str>> {
    value.get(key)?.text()
}

/// Does the string under `key` say `word`?
pub(crate) fn says(value: JsonRef<'_>, key: &str, word: &str) -> bool {
    text(value, key).is_some_and(|text| text == word)
}

/// Is the value under `key` the word `true`?
pub(crate) fn is_true(value: JsonRef<'_>, key: &str) -> bool {
    value.get(key).and_then(JsonRef::boolean) == Some(true)
}

/// The whole number under `key`.
pub(crate) fn integer(value: JsonRef<'_>, key: &str) -> Option<i64> {
    let value = value.get(key)?;
    // Some writers have only one kind of number.
    value.integer().or_else(|| {
        value
            .number()
            .filter(|number| number.fract() == 0.0 && number.abs() < 9e15)
            .map(|number| number as i64)
    })
}

/// The count under `key`, zero where there is none.
pub(crate) fn count(value: JsonRef<'_>, key: &str) -> u64 {
    integer(value, key)
        .and_then(|count| u64::try_from(count).ok())
        .unwrap_or(0)
}

/// A value by its path.
pub(crate) fn at<'a>(value: JsonRef<'a>, path: &[&str]) -> Option<JsonRef<'a>> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// The value under `key`, unless it is `null`.
pub(crate) fn present<'a>(value: JsonRef<'a>, key: &str) -> Option<JsonRef<'a>> {
    value
        .get(key)
        .filter(|value| value.kind() != JsonKind::Null)
}

/// The texts of a message: a string, or an array of strings and of objects with a `text`, joined by line ends.
pub(crate) fn words(content: JsonRef<'_>) -> String {
    if let Some(text) = content.text() {
        return text.into_owned();
    }
    let mut words = String::new();
    for text in content
        .elements()
        .filter_map(|part| part.text().or_else(|| text(part, "text")))
    {
        if !words.is_empty() {
            words.push('\n');
        }
        words.push_str(&text);
    }
    words
}

/// Money in millionths; what is not an amount is none.
pub(crate) fn micros(dollars: Option<f64>) -> Option<u64> {
    let dollars = dollars.filter(|dollars| (0.0..9e12).contains(dollars))?;
    #[expect(clippy::cast_sign_loss, reason = "zero or more")]
    let micros = (dollars * 1e6).round() as u64;
    Some(micros)
}

/// Tokens of a provider that counts cached tokens among those it read.
pub(crate) fn tokens_with_cache(
    input: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
) -> Tokens {
    Tokens {
        input: input.saturating_sub(cache_read).saturating_sub(cache_write),
        output,
        cache_read,
        cache_write,
    }
}

#[cfg(test)]
#[path = "look_tests.rs"]
mod tests;
