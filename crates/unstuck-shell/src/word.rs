//! Words of a command, and how they are written down again.

use std::borrow::Cow;

/// One word, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'s> {
    text: Cow<'s, str>,
    kind: Kind,
}

/// The meaning of the text of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The argument as the command receives it.
    Literal,
    /// Literal, but quoted in the source: neither a keyword nor an assignment.
    Quoted,
    /// Holds a variable, a substitution or a piece of syntax; the text is its spelling.
    Spelled,
}

impl<'s> Word<'s> {
    pub(crate) fn literal(text: impl Into<Cow<'s, str>>) -> Self {
        Self {
            text: text.into(),
            kind: Kind::Literal,
        }
    }

    pub(crate) fn quoted(text: impl Into<Cow<'s, str>>) -> Self {
        Self {
            text: text.into(),
            kind: Kind::Quoted,
        }
    }

    pub(crate) fn spelled(text: impl Into<Cow<'s, str>>) -> Self {
        Self {
            text: text.into(),
            kind: Kind::Spelled,
        }
    }

    /// The text: the argument as the command receives it, or the spelling of an expansion.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, if it is the argument as the command receives it.
    pub fn as_literal(&self) -> Option<&str> {
        (self.kind != Kind::Spelled).then_some(&*self.text)
    }

    /// The text, where nothing of it was quoted: only then it may be a keyword.
    pub(crate) fn as_bare(&self) -> Option<&str> {
        (self.kind == Kind::Literal).then_some(&*self.text)
    }

    /// Whether it runs another command.
    pub(crate) fn substitutes(&self) -> bool {
        self.kind == Kind::Spelled
            && (self.text.contains('`') || self.text.contains("$(") || self.text.contains("<("))
    }

    /// Whether it looks like an option.
    pub(crate) fn is_flag(&self) -> bool {
        self.text.len() > 1 && self.text.starts_with('-')
    }

    /// Appends the word so that a shell reads the same word.
    pub(crate) fn write(&self, out: &mut String) {
        match self.kind {
            Kind::Literal | Kind::Quoted => quote(&self.text, out),
            Kind::Spelled => out.push_str(&self.text),
        }
    }

    /// Appends the word without the `./` that a path may begin with.
    pub(crate) fn write_path(&self, out: &mut String) {
        match self.kind {
            Kind::Literal | Kind::Quoted => quote(without_here(&self.text), out),
            Kind::Spelled => out.push_str(&self.text),
        }
    }

    /// Appends the word as the first of a command, where a keyword or an assignment has to be quoted.
    pub(crate) fn write_first(&self, out: &mut String) {
        match self.kind {
            Kind::Spelled if starts_like_assignment(&self.text) => {
                out.push_str("''");
                out.push_str(&self.text);
            }
            Kind::Literal | Kind::Quoted
                if is_reserved(&self.text) || starts_like_assignment(&self.text) =>
            {
                quote_always(&self.text, out);
            }
            _ => self.write(out),
        }
    }
}

/// A path without a leading `./`, unless it could be taken for something else without: an option, a number, a
/// sub-command.
pub(crate) fn without_here(path: &str) -> &str {
    let mut rest = path;
    while let Some(shorter) = rest.strip_prefix("./") {
        if shorter.starts_with(['/', '-']) || !shorter.contains(['/', '.']) {
            break;
        }
        rest = shorter;
    }
    rest
}

fn starts_like_assignment(text: &str) -> bool {
    let name = text
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let length = name.count();
    length > 0 && text.as_bytes().get(length) == Some(&b'=')
}

/// Appends a literal, in quotes only where a shell would read something else without.
pub(crate) fn quote(text: &str, out: &mut String) {
    const PLAIN: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < table.len() {
            table[byte] = is_plain(byte as u8);
            byte += 1;
        }
        table
    };
    if !text.is_empty() && text.bytes().all(|byte| PLAIN[usize::from(byte)]) {
        out.push_str(text);
    } else {
        quote_always(text, out);
    }
}

fn quote_always(text: &str, out: &mut String) {
    out.push('\'');
    for (at, part) in text.split('\'').enumerate() {
        if at > 0 {
            out.push_str("'\\''");
        }
        out.push_str(part);
    }
    out.push('\'');
}

/// Bytes that mean themselves wherever they stand in a word.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte >= 0x80
        || matches!(
            byte,
            b'_' | b'.'
                | b'/'
                | b':'
                | b'='
                | b'@'
                | b'%'
                | b'+'
                | b','
                | b'^'
                | b'~'
                | b'*'
                | b'?'
                | b'['
                | b']'
                | b'{'
                | b'}'
                | b'!'
                | b'-'
        )
}

/// Words that are not commands where a command may begin.
pub(crate) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "!" | "[["
            | "case"
            | "coproc"
            | "do"
            | "done"
            | "elif"
            | "else"
            | "esac"
            | "fi"
            | "for"
            | "function"
            | "if"
            | "in"
            | "select"
            | "then"
            | "time"
            | "until"
            | "while"
            | "{"
            | "}"
    )
}

#[cfg(test)]
#[path = "word_tests.rs"]
mod tests;
