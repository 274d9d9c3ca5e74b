//! Secrets that no name announces: passwords with signs in them, short texts in Base64, seed phrases.

use std::ops::Range;

/// A shorter one may be anything.
const SHORTEST_PASSWORD: usize = 8;
const LONGEST_PASSWORD: usize = 64;

/// Passwords as they are advised: letters of both cases, digits and signs, changing at nearly every character.
pub(super) fn find_passwords(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(skipped) = bytes[at..].iter().position(|byte| SIGN[usize::from(*byte)]) {
        let sign = at + skipped;
        // `lib.rs#L10-L20`: lines of a file.
        if matches!(bytes[sign..], [b'#', b'L', b'0'..=b'9', ..]) {
            at = sign + 1;
            continue;
        }
        let inner = |byte: &&u8| is_inner(**byte);
        let before = bytes[at..sign].iter().rev().take(LONGEST_PASSWORD);
        let after = bytes[sign..].iter().take(LONGEST_PASSWORD + 1);
        let token = sign - before.take_while(inner).count()..sign + after.take_while(inner).count();
        if is_password(&bytes[token.clone()]) {
            found.push(token.clone());
        }
        at = token.end;
    }
}

/// Signs that words of prose and of programs seldom hold.
const SIGN: [bool; 256] = {
    let mut sign = [false; 256];
    let signs = b"#$!@&^";
    let mut at = 0;
    while at < signs.len() {
        sign[signs[at] as usize] = true;
        at += 1;
    }
    sign
};

/// Characters of a password that do not end a word of a text or of a program.
fn is_inner(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'#' | b'$'
                | b'!'
                | b'@'
                | b'&'
                | b'*'
                | b'^'
                | b'%'
                | b'?'
                | b'_'
                | b'-'
                | b'+'
                | b'~'
        )
}

fn is_password(token: &[u8]) -> bool {
    #[derive(PartialEq, Eq, Clone, Copy)]
    enum Kind {
        Upper,
        Lower,
        Digit,
        Sign,
    }
    if !(SHORTEST_PASSWORD..=LONGEST_PASSWORD).contains(&token.len()) {
        return false;
    }
    let kind = |byte: &u8| match byte {
        b'A'..=b'Z' => Kind::Upper,
        b'a'..=b'z' => Kind::Lower,
        b'0'..=b'9' => Kind::Digit,
        _ => Kind::Sign,
    };
    let kinds = [Kind::Upper, Kind::Lower, Kind::Digit, Kind::Sign];
    let all = kinds
        .iter()
        .all(|wanted| token.iter().any(|byte| kind(byte) == *wanted));
    let changes = token
        .windows(2)
        .filter(|pair| kind(&pair[0]) != kind(&pair[1]))
        .count();
    all && changes * 2 > token.len()
}

/// Short texts in Base64, such as a password that was encoded: what they decode to is text with a digit or a sign in it.
pub(super) fn is_encoded_text(word: &[u8], padding: usize) -> bool {
    let length = word.len() + padding;
    if !length.is_multiple_of(4) || length < 8 || padding > 2 || length < 12 && padding == 0 {
        return false;
    }
    let upper = word.iter().any(u8::is_ascii_uppercase);
    let lower = word.iter().any(u8::is_ascii_lowercase);
    if !upper || !lower {
        return false;
    }
    let (mut bits, mut held) = (0_u32, 0);
    let mut letters = 0;
    for byte in word {
        let Some(value) = sextet(*byte) else {
            return false;
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            let decoded = (bits >> held & 0xff) as u8;
            if !decoded.is_ascii_graphic() && decoded != b' ' && decoded != b'\n' {
                return false;
            }
            letters += usize::from(decoded.is_ascii_alphanumeric());
        }
    }
    let decoded = word.len() * 6 / 8;
    // What is left over is zero in whatever an encoder wrote.
    bits & ((1 << held) - 1) == 0 && letters * 3 >= decoded * 2
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// How many words a seed phrase has.
const PHRASES: [usize; 5] = [12, 15, 18, 21, 24];

/// Words of three to eight letters that prose is full of and that no list of seed words has, in order.
const NOT_SEEDS: [&str; 101] = [
    "after", "and", "anything", "are", "args", "because", "been", "before", "being", "between",
    "both", "but", "call", "called", "che", "code", "com", "con", "could", "dans", "data", "del",
    "della", "des", "did", "does", "each", "error", "est", "failed", "files", "for", "from",
    "function", "get", "had", "has", "her", "here", "him", "his", "how", "its", "las", "les",
    "let", "lets", "line", "lines", "los", "made", "mais", "may", "might", "most", "nel", "not",
    "our", "out", "para", "pas", "passed", "per", "por", "pour", "que", "qui", "same", "set",
    "she", "should", "some", "sur", "tests", "than", "the", "their", "them", "these", "those",
    "through", "uma", "una", "une", "uses", "using", "value", "values", "via", "was", "well",
    "were", "which", "while", "who", "whose", "why", "with", "without", "would", "your",
];

/// The longest run of words that may be a phrase: four words may announce it.
const LONGEST_RUN: usize = PHRASES[4] + 4;

/// Seed phrases: so many short words in lower case with nothing but spaces between them, none of which prose needs.
pub(super) fn find_phrases(text: &str, found: &mut Vec<Range<usize>>) {
    if text.is_ascii() {
        phrases::<false>(text, found);
    } else {
        wide_phrases(text, found);
    }
}

/// Apart, so that the search in ASCII compiles to what it needs alone.
#[inline(never)]
fn wide_phrases(text: &str, found: &mut Vec<Range<usize>>) {
    phrases::<true>(text, found);
}

/// Finds phrases, with letters that ASCII has not if `WIDE`.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "each of the two callers compiles to a loop of its own"
)]
fn phrases<const WIDE: bool>(text: &str, found: &mut Vec<Range<usize>>) {
    let is_letter = |byte: &u8| byte.is_ascii_lowercase() || WIDE && *byte >= 0x80;
    let is_wide = |at: usize| WIDE && is_wide_space(&text.as_bytes()[at..]);
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut run = Run::default();
    let mut keep = |run: &mut Run| {
        if (PHRASES[0]..=LONGEST_RUN).contains(&run.words) {
            keep_phrase(text, run.start..run.end, found);
        }
        run.words = 0;
    };
    while at < bytes.len() {
        let start = at;
        while bytes.get(at).is_some_and(is_letter) && !is_wide(at) {
            at += 1;
        }
        let length = at - start;
        let long = if WIDE {
            may_be_seed(&bytes[start..at])
        } else {
            (3..=8).contains(&length)
        };
        let fits = long
            && bytes.get(at).is_none_or(|byte| {
                !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-' | b'/' | b'.' | b'(')
            });
        if fits {
            run.add(start..at);
        } else if length > 0 {
            keep(&mut run);
        }
        let end = at;
        while bytes.get(at).is_some_and(|byte| is_between(*byte)) || is_wide(at) {
            at += if WIDE && !bytes[at].is_ascii() {
                WIDE_SPACE.len()
            } else {
                1
            };
        }
        let gap = at - end;
        if gap == 0 || gap > 4 || !bytes.get(at).is_some_and(is_letter) {
            keep(&mut run);
            // Whatever it is, it is not a word: on to the next space.
            while let Some(byte) = bytes.get(at) {
                at += 1;
                if is_between(*byte) || matches!(byte, b':' | b'=') {
                    break;
                }
            }
        }
    }
    keep(&mut run);
}

/// Words of a length that seed words have, one behind the other.
#[derive(Default)]
struct Run {
    start: usize,
    end: usize,
    words: usize,
}

impl Run {
    fn add(&mut self, word: Range<usize>) {
        if self.words == 0 {
            self.start = word.start;
        }
        self.end = word.end;
        self.words += 1;
    }
}

/// Finds phrases with wide spaces between their words, as Japanese ones have.
pub(super) fn find_wide_phrases(text: &str, found: &mut Vec<Range<usize>>) {
    if memchr::memmem::find(text.as_bytes(), &WIDE_SPACE).is_some() {
        find_phrases(text, found);
    }
}

/// The space that is as wide as a Chinese character.
const WIDE_SPACE: [u8; 3] = [0xe3, 0x80, 0x80];

/// Whether these bytes begin with that space or with a colon as wide.
fn is_wide_space(bytes: &[u8]) -> bool {
    matches!(bytes, [0xe3, 0x80, 0x80, ..] | [0xef, 0xbc, 0x9a, ..])
}

/// A word as long as those of the lists: three to eight Latin letters, one Chinese character, or a few of Japanese.
fn may_be_seed(word: &[u8]) -> bool {
    if word.is_ascii() {
        return (3..=8).contains(&word.len());
    }
    let length = word.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    match word[0] {
        0xe4..=0xe9 => length == 1,
        0xe3 => {
            (2..=8).contains(&length)
                && word
                    .chunks(3)
                    .all(|letter| matches!(letter, [0xe3, 0x81..=0x83, _]))
        }
        _ => {
            (3..=8).contains(&length)
                && word
                    .iter()
                    .all(|byte| matches!(byte, b'a'..=b'z' | 0x80..=0xbf | 0xc3..=0xc5 | 0xcc))
        }
    }
}

/// What stands between the words of a phrase.
#[inline]
fn is_between(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b',' | b'"')
}

#[inline(never)]
fn keep_phrase(text: &str, run: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut at = run.start;
    let between = |byte: &u8| is_between(*byte) || *byte == WIDE_SPACE[0];
    let bytes = text.as_bytes();
    while at < run.end {
        if is_wide_space(&bytes[at..]) {
            at += WIDE_SPACE.len();
            continue;
        }
        let mut end = at;
        while end < run.end
            && !(between(&bytes[end]) && (bytes[end].is_ascii() || is_wide_space(&bytes[end..])))
        {
            end += 1;
        }
        if end > at {
            words.push(at..end);
        }
        at = end + usize::from(end < run.end && bytes[end].is_ascii());
    }
    // `seed phrase` itself may stand before it.
    let announced = words.iter().take(4).rposition(|range| {
        matches!(
            &text[range.clone()],
            "seed" | "phrase" | "mnemonic" | "recovery" | "words" | "backup"
        )
    });
    if let Some(at) = announced
        && !PHRASES.contains(&words.len())
    {
        words.drain(..=at);
    }
    let is_seed = |range: &Range<usize>| {
        let word = &text[range.clone()];
        NOT_SEEDS.binary_search(&word).is_err()
            && (!word.is_ascii() || word.contains(['a', 'e', 'i', 'o', 'u', 'y']))
    };
    let inflected = |range: &&Range<usize>| {
        let word = &text[(*range).clone()];
        word.ends_with('s') || word.ends_with("ed") || word.ends_with("ing") || word.ends_with("ly")
    };
    if PHRASES.contains(&words.len())
        && words.iter().all(is_seed)
        && words.iter().filter(inflected).count() * 4 <= words.len()
        && let (Some(first), Some(last)) = (words.first(), words.last())
    {
        found.push(first.start..last.end);
    }
}
