//! The walk over the words of a text: keys by their looks, values by their names, secrets by the command they are given to.

use std::ops::Range;

use super::{
    codes,
    commands::Command,
    header::{self, Line},
    known,
    names::{SCHEMES, Strength, may_end, strength},
    opaque::{is_key, is_opaque},
    placeholder::is_placeholder_at,
    programs::{self, may_be_program},
    prose::is_encoded_text,
    told,
    value::{self, Context, ends_value},
};

/// Parameters of a URL whose value grants something, in order.
const PARAMETERS: [&str; 20] = [
    "access",
    "auth",
    "code",
    "credential",
    "grant",
    "hash",
    "invite",
    "k",
    "key",
    "nonce",
    "pass",
    "pw",
    "reset",
    "s",
    "session",
    "sid",
    "sig",
    "t",
    "ticket",
    "x",
];

/// Finds values behind telling names, and words that look opaque by themselves.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    walk::<true>(text, found);
}

/// Goes over the words of a text. If `QUICK`, a word is looked into only if the kinds of its bytes, its last letters and
/// what stands around it allow for a secret; what is found is the same.
pub(super) fn walk<const QUICK: bool>(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut command = Command::default();
    let mut line = Line::default();
    loop {
        let gap = at;
        let (start, kinds, ends) = loop {
            while bytes.get(at).is_some_and(|byte| is_between(*byte)) {
                at += 1;
            }
            let start = at;
            let (end, kinds, ends) = pass_word(bytes, at);
            if kinds != 0 {
                at = end;
                break (start, kinds, ends);
            }
            if end == bytes.len() {
                return;
            }
            at = behind_backslash(text, end);
        };
        // Nothing in it but ASCII, so these are its ends in the text as well.
        let word = &bytes[start..at];
        let separated = ends & SEPARATES != 0;
        // Most words are of this kind, and no other test can tell more of them.
        if QUICK
            && kinds == LOWER
            && command.is_idle()
            && !may_be_program(word)
            && !(separated && (may_end(word) || is_parameter(before(bytes, start))))
        {
            continue;
        }
        if word.len() >= 7
            && (!QUICK || may_look_secret(word, kinds))
            && looks_secret(text, start..at, kinds)
            && let Some(end) = take(text, start..at, found)
        {
            at = end;
            continue;
        }
        let mut by_command = None;
        if !QUICK || !command.is_idle() || Command::may_begin(word) {
            by_command = command.word(text, gap..start, start..at);
        }
        let mut by_name = None;
        if !QUICK || separated && may_name(bytes, start..at, kinds) {
            by_name = behind_name(text, start..at, &mut line);
        }
        // The word that makes an earlier argument a secret, as in `echo secret | passwd`, may itself be a name.
        for secret in by_command.into_iter().chain(by_name) {
            // A quote that is never closed ends at the quote of the next value: the name of that value is then part of
            // this secret, and is looked at all the same.
            let inside = text[secret.clone()].find(char::is_whitespace);
            at = at.max(inside.map_or(secret.end, |space| secret.start + space));
            found.push(secret);
        }
    }
}

/// Where the text goes on behind a backslash. `\n`, `\r` and `\t` stand for a line feed, a line end and a space: JSON is
/// redacted as it is written, too. The letter belongs to a word only if the word is a known name or program with it:
/// `C:\token`.
#[inline(never)]
fn behind_backslash(text: &str, at: usize) -> usize {
    let word = &text.as_bytes()[at + 1..];
    if !matches!(word.first(), Some(b'n' | b'r' | b't')) {
        return at + 1;
    }
    let (end, ..) = pass_word(text.as_bytes(), at + 1);
    let is_known =
        |word: &str| strength(last_name(word)).is_some() || programs::known(word).is_some();
    let is_whole = is_known(&text[at + 1..end]) && !is_known(&text[at + 2..end]);
    at + if is_whole { 1 } else { 2 }
}

/// Passes over the word that starts at `start`. Returns where it ends, the kinds of its bytes, and the kind of the byte
/// behind it.
#[inline]
fn pass_word(bytes: &[u8], start: usize) -> (usize, u8, u8) {
    let (mut at, mut kinds) = (start, 0);
    while let Some(byte) = bytes.get(at) {
        let kind = KINDS[usize::from(*byte)];
        if kind & IN_WORD == 0 {
            return (at, kinds & !IN_WORD, kind);
        }
        kinds |= kind;
        at += 1;
        // Most words are shorter.
        if at - start == EIGHT {
            (at, kinds) = pass_eights(bytes, at, kinds);
        }
    }
    (at, kinds & !IN_WORD, 0)
}

/// How many bytes of a long word are judged at once.
const EIGHT: usize = 8;

/// Passes over the bytes of a word from `at` on, as long as all of eight belong to it.
fn pass_eights(bytes: &[u8], at: usize, kinds: u8) -> (usize, u8) {
    let (eights, _) = bytes[at..].as_chunks::<EIGHT>();
    let (mut at, mut kinds) = (at, kinds);
    for eight in eights {
        let each = eight.map(|byte| KINDS[usize::from(byte)]);
        if each.iter().fold(IN_WORD, |all, kind| all & kind) == 0 {
            break;
        }
        kinds = each.iter().fold(kinds, |any, kind| any | kind);
        at += EIGHT;
    }
    (at, kinds)
}

/// Takes out a word that looks secret, or the parts of a path that do. Returns where it ends; `None` if its surroundings
/// say that it is not a secret.
#[inline(never)]
fn take(text: &str, word: Range<usize>, found: &mut Vec<Range<usize>>) -> Option<usize> {
    let inner = &text[word.clone()];
    if is_key(inner.as_bytes()) {
        return Some(take_whole(text, word, found));
    }
    if known::is_known(text, word.clone()) {
        return None;
    }
    let place = if inner.contains('/') {
        known::place(text, word.clone())
    } else {
        None
    };
    let Some(place) = place else {
        return Some(take_whole(text, word, found));
    };
    let (mut start, mut parent) = (word.start, "");
    let (mut looked, mut end) = (false, None);
    for part in inner.split('/') {
        let range = start..start + part.len();
        start = range.end + 1;
        if is_opaque(part.as_bytes()) {
            looked = true;
            if !known::is_known_part(place, parent, part) {
                end = Some(if range.end == word.end {
                    take_whole(text, range, found)
                } else {
                    found.push(range);
                    word.end
                });
            }
        }
        if !part.is_empty() {
            parent = part;
        }
    }
    if looked || known::is_plain_path(inner.as_bytes()) {
        end
    } else {
        // No part is random by itself: all of them together are.
        Some(take_whole(text, word, found))
    }
}

/// Takes out a word and what belongs to the same token behind it. Returns where it ends.
fn take_whole(text: &str, word: Range<usize>, found: &mut Vec<Range<usize>>) -> usize {
    let tail = if text[word.end..].starts_with(['=', '+', ':', '$']) {
        let behind = &text[word.end..];
        behind.find(ends_value).unwrap_or(behind.len())
    } else {
        0
    };
    let end = word.end + tail;
    found.push(word.start..end);
    end
}

/// Whether the bytes of a word are of the kinds that [`looks_secret`] asks for: a digit or both cases, unless the word is
/// a UUID that happens to have only letters.
#[inline]
fn may_look_secret(word: &[u8], kinds: u8) -> bool {
    let varied = kinds & DIGIT != 0 || kinds & BOTH == BOTH;
    if word.len() < 12 {
        // Only short texts in Base64 are.
        return kinds & (BOTH | NOT_BASE64) == BOTH;
    }
    varied || kinds & DASH != 0 && word.len() >= 36
}

/// Whether a word with something behind it may be one of the names that [`behind_name`] knows.
#[inline]
fn may_name(bytes: &[u8], name: Range<usize>, kinds: u8) -> bool {
    let word = &bytes[name.clone()];
    if kinds & BOTH == 0 {
        return false;
    }
    if is_parameter(before(bytes, name.start)) {
        return true;
    }
    // In a single word, perhaps behind dashes, a name stands at the end or not at all.
    let bare = &word[word.iter().take_while(|byte| **byte == b'-').count()..];
    let single = match kinds & !DASH {
        LOWER | UPPER => kinds & DASH == 0 || !bare.contains(&b'-'),
        BOTH => bare[1..].iter().all(u8::is_ascii_lowercase),
        _ => false,
    };
    !single || may_end(bare)
}

#[inline(never)]
fn looks_secret(text: &str, word: Range<usize>, kinds: u8) -> bool {
    let bytes = text[word.clone()].as_bytes();
    if bytes.len() >= 12 && is_opaque(bytes) {
        return true;
    }
    // Text in Base64 has both cases.
    if kinds & BOTH != BOTH {
        return false;
    }
    let behind = &text.as_bytes()[word.end..];
    let padding = behind
        .iter()
        .take(3)
        .take_while(|byte| **byte == b'=')
        .count();
    let ends = behind
        .get(padding)
        .is_none_or(|byte| !is_word(*byte) && !matches!(byte, b'(' | b'"' | b'\'' | b'$' | b':'))
        || matches!(behind.get(padding), Some(b'"' | b'\'')) && padding == 0;
    // Most words have one case, but for their first letter.
    ends && (padding > 0 || bytes.len() >= 12)
        && (bytes.len() + padding).is_multiple_of(4)
        && !bytes[1..].iter().all(u8::is_ascii_lowercase)
        && is_encoded_text(bytes, padding)
}

/// The value that stands behind a name, if the name says that it is secret.
#[inline(never)]
fn behind_name(text: &str, name: Range<usize>, line: &mut Line) -> Option<Range<usize>> {
    let word = &text[name.clone()];
    let rest = &text[name.end..];
    let bare = word.trim_start_matches('-');
    let before = before(text.as_bytes(), name.start);
    let named = strength(last_name(bare));
    if named.is_none() && matches!(word.len(), 4 | 5) && codes::is_code(text, name.clone()) {
        return codes::find(text, name.end);
    }
    if let Some(strength) = named
        && let Some((start, sure)) = value::paired(rest)
    {
        let context = Context {
            strength,
            assigned: sure || told::is_typed(text, name.start),
            option: word.starts_with('-'),
        };
        return value::judge(text, name.end + start, context);
    }
    let scheme = is_scheme(bare);
    let parameter =
        is_parameter(before) && rest.starts_with('=') && PARAMETERS.binary_search(&word).is_ok();
    if !scheme && named.is_none() && !parameter {
        return None;
    }
    if let Some(told) = told::find(text, &name, named) {
        return Some(told);
    }
    let gap = value::gap(rest);
    if gap == 0 || gap == rest.len() {
        return None;
    }
    let separators = &rest[..gap];
    // A closing quote alone separates nothing: `row['password']`.
    if matches!(separators.trim_start_matches('\\'), "\"" | "'" | ">")
        && !(separators == ">" && before == Some(b'<'))
    {
        return None;
    }
    let assigned = separators.bytes().any(|byte| matches!(byte, b':' | b'='))
        || !separators.is_ascii() && separators.contains(['：', '＝'])
        || rest.starts_with('>') && before == Some(b'<');
    let start = name.end + gap;
    if !assigned
        && bare.len() == word.len()
        && word != "password"
        && !may_be_told(&text[start..])
        && !told::is_set(text, name.start)
    {
        return None;
    }
    let named = named.map(|strength| match bare {
        // Test runners print this before the names of tests.
        "PASS" | "Pass" => strength.min(Strength::Token),
        _ => strength,
    });
    if assigned && header::is_header(bare) {
        return header::find(text, bare, start, line);
    }
    let value = value::probe(text, start);
    // `Authorization: Bearer …`: the scheme is not the secret, what follows it is.
    if is_scheme(value) {
        return None;
    }
    let any = |is: fn(&u8) -> bool| value.as_bytes().iter().any(is);
    let granted = parameter
        && (value.len() >= 6 && any(u8::is_ascii_digit) && any(u8::is_ascii_alphabetic)
            || value.len() >= 20);
    let shown = scheme
        && !assigned
        && (value.len() >= 8
            && any(|byte| !byte.is_ascii_alphabetic())
            && !value.contains(['.', '(', '/'])
            || value.len() >= 20);
    if (granted || shown) && !is_placeholder_at(text, start) {
        return Some(value::extent(text, start));
    }
    let context = Context {
        strength: named?,
        assigned,
        option: word.starts_with('-')
            || bare == "password" && told::is_login(text, name.start)
            || told::is_set(text, name.start),
    };
    if scheme && !assigned && !context.option {
        return None;
    }
    value::judge(text, start, context)
}

fn is_scheme(word: &str) -> bool {
    may_end(word.as_bytes()) && SCHEMES.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn before(bytes: &[u8], at: usize) -> Option<u8> {
    bytes[..at].last().copied()
}

/// Whether a word behind this byte is a parameter of a URL.
fn is_parameter(before: Option<u8>) -> bool {
    matches!(before, Some(b'?' | b'&'))
}

/// Whether what follows in prose may be a secret: something in it is not a letter, or a connector comes first.
fn may_be_told(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let letters = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let connects = matches!(
        &bytes[..letters],
        b"is" | b"was" | b"to" | b"as" | b"est" | b"es" | b"ist" | b"lautet"
    );
    let ends = match bytes.get(letters) {
        None => true,
        Some(byte) => {
            byte.is_ascii_whitespace() || matches!(byte, b',' | b'.' | b';' | b')' | b'"' | b'\'')
        }
    };
    connects || !ends || letters >= 20
}

/// `DB_PASSWORD` of `--env.DB_PASSWORD`.
fn last_name(word: &str) -> &str {
    let sign = |byte: &u8| matches!(byte, b'.' | b'/' | b'%');
    let sign = word.as_bytes().iter().rposition(sign);
    &word[sign.map_or(0, |sign| sign + 1)..]
}

/// Whether a byte stands between words and is not a backslash.
#[inline]
fn is_between(byte: u8) -> bool {
    KINDS[usize::from(byte)] & (IN_WORD | BACKSLASH) == 0
}

#[inline]
fn is_word(byte: u8) -> bool {
    KINDS[usize::from(byte)] & IN_WORD != 0
}

const LOWER: u8 = 1;
const UPPER: u8 = 2;
const BOTH: u8 = UPPER | LOWER;
const DIGIT: u8 = 4;
const DASH: u8 = 8;
/// Signs of a word that Base64 does not have.
const NOT_BASE64: u8 = 16;
const OTHER_SIGN: u8 = 32;
/// What may stand between a name and its value, or begin a character that may.
const SEPARATES: u8 = 64;
/// A backslash; the bit is that of a sign in words.
const BACKSLASH: u8 = OTHER_SIGN;
/// What words are made of, whatever its kind.
const IN_WORD: u8 = 128;

/// The kind of each byte, looked up: every byte of every argument is asked.
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => IN_WORD | LOWER,
            b'A'..=b'Z' => IN_WORD | UPPER,
            b'0'..=b'9' => IN_WORD | DIGIT,
            b'-' => IN_WORD | DASH,
            b'.' | b'~' | b'%' => IN_WORD | NOT_BASE64,
            b'_' | b'+' | b'/' => IN_WORD | OTHER_SIGN,
            b' ' | b'\t' | b'\n' | b'"' | b'\'' | b':' | b'=' | b'<' | b'>' | b']' | 0x80.. => {
                SEPARATES
            }
            b'\\' => SEPARATES | BACKSLASH,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};
