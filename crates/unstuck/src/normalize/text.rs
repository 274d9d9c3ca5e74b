//! Looking around in a text that is being normalised.

/// Most words are shorter.
const SHORT: usize = 32;

/// How many bytes of a long word are judged at once.
const BLOCK: usize = 16;

/// A canonical text, of which everything before `floor` has been dealt with.
///
/// Nothing looks back beyond the floor: what was replaced is gone.
pub(super) struct ScannedText<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) floor: usize,
    /// Where the last time of day ended.
    pub(super) clock: usize,
}

impl<'a> ScannedText<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            floor: 0,
            clock: usize::MAX,
        }
    }

    /// The byte at `at`; zero behind the end.
    #[inline]
    pub(super) fn at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or_default()
    }

    /// The byte before `at`; zero if there is none, or none left.
    #[inline]
    pub(super) fn before(&self, at: usize) -> u8 {
        if at > self.floor { self.at(at - 1) } else { 0 }
    }

    /// Whether `expected` stands at `at`.
    #[inline]
    pub(super) fn says(&self, at: usize, expected: &[u8]) -> bool {
        self.bytes
            .get(at..)
            .is_some_and(|rest| rest.starts_with(expected))
    }

    /// Whether `expected` stands right before `at`.
    pub(super) fn said(&self, at: usize, expected: &[u8]) -> bool {
        self.bytes
            .get(self.floor..at)
            .is_some_and(|before| before.ends_with(expected))
    }

    /// Whether the backslash at `at` starts an escape, rather than being the second half of one.
    pub(super) fn is_escape(&self, at: usize) -> bool {
        let before = self.bytes[..at].iter().rev();
        before.take_while(|&&byte| byte == b'\\').count() % 2 == 0
    }

    /// Where the word around `at` starts; behind `at` if that belongs to an escape.
    pub(super) fn word_start(&self, at: usize) -> usize {
        let before = self.bytes.get(self.floor..at).unwrap_or_default();
        let word = before.iter().rev().take_while(|byte| is_word(**byte));
        let mut start = at - word.count();
        if self.before(start) == b'\\' && self.is_escape(start - 1) {
            start += if self.at(start) == b'u' { 5 } else { 1 };
        }
        start
    }

    #[inline]
    pub(super) fn word_end(&self, at: usize) -> usize {
        let near = self.end_of_within(at, SHORT, is_word);
        if near - at < SHORT {
            return near;
        }
        self.long_word_end(near)
    }

    /// The end of a word of which much has been seen. What is coded as text may be one of a megabyte.
    #[cold]
    fn long_word_end(&self, at: usize) -> usize {
        let all_word = |block: &&[u8]| block.iter().fold(true, |all, byte| all & in_word(*byte));
        let blocks = self.bytes[at..].chunks_exact(BLOCK).take_while(all_word);
        self.end_of(at + blocks.count() * BLOCK, is_word)
    }

    pub(super) fn digits_end(&self, at: usize) -> usize {
        self.end_of(at, |byte| byte.is_ascii_digit())
    }

    pub(super) fn letters_end(&self, at: usize) -> usize {
        self.end_of(at, |byte| byte.is_ascii_alphabetic())
    }

    /// Where the bytes from `at` on end that are of one kind.
    #[inline]
    pub(super) fn end_of(&self, at: usize, kind: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| kind(**byte)).count()
    }

    /// The same, but no more than `most` are looked at.
    #[inline]
    pub(super) fn end_of_within(&self, at: usize, most: usize, kind: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let near = &rest[..rest.len().min(most)];
        at + near.iter().take_while(|byte| kind(**byte)).count()
    }

    /// Where the bytes before `at` start that are of one kind; no more than `most` are looked at.
    pub(super) fn start_of(&self, at: usize, most: usize, kind: impl Fn(u8) -> bool) -> usize {
        let before = self.bytes.get(self.floor..at).unwrap_or_default();
        let near = &before[before.len() - before.len().min(most)..];
        at - near.iter().rev().take_while(|byte| kind(**byte)).count()
    }

    /// Whether a line starts at `at`: a string does, or a line break is right before it.
    pub(super) fn is_line_start(&self, at: usize) -> bool {
        match self.before(at) {
            b'"' => self.before(at - 1) != b'\\',
            b'n' => self.before(at - 1) == b'\\' && self.is_escape(at - 2),
            _ => false,
        }
    }

    /// Whether a line ends at `at`.
    pub(super) fn is_line_end(&self, at: usize) -> bool {
        self.at(at) == b'"' || self.says(at, b"\\n")
    }

    /// Whether nothing before `at` is part of the same number or word.
    pub(super) fn is_number_start(&self, at: usize) -> bool {
        let before = self.before(at);
        let inside = matches!(before, b'.' | b',') && self.before(at - 1).is_ascii_digit();
        !inside && !self.follows_word(at)
    }

    /// Whether a letter, digit or underscore stands right before `at`; the letter of an escape is none.
    pub(super) fn follows_word(&self, at: usize) -> bool {
        let before = self.before(at);
        if !is_word(before) {
            return false;
        }
        let escape = self.before(at - 1) == b'\\' && self.is_escape(at - 2);
        !escape && !self.follows_code(at)
    }

    /// Whether a `\u00xx` escape stands right before `at`.
    fn follows_code(&self, at: usize) -> bool {
        at >= self.floor + 6 && self.says(at - 6, b"\\u00") && self.is_escape(at - 6)
    }

    /// The letters before `at`, with what separates a label from its value in between.
    #[inline]
    pub(super) fn label(&self, at: usize) -> &'a [u8] {
        if !matches!(self.before(at), b' ' | b'=' | b':') {
            return b"";
        }
        // Most numbers stand one space behind a word.
        let end = if self.before(at - 1).is_ascii_alphabetic() {
            at - 1
        } else {
            self.start_of(at, 4, |byte| {
                matches!(byte, b' ' | b'=' | b':' | b'\'' | b'"' | b'\\')
            })
        };
        // All labels end with one of these.
        let last = self.before(end).to_ascii_lowercase();
        if !matches!(last, b'd' | b'k' | b'n' | b's' | b't' | b'y') {
            return b"";
        }
        // The letter of a line break or a tab is not a word.
        if self.before(end - 1) == b'\\' {
            return b"";
        }
        let start = self.start_of(end, 12, |byte| byte.is_ascii_alphabetic() || byte == b'_');
        // A line break's letter may stick to the word: labels are recognised by their ends.
        &self.bytes[start..end]
    }
}

/// Whether a byte belongs to a word.
#[inline]
pub(super) fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

static WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = in_word(byte as u8);
        byte += 1;
    }
    table
};

/// The same without a table: many bytes at once compile to vector instructions.
#[inline]
const fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a word ends with `ending`, in any case, as a whole word of its own or behind an underscore.
pub(super) fn ends_with_word(word: &[u8], ending: &[u8]) -> bool {
    let Some(split) = word.len().checked_sub(ending.len()) else {
        return false;
    };
    let (front, back) = word.split_at(split);
    // `\npid`: the letter of a line break is all that may stand before it.
    back.eq_ignore_ascii_case(ending) && matches!(front, [] | [.., b'_'] | [b'n' | b't'])
}
