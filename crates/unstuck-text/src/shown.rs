//! The one type through which foreign text is printed.

use std::fmt::{self, Display, Write};

/// A value from outside, printed so that nothing in it acts on a terminal or starts a line of its own.
///
/// Control characters are shown by their pictures (`␛`, `␊`), characters that turn the direction of text or hide it by
/// their number. [`Shown::lines`] keeps line feeds and tabs, for text of several lines.
///
/// ```
/// use unstuck_text::Shown;
///
/// assert_eq!(Shown::line("a\u{1b}]0;title\u{7}\nb").to_string(), "a␛]0;title␇␊b");
/// assert_eq!(Shown::line("a long name").at_most(6).to_string(), "a long…");
/// assert_eq!(Shown::lines("one\ntwo\u{202e}").to_string(), "one\ntwo<U+202E>");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shown<T> {
    value: T,
    kept: Kept,
    limit: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Nothing,
    LineFeeds,
}

impl<T: Display> Shown<T> {
    /// The value on one line.
    pub fn line(value: T) -> Self {
        Self {
            value,
            kept: Kept::Nothing,
            limit: usize::MAX,
        }
    }

    /// The value with its line feeds and tabs, and nothing else that acts.
    pub fn lines(value: T) -> Self {
        Self {
            kept: Kept::LineFeeds,
            ..Self::line(value)
        }
    }

    /// At most this many characters of the value; a cut is marked by `…`.
    #[must_use]
    pub fn at_most(self, characters: usize) -> Self {
        Self {
            limit: characters,
            ..self
        }
    }
}

impl<T: Display> Display for Shown<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_some() || f.precision().is_some() {
            let mut text = String::new();
            self.write_to(&mut text)?;
            return f.pad(&text);
        }
        self.write_to(f)
    }
}

impl<T: Display> Shown<T> {
    fn write_to(&self, out: &mut impl Write) -> fmt::Result {
        let mut filter = Filter {
            out,
            kept: self.kept,
            left: self.limit,
            cut: false,
        };
        write!(filter, "{}", self.value)
    }
}

/// Passes text on, with every character that acts replaced.
struct Filter<'a, W> {
    out: &'a mut W,
    kept: Kept,
    /// Characters of the value that may still be written.
    left: usize,
    cut: bool,
}

impl<W: Write> Write for Filter<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for each in text.chars() {
            if self.cut {
                return Ok(());
            }
            let Some(left) = self.left.checked_sub(1) else {
                self.cut = true;
                return self.out.write_char('…');
            };
            self.left = left;
            match each {
                '\n' | '\t' if self.kept == Kept::LineFeeds => self.out.write_char(each)?,
                '\r' if self.kept == Kept::LineFeeds => {}
                each => visible(each, self.out)?,
            }
        }
        Ok(())
    }
}

/// Writes a character as one that can only be looked at.
pub fn visible(each: char, out: &mut impl Write) -> fmt::Result {
    match each {
        // Control characters have pictures.
        '\0'..='\x1f' => match char::from_u32(0x2400 + u32::from(each)) {
            Some(picture) => out.write_char(picture),
            None => Ok(()),
        },
        '\x7f' => out.write_char('\u{2421}'),
        each if acts_unseen(each) => write!(out, "<U+{:04X}>", u32::from(each)),
        each => out.write_char(each),
    }
}

/// Whether a character turns the direction of text, hides it, or breaks a line where no break is seen. C0 controls and
/// DEL are not among these.
pub fn acts_unseen(each: char) -> bool {
    matches!(each,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
#[path = "shown_tests.rs"]
mod tests;
