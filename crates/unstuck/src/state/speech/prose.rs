//! Separates prose from code, lists, tables and data.
//!
//! Code, lists, tables, rulers and JSON repeat themselves by nature. Each run of such lines becomes one stand-in, equal
//! for equal content: alone it is never a chant, and neither is prose that repeats around different code.

use serde::{Deserialize, Serialize};

use crate::hash::{SHORT_EMPTY, add_short};

/// Indentation in columns from which Markdown text is code.
const INDENTED: u8 = 4;

/// Maximum number of digits in front of a list item.
const LONGEST_ORDINAL: usize = 4;

/// Number of characters of a line by which it is classified.
const OPENING: usize = LONGEST_ORDINAL + 2;

/// An element of prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Letter(char),
    /// White space between letters, however much.
    Gap,
    /// A line of prose has ended.
    LineEnd,
    /// Lines that are not prose, as a hash of their content.
    Block(u32),
}

/// Turns characters into signs, without waiting for the end of a line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Prose {
    line: LineState,
    fence: Option<char>,
    json: bool,
    /// The block that is being left out.
    block: Option<u32>,
    gap: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum LineState {
    /// Not classified yet.
    Opening {
        indent: u8,
        seen: String,
    },
    /// Symbols only, so far.
    Ruled,
    Prose,
    Left,
}

/// Class of a line by its first characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineStart {
    Nothing,
    Prose,
    Ruled,
    Left,
    Json,
    Fence(char),
}

impl Default for LineState {
    fn default() -> Self {
        Self::Opening {
            indent: 0,
            seen: String::new(),
        }
    }
}

impl Prose {
    /// Whether the last character was one of prose.
    #[inline]
    pub(super) fn is_in_a_word(&self) -> bool {
        matches!(self.line, LineState::Prose) && !self.gap && self.block.is_none()
    }

    pub(super) fn read(&mut self, character: char, emit: &mut impl FnMut(Sign)) {
        if character == '\n' {
            return self.end_line(emit);
        }
        match &mut self.line {
            LineState::Prose => self.say(character, emit),
            LineState::Left => self.leave(character),
            LineState::Ruled if character.is_alphanumeric() => {
                self.line = LineState::Prose;
                self.say(character, emit);
            }
            LineState::Ruled => {}
            LineState::Opening { indent, seen } => {
                if seen.is_empty() && character.is_whitespace() {
                    *indent = indent.saturating_add(if character == '\t' { INDENTED } else { 1 });
                    return;
                }
                seen.push(character);
                let (indent, seen) = (*indent, std::mem::take(seen));
                self.open(indent, seen, emit);
            }
        }
    }

    fn open(&mut self, indent: u8, seen: String, emit: &mut impl FnMut(Sign)) {
        let start = match self.fence {
            Some(fence) => line_start_inside_fence(&seen, fence),
            None => line_start(indent, &seen, self.json),
        };
        match start {
            LineStart::Nothing => {
                self.line = LineState::Opening { indent, seen };
                return;
            }
            LineStart::Prose => {
                self.line = LineState::Prose;
                for character in seen.chars() {
                    self.say(character, emit);
                }
            }
            LineStart::Ruled => {
                self.line = LineState::Ruled;
                for character in seen.chars() {
                    self.read(character, emit);
                }
            }
            LineStart::Left | LineStart::Json | LineStart::Fence(_) => {
                self.line = LineState::Left;
                for character in seen.chars() {
                    self.leave(character);
                }
            }
        }
        if let LineStart::Fence(fence) = start {
            self.fence = match self.fence {
                Some(_) => None,
                None => Some(fence),
            };
        }
        self.json = start == LineStart::Json;
    }

    fn end_line(&mut self, emit: &mut impl FnMut(Sign)) {
        // What is still undecided here is too short to matter: a marker, a number, a symbol.
        match std::mem::take(&mut self.line) {
            LineState::Prose => emit(Sign::LineEnd),
            LineState::Left => self.leave('\n'),
            LineState::Ruled => {}
            LineState::Opening { seen, .. } => {
                if seen.is_empty() {
                    self.json = false;
                } else if seen.starts_with(|first: char| first.is_ascii_digit())
                    && self.fence.is_none()
                {
                    for character in seen.chars() {
                        self.say(character, emit);
                    }
                    emit(Sign::LineEnd);
                } else {
                    self.json |= seen.starts_with(['{', '[']) && self.fence.is_none();
                    for character in seen.chars() {
                        self.leave(character);
                    }
                }
            }
        }
        self.gap = true;
    }

    fn say(&mut self, character: char, emit: &mut impl FnMut(Sign)) {
        if character.is_whitespace() {
            self.gap = true;
            return;
        }
        if let Some(block) = self.block.take() {
            emit(Sign::Block(block));
            self.gap = true;
        }
        if std::mem::take(&mut self.gap) {
            emit(Sign::Gap);
        }
        emit(Sign::Letter(character));
    }

    fn leave(&mut self, character: char) {
        let hash = self.block.unwrap_or(SHORT_EMPTY);
        self.block = Some(add_short(hash, character));
    }
}

fn line_start_inside_fence(seen: &str, fence: char) -> LineStart {
    let marks = seen.chars().take_while(|mark| *mark == fence).count();
    if marks >= 3 {
        LineStart::Fence(fence)
    } else if marks == seen.chars().count() {
        LineStart::Nothing
    } else {
        LineStart::Left
    }
}

fn line_start(indent: u8, seen: &str, json: bool) -> LineStart {
    let mut characters = seen.chars();
    let Some(first) = characters.next() else {
        return LineStart::Nothing;
    };
    let second = characters.next();
    if indent >= INDENTED {
        return LineStart::Left;
    }
    match first {
        '|' | '\u{2500}'..='\u{259f}' => LineStart::Left,
        '`' | '~' => {
            let marks = seen.chars().take_while(|mark| *mark == first).count();
            match marks {
                3.. => LineStart::Fence(first),
                _ if marks == seen.chars().count() => LineStart::Nothing,
                _ => LineStart::Ruled,
            }
        }
        '-' | '*' | '+' | '•' | '‣' | '–' => match second {
            None => LineStart::Nothing,
            Some(second) if second.is_whitespace() => LineStart::Left,
            Some(_) => LineStart::Ruled,
        },
        '{' | '[' | '}' | ']' => match second {
            None => LineStart::Nothing,
            Some(second)
                if second.is_whitespace()
                    || second.is_ascii_digit()
                    || matches!(second, '"' | '{' | '[' | ']' | '}' | ',' | '-') =>
            {
                LineStart::Json
            }
            Some(_) => LineStart::Ruled,
        },
        '"' | '0'..='9' if json => LineStart::Json,
        '0'..='9' => line_start_of_digits(seen),
        _ if first.is_alphanumeric() => LineStart::Prose,
        _ => LineStart::Ruled,
    }
}

/// `1.` and `1)` begin a list item.
fn line_start_of_digits(seen: &str) -> LineStart {
    let after = seen.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if seen.len() - after.len() > LONGEST_ORDINAL || seen.len() > OPENING {
        return LineStart::Prose;
    }
    let mut after = after.chars();
    match (after.next(), after.next()) {
        (None, _) | (Some('.' | ')'), None) => LineStart::Nothing,
        (Some('.' | ')'), Some(space)) if space.is_whitespace() => LineStart::Left,
        _ => LineStart::Prose,
    }
}

#[cfg(test)]
#[path = "prose_tests.rs"]
mod tests;
