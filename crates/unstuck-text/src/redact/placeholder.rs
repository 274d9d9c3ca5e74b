//! What stands for a value that is given elsewhere: a variable, a hole of a template, `xxx`.

use super::{
    REDACTED,
    names::strength,
    value::{is_identifier, is_telling, probe, quote_before},
};

/// Whether a whole value stands for one that is given elsewhere, or was taken out before.
pub(super) fn is_placeholder(value: &str) -> bool {
    stands_for_another(value, Some('\''), "")
}

/// The same of the value that starts here in a text.
pub(super) fn is_placeholder_at(text: &str, start: usize) -> bool {
    let value = probe(text, start);
    let behind = &text[start + value.len()..];
    stands_for_another(value, quote_before(text, start), behind)
}

/// Whether a value in such quotes stands for another one. It has to end as it begins: a password may begin with any sign.
/// A value without quotes ends before a bracket, which is then the first character of `behind`.
fn stands_for_another(value: &str, quote: Option<char>, behind: &str) -> bool {
    let closed = |bracket: char| value.ends_with(bracket) || behind.starts_with(bracket);
    let only = |signs: &[char]| value.trim_matches(signs).is_empty();
    let Some(first) = value.chars().next() else {
        return false;
    };
    if value.contains(REDACTED.trim_end_matches(']')) {
        return true;
    }
    match first {
        '$' => {
            let name = value[1..].trim_start_matches('{');
            if value.starts_with("$(")
                || value.starts_with("${") && (name.contains('}') || closed('}'))
            {
                return true;
            }
            let capitals =
                |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
            is_identifier(name)
                && (name.bytes().all(capitals)
                    // Shells replace it, and a password between quotes seldom is a name.
                    || quote.is_none()
                    || strength(name).is_some()
                    || quote == Some('"') && name.contains('_'))
        }
        '{' if quote.is_none() => closed('}') || !is_telling(&value[1..]),
        '{' => value.len() == 1 || closed('}') && !value.trim_end_matches('}').contains('}'),
        '<' => value.len() == 1 || closed('>'),
        '%' => {
            value.starts_with("%s")
                && !value[2..].starts_with(|letter: char| letter.is_ascii_alphanumeric())
                || value.starts_with("%(") && (value.contains(')') || closed(')'))
                || value.len() > 2 && closed('%') && is_identifier(value.trim_matches('%'))
        }
        '*' => value.starts_with("***") && value.ends_with('*'),
        'x' | 'X' => value.len() > 2 && only(&['x', 'X', '-', '_', '*', '.']),
        '.' => value.starts_with("..."),
        '…' => true,
        '[' => value.len() < 3,
        _ => false,
    }
}
