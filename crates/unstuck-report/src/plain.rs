//! Text from transcripts, made harmless: whatever a tool or a model wrote, a terminal or a page shows it and obeys nothing.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

/// Where a text that is too long loses its middle or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The end goes: the beginning of a command says most.
    End,
    /// The beginning goes: the end of a path says most.
    Start,
}

/// The text on one line of at most `columns` columns, without anything that a terminal would act on.
pub fn one_line(text: &str, columns: usize, cut: Cut) -> String {
    match cut {
        Cut::End => kept(text.chars(), columns, Cut::End),
        Cut::Start => kept(text.chars().rev(), columns, Cut::Start),
    }
}

/// The same text, its lines kept, without anything that acts on what shows it. At most `limit` characters of it.
pub(crate) fn lines(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for (count, each) in text.chars().enumerate() {
        if count == limit {
            out.push('…');
            break;
        }
        match each {
            '\n' | '\t' => out.push(each),
            '\r' => {}
            each => visible(each, &mut out),
        }
    }
    out
}

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(|each| each.width().unwrap_or(0)).sum()
}

/// The text with spaces behind it.
pub(crate) fn left(text: &str, columns: usize) -> String {
    text.to_owned() + &" ".repeat(columns.saturating_sub(width(text)))
}

/// The text with spaces before it.
pub(crate) fn right(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(text))) + text
}

/// Stops reading as soon as the line is full, so that a text of megabytes costs no more than a short one.
fn kept(characters: impl Iterator<Item = char>, columns: usize, cut: Cut) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut used = 0;
    let mut gap = false;
    let mut is_cut = false;
    for each in characters {
        if each.is_whitespace() && !matches!(each, '\u{2028}' | '\u{2029}') {
            gap = !pieces.is_empty();
            continue;
        }
        let mut piece = String::new();
        visible(each, &mut piece);
        let wide = width(&piece) + usize::from(gap);
        if used + wide > columns {
            is_cut = true;
            break;
        }
        if gap {
            pieces.push(" ".to_owned());
            gap = false;
        }
        used += wide;
        pieces.push(piece);
    }
    if is_cut {
        while used + 1 > columns
            && let Some(last) = pieces.pop()
        {
            used -= width(&last);
        }
        if columns > 0 {
            pieces.push("…".to_owned());
        }
    }
    if cut == Cut::Start {
        pieces.reverse();
    }
    pieces.concat()
}

/// A character as one that can only be looked at.
fn visible(each: char, out: &mut String) {
    match each {
        // Control characters have pictures.
        '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + u32::from(each))),
        '\x7f' => out.push('\u{2421}'),
        each if acts_unseen(each) => {
            // Writing to a string does not fail.
            let _ = write!(out, "<U+{:04X}>", u32::from(each));
        }
        each => out.push(each),
    }
}

/// Characters that turn the direction of text, hide it, or break lines where none is seen.
fn acts_unseen(each: char) -> bool {
    matches!(each,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
