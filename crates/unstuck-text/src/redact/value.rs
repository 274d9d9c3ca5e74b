//! What stands behind a name: where it ends, and whether it is a secret, code, or just the next word.

use std::ops::Range;

use super::{REDACTED, names::Strength};

/// How a value stands behind its name.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub(super) strength: Strength,
    /// Behind `=`, `:` or in an element of that name.
    pub(super) assigned: bool,
    /// Behind an option of a command line.
    pub(super) option: bool,
}

/// Words that stand behind a name and are not its value, in order.
const ORDINARY: [&str; 85] = [
    "...",
    "a",
    "an",
    "and",
    "any",
    "are",
    "argument",
    "as",
    "be",
    "bool",
    "boolean",
    "bytes",
    "can",
    "cannot",
    "char",
    "check",
    "const",
    "default",
    "do",
    "does",
    "empty",
    "error",
    "expired",
    "failed",
    "false",
    "field",
    "for",
    "from",
    "function",
    "has",
    "hidden",
    "if",
    "in",
    "incorrect",
    "input",
    "int",
    "integer",
    "invalid",
    "is",
    "it",
    "lambda",
    "list",
    "may",
    "missing",
    "must",
    "new",
    "nil",
    "no",
    "none",
    "not",
    "null",
    "nullptr",
    "object",
    "of",
    "on",
    "optional",
    "or",
    "password",
    "public",
    "read",
    "required",
    "return",
    "schema",
    "self",
    "set",
    "should",
    "stdin",
    "str",
    "string",
    "text",
    "that",
    "the",
    "this",
    "to",
    "true",
    "type",
    "undefined",
    "unknown",
    "valid",
    "value",
    "void",
    "was",
    "when",
    "with",
    "your",
];

/// Bytes of separators between a name and its value: white space on the line, quotes, `:`, `=`, `=>`, and what other
/// scripts write for them.
pub(super) fn gap(rest: &str) -> usize {
    let ascii = rest.bytes().take_while(|byte| {
        matches!(
            byte,
            b' ' | b'\t' | b'"' | b'\'' | b':' | b'=' | b'>' | b'\\'
        )
    });
    let ascii = ascii.count();
    if rest.as_bytes().get(ascii).is_none_or(u8::is_ascii) {
        return ascii;
    }
    let separates = |letter: char| {
        matches!(
            letter,
            ' ' | '"' | '\'' | ':' | '=' | '：' | '＝' | '是' | '为' | '為' | 'は' | '\u{a0}'
        )
    };
    let foreign = rest[ascii..].find(|letter| !separates(letter));
    foreign.map_or(rest.len(), |foreign| ascii + foreign)
}

/// Bytes of a value that are judged. However long values are, text is looked at a bounded number of times; only a value
/// that is taken out is followed to its end.
const PROBE: usize = 256;

/// The value that starts here, or its beginning.
pub(super) fn probe(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    let rest = &rest[..rest.floor_char_boundary(PROBE)];
    let end = match quote_before(text, start) {
        Some(quote) => rest.find(quote),
        None => rest.find(ends_value),
    };
    &rest[..end.unwrap_or(rest.len())]
}

/// The value that starts here, if it is a secret.
pub(super) fn judge(text: &str, start: usize, context: Context) -> Option<Range<usize>> {
    let start = behind_connector(text, start);
    let value = probe(text, start);
    let bare = value.trim_end_matches(['.', ':', '!', '?', ')']);
    if bare.is_empty() || is_placeholder(value) || is_ordinary(bare) {
        return None;
    }
    let quoted = quote_before(text, start).is_some();
    let secret = match context.strength {
        _ if context.option && value.starts_with('-') => false,
        Strength::Password if context.option => true,
        Strength::Password if context.assigned => quoted || !is_code(value),
        Strength::Token if context.option => !is_code(value) && bare.len() >= 4,
        Strength::Token if context.assigned => {
            (quoted || !is_code(value))
                && (is_telling(bare) || bare.len() >= 20 && !is_identifier(bare))
        }
        Strength::Password | Strength::Token => !is_code(value) && is_telling(bare),
        Strength::Weak if context.assigned || context.option => {
            !is_code(value) && (is_number(bare) || is_telling(bare) && bare.len() >= 12)
        }
        Strength::Weak => false,
    };
    secret.then(|| extent(text, start))
}

/// `is`, `was` and `to` stand between a name and its value in prose.
fn behind_connector(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    for connector in [
        "is ", "was ", "to ", "as ", "est ", "es ", "ist ", "lautet ", "é ",
    ] {
        if let Some(behind) = rest.strip_prefix(connector) {
            let skipped =
                behind.len() - behind.trim_start_matches([' ', '"', '\'', '`', ':']).len();
            return start + connector.len() + skipped;
        }
    }
    start
}

/// Where the value that starts here ends: at its closing quote, or before white space and what ends an argument.
pub(super) fn extent(text: &str, start: usize) -> Range<usize> {
    let rest = &text[start..];
    if let Some(quote) = quote_before(text, start) {
        let end = rest.find(quote).unwrap_or(rest.len());
        // The quote of a text in a text is escaped.
        let value = rest[..end].strip_suffix('\\').unwrap_or(&rest[..end]);
        return start..start + value.len();
    }
    start..start + rest.find(ends_value).unwrap_or(rest.len())
}

fn quote_before(text: &str, start: usize) -> Option<char> {
    match text.as_bytes()[..start].last() {
        Some(quote @ (b'"' | b'\'' | b'`')) => Some(char::from(*quote)),
        _ => None,
    }
}

pub(super) fn ends_value(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '"' | '\'' | '&' | ';' | ',' | ')' | ']' | '}' | '<' | '>' | '|' | '`'
        )
}

/// What stands for a value that is given elsewhere, or was taken out before.
pub(super) fn is_placeholder(value: &str) -> bool {
    let inner = value.trim_start_matches(['$', '{', '(', '<', '%', '[', '*']);
    value.contains(REDACTED.trim_end_matches(']'))
        || value.starts_with("${")
        || value.starts_with("$(")
        || value.starts_with("{{")
        || value.starts_with('<')
        || value.starts_with('{')
        || value.starts_with("%s")
        || value.starts_with("%(")
        || value.starts_with("***")
        || value.starts_with("xxx")
        || value.starts_with("...")
        || value.starts_with('…')
        || value.starts_with('$') && is_identifier(inner)
        || value.starts_with('[') && value.len() < 3
}

fn is_ordinary(value: &str) -> bool {
    value.len() <= 9
        && value.is_ascii()
        && ORDINARY
            .binary_search(&value.to_ascii_lowercase().as_str())
            .is_ok()
}

/// A call, an index, an attribute of a common object, or a name that itself names the secret.
fn is_code(value: &str) -> bool {
    let name =
        value.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.')));
    let (name, rest) = value.split_at(name.unwrap_or(value.len()));
    if name.starts_with(|letter: char| letter.is_ascii_digit()) {
        return false;
    }
    if rest.starts_with(['(', '[']) && !name.is_empty() {
        return true;
    }
    if !rest.is_empty() {
        return value.starts_with(['(', '[']) || value.starts_with("\\n");
    }
    if let Some((object, attribute)) = name.split_once('.') {
        return !object.is_empty()
            && attribute.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
            && !name.bytes().any(|byte| byte.is_ascii_digit());
    }
    // `token=token`, `password=user_password`, `apiKey: API_KEY`.
    is_identifier(name)
        && !name.bytes().any(|byte| byte.is_ascii_digit())
        && (super::names::strength(name).is_some() || name.contains('_'))
}

fn is_identifier(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_number(value: &str) -> bool {
    (3..=12).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits or signs among letters: few words of a language have them, most secrets do.
fn is_telling(value: &str) -> bool {
    let (mut letters, mut digits, mut signs, mut paths) = (0, 0, 0, 0);
    for byte in value.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => letters += 1,
            b'!' | b'#' | b'$' | b'%' | b'^' | b'*' | b'@' | b'?' | b'~' | b'+' => signs += 1,
            b'/' | b'.' | b'(' | b'[' | b':' => paths += 1,
            _ => {}
        }
    }
    let length = value.len();
    (letters > 0 && digits > 0 && length >= 6) && (paths == 0 || digits >= 3)
        || (letters > 0 && signs > 0 && length >= 6 && paths == 0)
        || (letters == 0 && digits >= 4 && digits == length)
}
