//! Hook inputs that the engine would refuse, turned into JSON that it takes.
//!
//! A result or an argument may be nested too deeply, hold `NaN` or half a character, or be larger than is kept in
//! memory. If such an input were dropped, a tool could switch the guard off by what it returns. So the part that cannot
//! be taken is replaced: by its own spelling where that is short, or else by a keyed digest. Equal parts stay equal,
//! different ones stay different.
//!
//! One pass over the bytes, in pieces of any length. Syntax is not checked here: what is not JSON beyond these cases is
//! refused by the reader that follows.

use std::mem;

use unstuck::Json;

/// Levels of arrays and objects that the engine takes.
const DEEPEST: usize = 128;

/// Bytes of a word that are kept: numbers and literals.
const LONGEST_WORD: usize = 1_024;

/// Bytes of a string that are kept of an oversized input.
const LONGEST_STRING: usize = 64 << 10;

/// Bytes of an array or object that are kept of an oversized input, counted from the innermost one.
const LARGEST_CONTAINER: usize = 256 << 10;

/// How much of an input is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// All that the engine takes.
    Everything,
    /// Short strings and small containers; the rest becomes digests.
    Outline,
}

/// Rewrites the JSON text of a hook input piece by piece.
///
/// ```
/// use unstuck_hosts::Condenser;
///
/// let mut condenser = Condenser::of_oversized(&[0; 32]);
/// condenser.feed(br#"{"session_id":"s","tool_in"#);
/// condenser.feed(br#"put":{"limit":NaN}}"#);
/// assert_eq!(condenser.finish(), r#"{"session_id":"s","tool_input":{"limit":"NaN"}}"#);
/// ```
#[derive(Debug)]
pub struct Condenser {
    key: [u8; 32],
    keep: Keep,
    out: Vec<u8>,
    open: Vec<Container>,
    state: State,
}

/// An array or object that is not closed.
#[derive(Debug)]
struct Container {
    /// Where its bracket stands in the output.
    start: usize,
    /// What was taken out of it so far.
    folded: Option<Digest>,
}

#[derive(Debug)]
enum State {
    Between,
    Word(Word),
    Text(Text),
    Deep(Deep),
}

/// A number or a literal.
#[derive(Debug, Default)]
struct Word {
    bytes: Vec<u8>,
    folded: Option<Digest>,
}

/// A string.
#[derive(Debug)]
struct Text {
    /// Where its opening quote stands in the output.
    start: usize,
    folded: Option<Digest>,
    /// The escape that is being read, from its backslash on.
    escape: Vec<u8>,
    /// First half of a surrogate pair whose second half may follow.
    high: Option<u16>,
    /// Bytes of a character that is not complete.
    character: Vec<u8>,
}

/// A container beyond the deepest level.
#[derive(Debug)]
struct Deep {
    digest: Digest,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

/// A keyed digest of something that is not kept.
#[derive(Debug)]
struct Digest {
    hasher: Box<blake3::Hasher>,
    bytes: u64,
}

impl Digest {
    fn new(key: &[u8; 32]) -> Self {
        Self {
            hasher: Box::new(blake3::Hasher::new_keyed(key)),
            bytes: 0,
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    fn text(&self) -> String {
        let hash = letters(self.hasher.finalize().as_bytes());
        format!("[{} bytes, digest {hash}]", self.bytes)
    }
}

/// A digest of bytes, as a word.
pub(crate) fn digest(key: &[u8; 32], bytes: &[u8]) -> String {
    letters(blake3::keyed_hash(key, bytes).as_bytes())
}

/// 128 bits in small letters. Digits or capitals among them would make it an identifier that changes from run to run,
/// and outcomes are compared without those.
fn letters(hash: &[u8; 32]) -> String {
    let nibbles = hash[..16].iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles.map(|nibble| char::from(b'a' + nibble)).collect()
}

impl Condenser {
    /// For an input that fits into memory: all of it is kept that the engine takes.
    pub(crate) fn of_whole(key: &[u8; 32]) -> Self {
        Self::new(key, Keep::Everything)
    }

    /// For an input that is larger than is kept in memory: long strings and large containers become digests too.
    pub fn of_oversized(key: &[u8; 32]) -> Self {
        Self::new(key, Keep::Outline)
    }

    fn new(key: &[u8; 32], keep: Keep) -> Self {
        Self {
            key: *key,
            keep,
            out: Vec::new(),
            open: Vec::new(),
            state: State::Between,
        }
    }

    /// Takes the next piece of the input.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let used = match mem::replace(&mut self.state, State::Between) {
                State::Between => self.between(rest),
                State::Word(word) => self.word(word, rest),
                State::Text(text) => self.text(text, rest),
                State::Deep(deep) => self.deep(deep, rest),
            };
            rest = &rest[used..];
            self.fold_container();
        }
    }

    /// The text that stands for the input.
    pub fn finish(mut self) -> String {
        if let State::Word(word) = mem::replace(&mut self.state, State::Between) {
            self.end_word(&word);
        }
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// One byte between two values. Returns how many bytes were used.
    fn between(&mut self, rest: &[u8]) -> usize {
        match rest[0] {
            // Kept between two values, where it may be the only thing that is.
            b' ' | b'\t' | b'\n' | b'\r' if self.out.last() == Some(&b' ') => {}
            b' ' | b'\t' | b'\n' | b'\r' => self.out.push(b' '),
            b'{' | b'[' if self.open.len() >= DEEPEST => {
                self.state = State::Deep(Deep {
                    digest: Digest::new(&self.key),
                    depth: 0,
                    in_string: false,
                    escaped: false,
                });
                return 0;
            }
            bracket @ (b'{' | b'[') => {
                self.open.push(Container {
                    start: self.out.len(),
                    folded: None,
                });
                self.out.push(bracket);
            }
            bracket @ (b'}' | b']') => {
                self.out.push(bracket);
                self.close();
            }
            sign @ (b',' | b':') => self.out.push(sign),
            b'"' => {
                self.state = State::Text(Text {
                    start: self.out.len(),
                    folded: None,
                    escape: Vec::new(),
                    high: None,
                    character: Vec::new(),
                });
                self.out.push(b'"');
            }
            _ => {
                self.state = State::Word(Word::default());
                return 0;
            }
        }
        1
    }

    fn close(&mut self) {
        let Some(container) = self.open.pop() else {
            return;
        };
        if let Some(mut folded) = container.folded {
            folded.add(&self.out[container.start..]);
            self.out.truncate(container.start);
            self.push_string(&folded.text());
        }
    }

    /// Takes the contents of the innermost container out where they are too large. The input itself always stays.
    fn fold_container(&mut self) {
        let innermost = self.open.len() > 1 && matches!(self.state, State::Between);
        if self.keep == Keep::Everything || !innermost {
            return;
        }
        if let Some(container) = self.open.last_mut()
            && self.out.len() - container.start > LARGEST_CONTAINER
        {
            let key = &self.key;
            let folded = container.folded.get_or_insert_with(|| Digest::new(key));
            folded.add(&self.out[container.start..]);
            self.out.truncate(container.start);
        }
    }

    fn word(&mut self, mut word: Word, rest: &[u8]) -> usize {
        let is_end = |byte: &u8| b" \t\n\r,:{}[]\"".contains(byte);
        let end = rest.iter().position(is_end);
        let part = &rest[..end.unwrap_or(rest.len())];
        word.bytes.extend_from_slice(part);
        if word.folded.is_some() || word.bytes.len() > LONGEST_WORD {
            let key = &self.key;
            let folded = word.folded.get_or_insert_with(|| Digest::new(key));
            folded.add(&mem::take(&mut word.bytes));
        }
        match end {
            Some(_) => self.end_word(&word),
            None => self.state = State::Word(word),
        }
        part.len()
    }

    fn end_word(&mut self, word: &Word) {
        if let Some(folded) = &word.folded {
            return self.push_string(&folded.text());
        }
        let text = String::from_utf8_lossy(&word.bytes);
        if Json::parse(&text).is_ok() {
            self.out.extend_from_slice(text.as_bytes());
        } else {
            self.push_string(&text);
        }
    }

    fn push_string(&mut self, text: &str) {
        self.out
            .extend_from_slice(Json::string(text).as_str().as_bytes());
    }

    /// A part of a string. Returns how many bytes were used.
    fn text(&mut self, mut text: Text, rest: &[u8]) -> usize {
        let mut used = 0;
        while let Some(&byte) = rest.get(used) {
            self.fold_text(&mut text);
            if !text.escape.is_empty() {
                used += self.escaped(&mut text, byte);
                continue;
            }
            if byte >= 0x80 {
                text.take_back_high(&mut self.out);
                text.character.push(byte);
                text.complete_character(&mut self.out);
                used += 1;
                continue;
            }
            text.give_up_character(&mut self.out);
            match byte {
                b'\\' => {
                    text.escape.push(byte);
                    used += 1;
                }
                b'"' => {
                    text.take_back_high(&mut self.out);
                    self.end_text(text);
                    return used + 1;
                }
                0..0x20 => {
                    text.take_back_high(&mut self.out);
                    self.out
                        .extend_from_slice(format!("\\u{byte:04x}").as_bytes());
                    used += 1;
                }
                _ => {
                    text.take_back_high(&mut self.out);
                    let plain = |byte: &u8| matches!(byte, 0x20..0x80) && !b"\"\\".contains(byte);
                    let part = &rest[used..];
                    let end = part.iter().position(|byte| !plain(byte));
                    let part = &part[..end.unwrap_or(part.len())];
                    self.out.extend_from_slice(part);
                    used += part.len();
                }
            }
        }
        self.state = State::Text(text);
        used
    }

    /// The next byte of an escape. Returns whether it was used: one that does not belong to the escape is read again.
    fn escaped(&mut self, text: &mut Text, byte: u8) -> usize {
        match (text.escape.len(), byte) {
            (1, b'u') => text.escape.push(byte),
            (1, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                text.take_back_high(&mut self.out);
                self.out.extend_from_slice(&[b'\\', byte]);
                text.escape.clear();
            }
            (2.., _) if byte.is_ascii_hexdigit() => {
                text.escape.push(byte);
                if text.escape.len() == 6 {
                    text.take_unit(&mut self.out);
                }
            }
            _ => {
                // An escape that JSON does not know is taken as it is spelled.
                text.take_back_high(&mut self.out);
                self.out.push(b'\\');
                self.out.append(&mut text.escape);
                return 0;
            }
        }
        1
    }

    /// Takes the contents of a string out where it is too long.
    fn fold_text(&mut self, text: &mut Text) {
        if self.keep == Keep::Everything || self.out.len() - text.start <= LONGEST_STRING {
            return;
        }
        let key = &self.key;
        let folded = text.folded.get_or_insert_with(|| Digest::new(key));
        folded.add(&self.out[text.start + 1..]);
        self.out.truncate(text.start + 1);
    }

    fn end_text(&mut self, text: Text) {
        let start = text.start;
        match text.folded {
            Some(mut folded) => {
                folded.add(&self.out[start + 1..]);
                self.out.truncate(start);
                self.push_string(&folded.text());
            }
            None => self.out.push(b'"'),
        }
    }

    /// A part of a container that is nested too deeply.
    fn deep(&mut self, mut deep: Deep, rest: &[u8]) -> usize {
        for (at, &byte) in rest.iter().enumerate() {
            match byte {
                _ if deep.escaped => deep.escaped = false,
                b'\\' if deep.in_string => deep.escaped = true,
                b'"' => deep.in_string = !deep.in_string,
                b'{' | b'[' if !deep.in_string => deep.depth += 1,
                b'}' | b']' if !deep.in_string => deep.depth -= 1,
                _ => {}
            }
            if deep.depth == 0 {
                deep.digest.add(&rest[..=at]);
                self.push_string(&deep.digest.text());
                return at + 1;
            }
        }
        deep.digest.add(rest);
        self.state = State::Deep(deep);
        rest.len()
    }
}

impl Text {
    /// A whole escape of four hexadecimal digits.
    fn take_unit(&mut self, out: &mut Vec<u8>) {
        let spelled = mem::take(&mut self.escape);
        let digits = String::from_utf8_lossy(&spelled[2..]);
        let unit = u16::from_str_radix(&digits, 16).unwrap_or_default();
        match (self.high.take(), unit) {
            (Some(high), 0xDC00..=0xDFFF) => {
                out.extend_from_slice(format!("\\u{high:04x}\\u{unit:04x}").as_bytes());
            }
            (high, unit) => {
                self.high = high;
                self.take_back_high(out);
                match unit {
                    0xD800..=0xDBFF => self.high = Some(unit),
                    0xDC00..=0xDFFF => push_half(unit, out),
                    _ => out.extend_from_slice(&spelled),
                }
            }
        }
    }

    /// The second half of a pair did not come.
    fn take_back_high(&mut self, out: &mut Vec<u8>) {
        if let Some(high) = self.high.take() {
            push_half(high, out);
        }
    }

    /// Writes the character if all its bytes are there, and what cannot become one.
    fn complete_character(&mut self, out: &mut Vec<u8>) {
        while !self.character.is_empty() {
            match std::str::from_utf8(&self.character) {
                Ok(_) => out.append(&mut self.character),
                Err(error) => {
                    let Some(length) = error.error_len() else {
                        return;
                    };
                    let broken: Vec<_> = self.character.drain(..length).collect();
                    push_broken(&broken, out);
                }
            }
        }
    }

    /// Another character begins before this one was complete.
    fn give_up_character(&mut self, out: &mut Vec<u8>) {
        if !self.character.is_empty() {
            push_broken(&mem::take(&mut self.character), out);
        }
    }
}

/// Half of a surrogate pair: U+FFFD, and which half it was.
fn push_half(unit: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\u{fffd}{unit:04x}").as_bytes());
}

/// Bytes that are not UTF-8: U+FFFD, and which bytes they were.
fn push_broken(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice("\u{fffd}".as_bytes());
    for byte in bytes {
        out.extend_from_slice(format!("{byte:02x}").as_bytes());
    }
}

#[cfg(test)]
#[path = "condense_tests.rs"]
mod tests;
