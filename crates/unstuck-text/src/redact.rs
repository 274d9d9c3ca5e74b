//! Takes secrets out of text.
//!
//! Secrets are found by the tables of this module, one line a shape: the prefixes that their issuers give them, names
//! such as `password` before them in many languages, options of programs, credentials in URLs, cards and accounts, and
//! by their looks: long runs of mixed letters and digits. Taking out too much costs a reader a little; taking out too
//! little cannot be undone. Every search takes time linear in the text.

mod arguments;
mod codes;
mod commands;
mod foreign;
mod header;
mod issued;
mod known;
mod names;
mod needs;
mod numbers;
mod opaque;
mod placeholder;
mod programs;
mod prose;
mod structured;
mod table;
mod told;
mod urls;
mod value;
mod words;

use std::{borrow::Cow, ops::Range};

pub use arguments::{Arguments, names_secret_value};
pub use names::{names_a_secret, names_own_secret};
pub use structured::{JsonRedactor, redact_json};

use needs::{COLON, Counts, DASH, DIGIT, DOLLAR, FOREIGN, NOTHING, SIGN, SPACE, UPPER};

/// Stands in place of a secret.
pub const REDACTED: &str = "[redacted]";

/// A text without what looks like a secret.
///
/// ```
/// assert_eq!(unstuck_text::redact("curl -u x https://joe:pa55@host/a?b=1"), "curl -u x https://[redacted]@host/a?b=1");
/// assert_eq!(unstuck_text::redact("curl -u joe:pa55 https://host"), "curl -u joe:[redacted] https://host");
/// assert_eq!(unstuck_text::redact("read src/auth.py"), "read src/auth.py");
/// ```
pub fn redact(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    redact_any(text)
}

/// The beginning of a text without what looks like a secret: enough of it for an excerpt of `characters` characters,
/// however long the text is. The excerpt itself is still to be cut.
///
/// ```
/// let text = "x".repeat(1 << 20);
/// assert!(unstuck_text::redact_excerpt(&text, 80).len() < 2_000);
/// ```
pub fn redact_excerpt(text: &str, characters: usize) -> Cow<'_, str> {
    /// Bytes that are looked at beyond the excerpt, so that a secret at its end is recognised.
    const BEYOND: usize = 512;
    /// A word that is cut after fewer bytes may be the beginning of anything.
    const SHORTEST: usize = 128;
    let look = characters.saturating_mul(4).saturating_add(BEYOND);
    if text.len() <= look {
        return redact(text);
    }
    let start = &text[..crate::floor_char_boundary(text, look)];
    let word = start.rfind(value::ends_value).map_or(0, |end| end + 1);
    let word = crate::floor_char_boundary(start, word);
    if start.len() - word < SHORTEST && word > 0 {
        return redact(&start[..word]);
    }
    redact(start)
}

/// Names and small numbers, as most names and ids are.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() <= 16 && bytes.iter().all(u8::is_ascii_lowercase)
        || bytes.len() <= 8 && bytes.iter().all(u8::is_ascii_digit)
}

fn redact_any(text: &str) -> Cow<'_, str> {
    /// Passes over one text. Taking a secret out can change what its neighbours look like; most texts are stable after
    /// the first pass.
    const PASSES: usize = 6;
    let mut clean = redact_once(text);
    for _ in 1..PASSES {
        let Cow::Owned(once) = &clean else {
            return clean;
        };
        let Cow::Owned(again) = redact_once(once) else {
            return clean;
        };
        clean = Cow::Owned(again);
    }
    // A text made so that every pass uncovers another secret: more passes would take quadratic time, so everything
    // between the first and the last of them goes, and all of the text if that is not enough.
    let found = find_secrets(&clean);
    let (Some(first), Some(last)) = (found.first(), found.last()) else {
        return clean;
    };
    let joined = [&clean[..first.start], REDACTED, &clean[last.end..]].concat();
    if find_secrets(&joined).is_empty() {
        Cow::Owned(joined)
    } else {
        Cow::Borrowed(REDACTED)
    }
}

fn redact_once(text: &str) -> Cow<'_, str> {
    let found = find_secrets(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut at = 0;
    for range in found {
        clean.push_str(&text[at..range.start]);
        clean.push_str(REDACTED);
        at = range.end;
    }
    clean.push_str(&text[at..]);
    Cow::Owned(clean)
}

/// Where in a text something looks like a secret: bytes, in order, apart from each other.
///
/// ```
/// assert_eq!(unstuck_text::find_secrets("password=abc"), [9..12]);
/// ```
pub fn find_secrets(text: &str) -> Vec<Range<usize>> {
    let counts = Counts::of(text);
    let mut found = Vec::new();
    for (needs, find) in FINDERS {
        if counts.reach(needs) {
            find(text, &mut found);
        }
    }
    if !found.is_empty() {
        join(text, &mut found);
    }
    found
}

type Find = fn(&str, &mut Vec<Range<usize>>);

/// Every search, and what a text holds at least if the search finds anything in it.
const FINDERS: [(Counts, Find); 11] = [
    // `-----BEGIN`
    (DASH.times(5).and(UPPER.times(5)), urls::find_blocks),
    // `://` and `@`
    (COLON.and(SIGN), urls::find_credentials),
    // `$6$`
    (DOLLAR.times(2), urls::find_hashes),
    // Four colons between five fields.
    (COLON.times(4), urls::find_pgpass),
    // A social security number has nine digits; cards have more.
    (DIGIT.times(9), numbers::find),
    // Two letters and two digits, then at least eight digits.
    (UPPER.times(2).and(DIGIT.times(10)), numbers::find_accounts),
    // Both cases, a digit and a sign.
    (UPPER.and(DIGIT).and(SIGN), prose::find_passwords),
    // Twelve words. Quotes stand between words too, but not between those of a phrase alone.
    (SPACE.times(11), prose::find_phrases),
    // Twelve words of at least two letters in three bytes each, and the spaces between them.
    (FOREIGN.times(105), prose::find_wide_phrases),
    (FOREIGN, foreign::find),
    (NOTHING, words::find),
];

/// Puts what was found in order, and makes one of what overlaps.
fn join(text: &str, found: &mut Vec<Range<usize>>) {
    // What was taken out before stays as it is.
    let brackets = ['[', ']'];
    let taken_out = REDACTED.trim_matches(brackets);
    found.retain(|range: &Range<usize>| {
        !range.is_empty() && text[range.clone()].trim_matches(brackets) != taken_out
    });
    found.sort_unstable_by_key(|range| range.start);
    // Two that overlap are one.
    found.dedup_by(|next, kept| {
        let overlap = next.start < kept.end;
        if overlap {
            kept.end = kept.end.max(next.end);
        }
        overlap
    });
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "redact/quick_tests.rs"]
mod quick_tests;

#[cfg(test)]
#[path = "redact/attack_tests.rs"]
mod attack_tests;
