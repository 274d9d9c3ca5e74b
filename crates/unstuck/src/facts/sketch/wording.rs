//! Wording: sentences and queries, and the words of them.

use super::{Nature, Word};
use crate::facts::tool_words::words;

/// A sentence has at least so many words; what is shorter may be a name.
const SENTENCE: usize = 8;

/// How many words are looked at to tell a sentence from code, a table or a list of names.
const LOOKED_AT: usize = 64;

/// Is this what an argument is called that is made to be put in words?
pub(super) fn is_query(name: &str) -> bool {
    matches!(
        name,
        "keywords"
            | "key_words"
            | "q"
            | "query"
            | "question"
            | "search"
            | "search_query"
            | "search_term"
            | "search_terms"
            | "searchQuery"
            | "terms"
    )
}

/// Does a tool that takes nothing but a string take a query?
pub(super) fn asks(tool: &str) -> bool {
    words(tool).any(|word| {
        ["ask", "lookup", "query", "search"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
    })
}

/// A first look at a string: has it enough spaces for a sentence, or letters that need none?
pub(super) fn may_be_prose(raw: &str) -> bool {
    let is_gap = |byte: &u8| *byte == b' ' || *byte >= 0xe2;
    // In blocks whose counts fit in a byte: so it compiles to vector instructions.
    let in_block = |block: &[u8]| block.iter().map(|byte| u8::from(is_gap(byte))).sum::<u8>();
    let mut gaps = 0;
    raw.as_bytes().chunks(64).any(|block| {
        gaps += usize::from(in_block(block));
        gaps >= SENTENCE - 1
    })
}

/// Is the text made of plain words?
pub(super) fn is_prose(text: &str) -> bool {
    let (mut all, mut plain) = (0, 0);
    for piece in pieces(text).take(LOOKED_AT) {
        all += 1;
        plain += usize::from(piece.is_plain());
    }
    all >= SENTENCE && plain * 5 >= all * 4
}

/// A piece of a text between spaces; a character by itself in writing that has none.
#[derive(Clone, Copy)]
struct Piece<'a> {
    /// As it stands there.
    raw: &'a str,
    /// Without the signs around it.
    bare: &'a str,
}

impl<'a> Piece<'a> {
    fn new(raw: &'a str) -> Self {
        let bare = raw.trim_matches(|character: char| {
            character.is_ascii_punctuation()
                || matches!(character, '“' | '”' | '‘' | '’' | '…' | '—')
        });
        Self { raw, bare }
    }

    fn is_plain(self) -> bool {
        !self.bare.is_empty()
            && self
                .bare
                .chars()
                .all(|character| character.is_alphabetic() || matches!(character, '-' | '\'' | '’'))
    }

    /// Numbers, identifiers, names: what a text is about.
    fn is_data(self, opens: bool) -> bool {
        if !self.is_plain() {
            return true;
        }
        let mut characters = self.bare.chars();
        let first = characters.next().is_some_and(char::is_uppercase);
        let several = characters.clone().next().is_some();
        let inner = characters.any(char::is_uppercase);
        inner || (first && several && !opens)
    }

    fn ends_sentence(self) -> bool {
        self.raw.ends_with(['.', '!', '?', ':', ';', '。'])
    }
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    text.split_whitespace().flat_map(|run| {
        let mut rest = run;
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            let end = if is_ideograph(first) {
                first.len_utf8()
            } else {
                rest.find(is_ideograph).unwrap_or(rest.len())
            };
            let (piece, after) = rest.split_at(end);
            rest = after;
            Some(Piece::new(piece))
        })
    })
}

/// Chinese and Japanese are written without spaces.
fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// The words of a text, one after the other.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = Word> {
    let mut opens = true;
    pieces(text).filter_map(move |piece| {
        let opened = std::mem::replace(&mut opens, piece.ends_sentence());
        if piece.bare.is_empty() {
            return None;
        }
        Some(if piece.is_data(opened) {
            Word::new(hash(piece.bare.chars()), Nature::Data)
        } else {
            Word::new(plain_hash(piece.bare), Nature::Wording)
        })
    })
}

/// Small and capital letters are one, and so are one and many of a thing.
fn plain_hash(word: &str) -> u64 {
    let singular = match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
        _ => word,
    };
    hash(singular.chars().flat_map(char::to_lowercase))
}

/// FNV-1a, with a last stir for the upper half, which is what is kept.
fn hash(characters: impl Iterator<Item = char>) -> u64 {
    let folded = characters.fold(0xcbf2_9ce4_8422_2325_u64, |hash, character| {
        (hash ^ u64::from(u32::from(character))).wrapping_mul(0x0100_0000_01b3)
    });
    (folded ^ (folded >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
