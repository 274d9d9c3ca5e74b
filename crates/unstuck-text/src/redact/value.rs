//! What stands behind a name: where it ends, and whether it is a secret, code, or just the next word.

use std::ops::Range;

use super::{names::Strength, placeholder::is_placeholder_at};

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
    let mut ascii = ascii.count();
    if ascii > 0 && rest[ascii..].starts_with("-> ") {
        ascii += 3;
    }
    if rest.as_bytes().get(ascii).is_none_or(u8::is_ascii) {
        return ascii;
    }
    let separates = |letter: char| {
        matches!(
            letter,
            ' ' | '"'
                | '\''
                | ':'
                | '='
                | '：'
                | '＝'
                | '是'
                | '为'
                | '為'
                | 'は'
                | '는'
                | '은'
                | '—'
                | '–'
                | '→'
                | '「'
                | '\u{a0}'
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
    let rest = &rest[..crate::floor_char_boundary(rest, PROBE)];
    let end = match quote_before(text, start) {
        Some(quote) => rest.find(quote),
        None => rest.find(ends_value),
    };
    &rest[..end.unwrap_or(rest.len())]
}

/// The value that starts here, if it is a secret.
pub(super) fn judge(text: &str, start: usize, context: Context) -> Option<Range<usize>> {
    let start = behind_wrapper(text, behind_connector(text, start));
    let value = probe(text, start);
    let bare = value.trim_end_matches(['.', ':', '!', '?', ')']);
    if bare.is_empty() || is_placeholder_at(text, start) || is_ordinary(bare) {
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
                && (is_telling(bare) || bare.len() >= 20 && !is_identifier(bare) || is_login(bare))
        }
        Strength::Password | Strength::Token => {
            !is_code(value) && (is_telling(bare) || is_login(bare))
        }
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
        "is ", "was ", "to ", "as ", "est ", "es ", "ist ", "lautet ", "é ", "है ", "ہے ",
    ] {
        if let Some(behind) = rest.strip_prefix(connector) {
            let skipped =
                behind.len() - behind.trim_start_matches([' ', '"', '\'', '`', ':']).len();
            return start + connector.len() + skipped;
        }
    }
    start
}

/// What may stand between a name and the quote of its value: types, prefixes of strings, and calls that wrap them.
const WRAPPERS: [&str; 20] = [
    "&'static str = ",
    "&str = ",
    "<![CDATA[",
    "N",
    "PASSWORD(",
    "Secret(",
    "SecretStr(",
    "Some(",
    "String = ",
    "String::from(",
    "[",
    "[\\",
    "b",
    "new SecureString(",
    "new String(",
    "r",
    "sensitive(",
    "str = ",
    "string = ",
    "u",
];

/// Where the quoted value behind such a wrapper starts.
fn behind_wrapper(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    for wrapper in WRAPPERS {
        if let Some(behind) = rest.strip_prefix(wrapper) {
            if behind.starts_with(['"', '\'']) {
                return start + wrapper.len() + 1;
            }
            if wrapper == "<![CDATA[" {
                return start + wrapper.len();
            }
        }
    }
    start
}

/// What the value is called whose name stands before it, in order.
const VALUES: [&str; 11] = [
    "Value",
    "default",
    "newValue",
    "new_value",
    "parameterValue",
    "stringValue",
    "text",
    "v",
    "val",
    "value",
    "values",
];

/// Calls that type a value into the field which was named before.
const TYPES: [&str; 7] = [
    ".fill(",
    ".pressSequentially(",
    ".sendKeys(",
    ".send_keys(",
    ".setValue(",
    ".type(",
    ".type_text(",
];

/// Where the value of a name stands that is itself a value: `"name":"password","value":"…"`, `["password"] = "…"`,
/// `("password", "…")`. Returns how many bytes are between them, and whether the value is surely one.
pub(super) fn paired(rest: &str) -> Option<(usize, bool)> {
    /// Bytes between the two.
    const LONGEST: usize = 96;
    let bytes = rest.as_bytes();
    if !matches!(
        bytes.first(),
        Some(b'"' | b'\'' | b']' | b'\n' | b'<' | b'\\')
    ) {
        return None;
    }
    let near = &rest[..crate::floor_char_boundary(rest, LONGEST)];
    let skip = |at: usize, signs: &[char]| near.len() - near[at..].trim_start_matches(signs).len();
    // What closes the name.
    let closed = match near.strip_prefix("</key>") {
        Some(behind) => {
            return behind
                .trim_start()
                .strip_prefix("<string>")
                .map(|value| (near.len() - value.len(), true));
        }
        None => skip(0, &['\\', '"', '\'', ']', ')']),
    };
    if let Some(call) = TYPES.iter().find(|call| near[closed..].starts_with(**call)) {
        let quote = closed + call.len();
        return near[quote..]
            .starts_with(['"', '\''])
            .then_some((quote + 1, true));
    }
    if near[..closed].contains(')') {
        return None;
    }
    let opened = skip(
        closed,
        &[' ', '\t', '\n', '\r', ',', '{', '\\', '"', '\'', '[', '-'],
    );
    let between = &near[closed..opened];
    // `["password"] = "…"`
    if near[..closed].ends_with(']') && between == " " {
        let value = near[opened..].strip_prefix("= ")?;
        return value.starts_with(['"', '\'']).then_some((opened + 3, true));
    }
    let word =
        near[opened..].find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    if VALUES.binary_search(&&near[opened..opened + word]).is_ok() {
        let assigned = skip(opened + word, &['\\', '"', '\'', ' ', ':', '=']);
        let signs = &near[opened + word..assigned];
        return (signs.contains([':', '=']) && !signs.contains("==")).then_some((assigned, true));
    }
    if closed > 0
        && between.starts_with(',')
        && let Some(value) = later_member(&near[closed..])
    {
        return Some((closed + value, true));
    }
    // `("password", "…")`
    let listed = closed > 0
        && between.contains(',')
        && between.ends_with(['"', '\''])
        && !between.contains(['\n', '{', '[']);
    listed.then_some((opened, false))
}

/// Where the value starts that a later member of the same object holds: `,"ref":"e3","value":"…"`.
fn later_member(members: &str) -> Option<usize> {
    let end = members.find(['{', '}', '[', ']', '\n']);
    let members = &members[..end.unwrap_or(members.len())];
    let mut at = 0;
    let mut texts = members.split('"').peekable();
    while let Some(text) = texts.next() {
        at += text.len() + 1;
        let signs = texts
            .peek()
            .map_or("", |signs| signs.trim_matches(['\\', ' ']));
        if signs == ":" && VALUES.binary_search(&text.trim_end_matches('\\')).is_ok() {
            let value = at + texts.next()?.len() + 1;
            return (value < members.len()).then_some(value);
        }
    }
    None
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

pub(super) fn quote_before(text: &str, start: usize) -> Option<char> {
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

pub(super) fn is_identifier(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn is_number(value: &str) -> bool {
    (3..=12).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// A user and what looks like a password: `joe:hunter2`.
fn is_login(value: &str) -> bool {
    let mut fields = value.split([':', '/']);
    let (user, password) = (fields.next(), fields.next());
    fields.next().is_none() && user != Some("") && password.is_some_and(is_telling)
}

/// Digits or signs among letters: few words of a language have them, most secrets do.
pub(super) fn is_telling(value: &str) -> bool {
    let (mut letters, mut digits, mut signs, mut paths) = (0, 0, 0, 0);
    let (mut humps, mut last) = (0, 0_u8);
    for byte in value.bytes() {
        humps += usize::from(last != 0 && last.is_ascii_lowercase() != byte.is_ascii_lowercase());
        last = byte;
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
        || (letters == 0 && digits >= 4 && (digits == length || digits >= 24))
        // Both cases in turn as no name has them, or capitals alone.
        || (letters == length && length >= 16 && (humps * 3 >= length || humps == 0 && last.is_ascii_uppercase()))
}
