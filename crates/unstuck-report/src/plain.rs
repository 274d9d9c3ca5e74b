//! Text from transcripts, made harmless: whatever a tool or a model wrote, a terminal or a page shows it and obeys nothing.

use unicode_width::UnicodeWidthChar as _;
use unstuck_text::Shown;

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
    Shown::lines(text).at_most(limit).to_string()
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
        let piece = Shown::line(each).to_string();
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

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
