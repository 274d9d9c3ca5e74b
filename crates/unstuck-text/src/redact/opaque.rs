//! Words that look like a key, a token or a hash all by themselves.

use super::issued::{is_issued, may_be_issued};

/// Whether a run of letters, digits and the signs of Base64 looks like a key, a token or a hash.
pub(super) fn is_opaque(word: &[u8]) -> bool {
    let word = trim(word);
    if word.len() < 12 {
        return false;
    }
    if is_issued(word) || is_issued_behind_slash(word) {
        return true;
    }
    if is_uuid(word) {
        return true;
    }
    if !may_hold_random(word) {
        return false;
    }
    let looks = Looks::of(word);
    if looks.upper + looks.lower + looks.digits == word.len() {
        // Nothing separates parts.
        let is_mixed = word.len() >= 32 && looks.is_mixed() && !is_wordy(word, &looks);
        return is_mixed || is_random_looking(word, &looks);
    }
    if word.len() >= 32 && looks.is_mixed() && !is_wordy(word, &looks) && may_be_base64(word) {
        return true;
    }
    // A path is judged by its parts, and as a whole only where it could be base64.
    let apart = |byte: &u8| matches!(byte, b'/' | b'.' | b'%' | b'~' | b':');
    let joined = |byte: &u8| matches!(byte, b'_' | b'-');
    word.split(apart).any(|part| {
        if part.iter().any(joined) {
            is_uuid(part) || part.split(joined).any(is_random) || is_dense(part) && is_random(part)
        } else {
            is_random(part)
        }
    })
}

/// Whether a word begins as a key of an issuer does, signs before it aside.
pub(super) fn is_key(word: &[u8]) -> bool {
    is_issued(trim(word))
}

/// Whether a part of a path, other than the first, is the key of an issuer.
fn is_issued_behind_slash(path: &[u8]) -> bool {
    // Most words have none, and counting is quicker.
    if count(path, |byte| *byte == b'/') == 0 {
        return false;
    }
    path.iter().enumerate().any(|(slash, byte)| {
        let behind = &path[slash + 1..];
        *byte == b'/'
            && may_be_issued(behind)
            && behind
                .split(|byte| *byte == b'/')
                .next()
                .is_some_and(is_issued)
    })
}

fn trim(word: &[u8]) -> &[u8] {
    let sign = |byte: &u8| matches!(byte, b'.' | b'-' | b'/' | b':' | b'_' | b'%');
    let start = word.iter().position(|byte| !sign(byte));
    let end = word.iter().rposition(|byte| !sign(byte));
    match (start, end) {
        (Some(start), Some(end)) => &word[start..=end],
        _ => b"",
    }
}

fn may_be_base64(word: &[u8]) -> bool {
    let foreign = |byte: &u8| matches!(byte, b'.' | b'_' | b'~' | b'%');
    !word.iter().any(foreign) && !word.windows(2).any(|pair| pair == b"--")
}

/// Is a part, within which nothing is separated, too irregular for a name?
pub(super) fn is_random(part: &[u8]) -> bool {
    part.len() >= 16 && is_random_looking(part, &Looks::of(part))
}

/// The same, of a part whose looks are known.
fn is_random_looking(part: &[u8], looks: &Looks) -> bool {
    let length = part.len();
    if length < 16 || is_words(part, looks) {
        return false;
    }
    let hex = part.iter().all(u8::is_ascii_hexdigit);
    (hex && length >= 24 && looks.digits > 0)
        || (hex && looks.runs >= 4)
        || (length >= 20
            && looks.upper > 0
            && looks.lower > 0
            && looks.digits > 0
            && !is_wordy(part, looks))
        || (looks.runs >= 4 && looks.digits >= 3)
        || (length >= 24 && looks.runs >= 3)
        || (length >= 24
            && looks.upper >= 6
            && looks.lower >= 6
            && looks.bumps * 4 >= length
            && !is_wordy(part, looks))
}

/// Words in mixed case, such as `RemovedInDjango40Warning`: runs of small letters are long on average, and digits stand
/// in one place. In random text of twenty characters that is so once in several hundred.
fn is_wordy(part: &[u8], looks: &Looks) -> bool {
    let pairs = part.windows(2);
    let begins = pairs.filter(|pair| !pair[0].is_ascii_lowercase() && pair[1].is_ascii_lowercase());
    let runs = begins.count() + usize::from(part.first().is_some_and(u8::is_ascii_lowercase));
    looks.upper > 0 && looks.runs <= 2 && looks.lower * 2 >= 7 * runs
}

/// Words with numbers between them, such as `Test2024Password123Validator`: each begins with a capital and has at least
/// three small letters.
fn is_words(part: &[u8], looks: &Looks) -> bool {
    let small = |run: &&[u8]| !run.is_empty();
    let mut runs = part.split(|byte| !byte.is_ascii_lowercase()).filter(small);
    looks.upper >= 2 && runs.clone().count() == looks.upper && runs.all(|run| run.len() >= 3)
}

/// Digits and capitals are half of it: names of versions and platforms such as `cpython-39-x86_64` have fewer.
fn is_dense(part: &[u8]) -> bool {
    let dense = count(part, |byte| {
        byte.is_ascii_digit() || byte.is_ascii_uppercase()
    });
    dense * 2 >= count(part, u8::is_ascii_alphanumeric)
}

fn is_uuid(word: &[u8]) -> bool {
    let lengths = word.split(|byte| *byte == b'-').map(<[u8]>::len);
    word.len() == 36
        && lengths.eq([8, 4, 4, 4, 12])
        && word
            .iter()
            .all(|byte| *byte == b'-' || byte.is_ascii_hexdigit())
}

/// What a word is made of.
struct Looks {
    upper: usize,
    lower: usize,
    digits: usize,
    /// Changes between letters and digits.
    runs: usize,
    /// Changes between any two kinds.
    bumps: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Digit,
    Sign,
}

/// What a byte is, looked up: every byte of every long word is asked.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Sign; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        kinds[byte as usize] = match byte {
            b'A'..=b'Z' => Kind::Upper,
            b'a'..=b'z' => Kind::Lower,
            b'0'..=b'9' => Kind::Digit,
            _ => Kind::Sign,
        };
        byte += 1;
    }
    kinds
};

impl Looks {
    fn of(word: &[u8]) -> Self {
        let upper = count(word, u8::is_ascii_uppercase);
        let lower = count(word, u8::is_ascii_lowercase);
        let digits = count(word, u8::is_ascii_digit);
        let (runs, bumps) = all_changes(word, upper + lower + digits);
        Self {
            upper,
            lower,
            digits,
            runs,
            bumps,
        }
    }

    /// Upper and lower case and digits throughout, as in base64.
    fn is_mixed(&self) -> bool {
        self.upper >= 3 && self.lower >= 3 && self.digits >= 1
    }
}

/// Whether any part of a word may be random, or all of it mixed. A part has no more of anything than the whole.
fn may_hold_random(word: &[u8]) -> bool {
    /// Upper case, lower case, digits and hexadecimal digits, sixteen bits each.
    const COUNTED: [u64; 256] = {
        let mut counted = [0; 256];
        let mut byte = 0;
        while byte < 128_u8 {
            let is = [
                byte.is_ascii_uppercase(),
                byte.is_ascii_lowercase(),
                byte.is_ascii_digit(),
                byte.is_ascii_hexdigit(),
            ];
            let mut at = 0;
            while at < is.len() {
                counted[byte as usize] |= (is[at] as u64) << (16 * at);
                at += 1;
            }
            byte += 1;
        }
        counted
    };
    // The counts of a longer word do not fit. Its parts are judged in any case.
    if word.len() > usize::from(u16::MAX) {
        return true;
    }
    let all: u64 = word.iter().map(|byte| COUNTED[usize::from(*byte)]).sum();
    let [upper, lower, digits, hex] = [0, 16, 32, 48].map(|place| (all >> place & 0xffff) as usize);
    upper > 0 && lower > 0 && digits > 0
        || upper >= 6 && lower >= 6
        || hex >= 24 && digits > 0
        // A digit has two neighbours.
        || digits >= 2 && all_changes(word, upper + lower + digits).0 >= 3
}

/// Changes between letters and digits, and between any two kinds, in a word with so many of both.
fn all_changes(word: &[u8], letters_and_digits: usize) -> (usize, usize) {
    if letters_and_digits == word.len() {
        changes_between_neighbours(word)
    } else {
        changes(word)
    }
}

/// Changes between letters and digits, and between any two kinds. Signs are passed over.
fn changes(word: &[u8]) -> (usize, usize) {
    let (mut runs, mut bumps) = (0, 0);
    let mut last = Kind::Sign;
    for byte in word {
        let kind = KINDS[usize::from(*byte)];
        if kind == last || kind == Kind::Sign {
            continue;
        }
        if last != Kind::Sign {
            bumps += 1;
            runs += usize::from(last == Kind::Digit || kind == Kind::Digit);
        }
        last = kind;
    }
    (runs, bumps)
}

/// The same of a word without signs, as most long ones are: neighbours are all there is to compare.
fn changes_between_neighbours(word: &[u8]) -> (usize, usize) {
    let (mut runs, mut bumps) = (0, 0);
    let pairs = word.get(1..).unwrap_or_default();
    for (before, after) in word.chunks(64).zip(pairs.chunks(64)) {
        let (mut runs_here, mut bumps_here) = (0_u8, 0_u8);
        for (before, after) in before.iter().zip(after) {
            let digits = before.is_ascii_digit() != after.is_ascii_digit();
            let cases = before.is_ascii_uppercase() != after.is_ascii_uppercase();
            runs_here += u8::from(digits);
            bumps_here += u8::from(digits | cases);
        }
        runs += usize::from(runs_here);
        bumps += usize::from(bumps_here);
    }
    (runs, bumps)
}

/// How many bytes are such, of which 0 is none. In whole blocks whose counts fit in a byte: so it compiles to vector
/// instructions.
pub(super) fn count(bytes: &[u8], is: impl Fn(&u8) -> bool) -> usize {
    const BLOCK: usize = 32;
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let block = |block: &[u8; BLOCK]| block.iter().map(|byte| u8::from(is(byte))).sum::<u8>();
    let blocks = blocks.iter().chain([&last]);
    blocks.map(|bytes| usize::from(block(bytes))).sum()
}

#[cfg(test)]
#[path = "opaque_tests.rs"]
mod tests;
