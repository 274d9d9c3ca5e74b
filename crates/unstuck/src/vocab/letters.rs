//! Tables of words of ASCII letters.

use crate::hash::GOLDEN;

/// Words with what they stand for, found without regard to capitals. `N` is a power of two and at least twice the number
/// of words.
pub(super) struct Table<V, const N: usize> {
    rows: [Option<Row<V>>; N],
}

#[derive(Clone, Copy)]
struct Row<V> {
    word: &'static str,
    hash: u64,
    value: V,
}

impl<V: Copy, const N: usize> Table<V, N> {
    /// Makes a table of these words.
    pub(super) const fn of(words: &[(&'static str, V)]) -> Self {
        assert!(
            N.is_power_of_two() && words.len() * 2 <= N,
            "room for the words"
        );
        let mut rows: [Option<Row<V>>; N] = [None; N];
        let mut at = 0;
        while at < words.len() {
            let (word, value) = words[at];
            let hash = hash(word.as_bytes());
            let mut slot = Self::slot(hash);
            while rows[slot].is_some() {
                slot = (slot + 1) % N;
            }
            rows[slot] = Some(Row { word, hash, value });
            at += 1;
        }
        Self { rows }
    }

    /// What a word stands for.
    pub(super) fn get(&self, word: &[u8]) -> Option<V> {
        let hash = hash(word);
        let mut slot = Self::slot(hash);
        // Half of the rows are empty.
        while let Some(row) = &self.rows[slot % N] {
            if row.hash == hash && row.word.as_bytes().eq_ignore_ascii_case(word) {
                return Some(row.value);
            }
            slot += 1;
        }
        None
    }

    const fn slot(hash: u64) -> usize {
        (hash >> (u64::BITS - N.trailing_zeros())) as usize
    }
}

/// A hash of the first eight bytes and the length: small and capital letters have one.
const fn hash(word: &[u8]) -> u64 {
    let mut letters = word.len() as u64;
    let mut at = 0;
    while at < word.len() && at < 8 {
        letters = (letters << 8) ^ (word[at] | 0x20) as u64;
        at += 1;
    }
    letters.wrapping_mul(GOLDEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [(&str, u8); 4] = [("a", 1), ("configure", 2), ("configured", 3), ("sets", 4)];
    static TABLE: Table<u8, 8> = Table::of(&WORDS);
    /// It differs from `\u{1}` in the bit that tells capitals from small letters.
    static SIGN: Table<u8, 2> = Table::of(&[("!", 1)]);

    #[test]
    fn words_are_found_whatever_their_capitals() {
        for (word, value) in WORDS {
            assert_eq!(TABLE.get(word.as_bytes()), Some(value));
            assert_eq!(TABLE.get(word.to_uppercase().as_bytes()), Some(value));
        }
    }

    #[test]
    fn other_words_are_not_found() {
        for word in [
            "",
            "b",
            "A!",
            "configurE_",
            "configurations",
            "set",
            "\u{1}",
        ] {
            assert_eq!(TABLE.get(word.as_bytes()), None, "{word}");
        }
        assert_eq!(SIGN.get(b"\x01"), None);
    }
}
