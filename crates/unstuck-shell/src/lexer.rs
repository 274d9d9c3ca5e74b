//! From text to words: quotes, escapes and expansions.

use crate::{
    expansion::{backtick_end, brace_end, find, parenthesis_end},
    word::{Word, quote},
};

/// Reads words and operators from a text, front to back.
#[derive(Debug)]
pub(crate) struct Lexer<'s> {
    text: &'s str,
    at: usize,
}

/// A word that is put together of several pieces.
#[derive(Default)]
struct Pieces {
    /// The literal piece under construction.
    literal: String,
    /// The spelling of everything before it, once an expansion was met.
    spelled: Option<String>,
}

impl Pieces {
    fn expansion(&mut self, spelling: &str) {
        let spelled = self.spelled.get_or_insert_default();
        if !self.literal.is_empty() {
            quote(&self.literal, spelled);
            self.literal.clear();
        }
        spelled.push_str(spelling);
    }

    fn into_word<'s>(mut self) -> Word<'s> {
        if self.spelled.is_none() {
            return Word::quoted(self.literal);
        }
        self.expansion("");
        Word::spelled(self.spelled.unwrap_or_default())
    }
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(text: &'s str) -> Self {
        Self { text, at: 0 }
    }

    /// Skips blanks, joined lines and a comment.
    pub(crate) fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if bytes.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                Some(b'#') => self.at = find(bytes, self.at, b'\n').unwrap_or(bytes.len()),
                _ => return,
            }
        }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes these bytes if they come next.
    pub(crate) fn take(&mut self, expected: &str) -> bool {
        let comes = self.text.as_bytes()[self.at..].starts_with(expected.as_bytes());
        if comes {
            self.at += expected.len();
        }
        comes
    }

    pub(crate) fn comes(&self, expected: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(expected.as_bytes())
    }

    /// The number of a file descriptor, where it stands right before a redirection.
    pub(crate) fn descriptor(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        if rest.first()?.is_ascii_digit() && matches!(rest.get(1)?, b'<' | b'>') {
            self.at += 1;
            return Some(rest[0] - b'0');
        }
        None
    }

    /// The name of an assignment, if one comes: `NAME=`.
    pub(crate) fn assigned_name(&mut self) -> Option<&'s str> {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        if bytes.first().is_none_or(u8::is_ascii_digit) {
            return None;
        }
        let length = bytes.iter().position(|byte| !is_name(*byte))?;
        (length > 0 && bytes[length] == b'=').then(|| {
            self.at += length + 1;
            &rest[..length]
        })
    }

    /// Reads a word; an empty one if there is none. `None` if this lexer does not understand it.
    pub(crate) fn word(&mut self) -> Option<Word<'s>> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        let start = self.at;
        self.at = bare_end(bytes, start);
        if ends_word(self.peek()) && !self.is_process_substitution() {
            return Some(Word::literal(&text[start..self.at]));
        }
        if self.at == start
            && let Some(word) = self.quoted_whole()
        {
            return Some(word);
        }
        let mut pieces = Pieces::default();
        pieces.literal.push_str(&text[start..self.at]);
        self.pieces(&mut pieces)?;
        Some(pieces.into_word())
    }

    /// A word in one pair of quotes with nothing to expand: no copy is needed.
    fn quoted_whole(&mut self) -> Option<Word<'s>> {
        let bytes = self.text.as_bytes();
        let mark = self.peek()?;
        let from = self.at + 1;
        let length = match mark {
            b'\'' => bytes[from..].iter().position(|byte| *byte == b'\'')?,
            b'"' => {
                let special = |byte: &u8| matches!(byte, b'"' | b'$' | b'`' | b'\\');
                bytes[from..].iter().position(special)?
            }
            _ => return None,
        };
        let end = from + length;
        if bytes[end] != mark || !ends_word(bytes.get(end + 1).copied()) {
            return None;
        }
        // `'a'<(b)` is one word.
        if bytes[end + 1..].starts_with(b"<(") || bytes[end + 1..].starts_with(b">(") {
            return None;
        }
        self.at = end + 1;
        Some(Word::quoted(&self.text[from..end]))
    }

    fn pieces(&mut self, pieces: &mut Pieces) -> Option<()> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        loop {
            if self.is_process_substitution() {
                let end = parenthesis_end(bytes, self.at + 2)?;
                pieces.expansion(&text[self.at..end]);
                self.at = end;
                continue;
            }
            match self.peek() {
                Some(b'\'') => {
                    let end = find(bytes, self.at + 1, b'\'')?;
                    pieces.literal.push_str(&text[self.at + 1..end]);
                    self.at = end + 1;
                }
                Some(b'"') => {
                    self.at += 1;
                    self.double_quoted(pieces)?;
                }
                Some(b'\\') => {
                    let next = text[self.at + 1..].chars().next()?;
                    if next != '\n' {
                        pieces.literal.push(next);
                    }
                    self.at += 1 + next.len_utf8();
                }
                Some(b'$') if bytes.get(self.at + 1) == Some(&b'\'') => {
                    let end = ansi_end(bytes, self.at + 2)?;
                    pieces.expansion(&text[self.at..end]);
                    self.at = end;
                }
                Some(b'$') if bytes.get(self.at + 1) == Some(&b'"') => self.at += 1,
                Some(b'$' | b'`') => self.expand(pieces, Place::Open)?,
                other if ends_word(other) => return Some(()),
                _ => {
                    let start = self.at;
                    self.at = bare_end(bytes, start);
                    pieces.literal.push_str(&text[start..self.at]);
                }
            }
        }
    }

    /// From after the opening quotes to after the closing ones.
    fn double_quoted(&mut self, pieces: &mut Pieces) -> Option<()> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        loop {
            let start = self.at;
            let special = |byte: &u8| matches!(byte, b'"' | b'$' | b'`' | b'\\');
            self.at += bytes[start..].iter().position(special)?;
            pieces.literal.push_str(&text[start..self.at]);
            match bytes[self.at] {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => {
                    match bytes.get(self.at + 1)? {
                        b'\n' => {}
                        escaped @ (b'"' | b'$' | b'`' | b'\\') => {
                            pieces.literal.push(char::from(*escaped));
                        }
                        _ => {
                            pieces.literal.push('\\');
                            self.at += 1;
                            continue;
                        }
                    }
                    self.at += 2;
                }
                _ => self.expand(pieces, Place::InQuotes)?,
            }
        }
    }

    /// Reads an expansion that begins with `$` or a backtick.
    fn expand(&mut self, pieces: &mut Pieces, place: Place) -> Option<()> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        let start = self.at;
        if bytes[start] == b'`' {
            self.at = backtick_end(bytes, start + 1)?;
            pieces.expansion(&text[start..self.at]);
            return Some(());
        }
        match bytes.get(start + 1) {
            Some(b'(') => {
                self.at = parenthesis_end(bytes, start + 2)?;
                pieces.expansion(&text[start..self.at]);
            }
            Some(b'{') => {
                self.at = brace_end(bytes, start + 2, place == Place::InQuotes)?;
                pieces.expansion(&text[start..self.at]);
            }
            Some(b'[') => return None,
            Some(byte) if is_name(*byte) && !byte.is_ascii_digit() => {
                let name = text[start + 1..]
                    .bytes()
                    .take_while(|byte| is_name(*byte))
                    .count();
                self.at = start + 1 + name;
                // In braces, so that what follows cannot become part of the name.
                let name = &text[start + 1..self.at];
                pieces.expansion("${");
                pieces.expansion(name);
                pieces.expansion("}");
            }
            Some(b'?' | b'$' | b'!' | b'#' | b'@' | b'*' | b'-' | b'0'..=b'9') => {
                self.at = start + 2;
                pieces.expansion(&text[start..self.at]);
            }
            _ => {
                self.at = start + 1;
                pieces.literal.push('$');
            }
        }
        Some(())
    }

    fn is_process_substitution(&self) -> bool {
        matches!(self.peek(), Some(b'<' | b'>')) && (self.comes("<(") || self.comes(">("))
    }

    /// The rest of this line, and on to the next.
    pub(crate) fn line(&mut self) -> Option<&'s str> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at = (self.at + end + 1).min(self.text.len());
        Some(&rest[..end])
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn source(&self) -> &'s str {
        self.text
    }
}

/// Whether an expansion stands in double quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Open,
    InQuotes,
}

/// From after `$'` to after the closing quote.
fn ansi_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b'\'' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where the bytes from `from` on end that need no second look within a word.
fn bare_end(bytes: &[u8], from: usize) -> usize {
    const BARE: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < table.len() {
            table[byte] = is_bare(byte as u8);
            byte += 1;
        }
        table
    };
    let rest = bytes[from..].iter();
    from + rest.take_while(|byte| BARE[usize::from(**byte)]).count()
}

/// Bytes that need no second look within a word.
const fn is_bare(byte: u8) -> bool {
    !matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b';'
            | b'|'
            | b'&'
            | b'<'
            | b'>'
            | b'('
            | b')'
            | b'\''
            | b'"'
            | b'\\'
            | b'$'
            | b'`'
    )
}

const fn ends_word(byte: Option<u8>) -> bool {
    matches!(
        byte,
        None | Some(b' ' | b'\t' | b'\n' | b';' | b'|' | b'&' | b'<' | b'>' | b'(' | b')')
    )
}
