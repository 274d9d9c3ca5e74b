//! What of a text is prose.
//!
//! Code, lists, tables, rulers and JSON repeat themselves by nature. Each run of such lines becomes one stand-in, equal
//! for equal content: alone it is never a chant, and prose that repeats around other code is none either.

use serde::{Deserialize, Serialize};

use crate::hash::{SHORT_EMPTY, add_short};

/// Markdown's indented code begins here.
const INDENTED: u8 = 4;

/// Digits in front of a list item; more of them are a number.
const LONGEST_ORDINAL: usize = 4;

/// How much of a line is looked at to tell what it is.
const OPENING: usize = LONGEST_ORDINAL + 2;

/// What prose is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Letter(char),
    /// White space between letters, however much.
    Gap,
    /// A line of prose has ended.
    LineEnd,
    /// Lines that are no prose, as a hash of what they hold.
    Block(u32),
}

/// Takes characters in and gives signs out, one line at a time but without waiting for its end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Prose {
    line: Line,
    fence: Option<char>,
    json: bool,
    /// The block that is being left out.
    block: Option<u32>,
    gap: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Line {
    /// Nothing yet that tells what it is.
    Opening {
        indent: u8,
        seen: String,
    },
    /// Symbols only, so far.
    Ruled,
    Prose,
    Left,
}

/// What the first characters of a line tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    Prose,
    Ruled,
    Left,
    Json,
    Fence(char),
}

impl Default for Line {
    fn default() -> Self {
        Self::Opening {
            indent: 0,
            seen: String::new(),
        }
    }
}

impl Prose {
    /// Was the last character one of prose, with nothing behind it?
    #[inline]
    pub(super) fn is_in_a_word(&self) -> bool {
        matches!(self.line, Line::Prose) && !self.gap && self.block.is_none()
    }

    pub(super) fn read(&mut self, character: char, emit: &mut impl FnMut(Sign)) {
        if character == '\n' {
            return self.end_line(emit);
        }
        match &mut self.line {
            Line::Prose => self.say(character, emit),
            Line::Left => self.leave(character),
            Line::Ruled if character.is_alphanumeric() => {
                self.line = Line::Prose;
                self.say(character, emit);
            }
            Line::Ruled => {}
            Line::Opening { indent, seen } => {
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
        let told = match self.fence {
            Some(fence) => told_inside_fence(&seen, fence),
            None => told(indent, &seen, self.json),
        };
        match told {
            Told::Nothing => {
                self.line = Line::Opening { indent, seen };
                return;
            }
            Told::Prose => {
                self.line = Line::Prose;
                for character in seen.chars() {
                    self.say(character, emit);
                }
            }
            Told::Ruled => {
                self.line = Line::Ruled;
                for character in seen.chars() {
                    self.read(character, emit);
                }
            }
            Told::Left | Told::Json | Told::Fence(_) => {
                self.line = Line::Left;
                for character in seen.chars() {
                    self.leave(character);
                }
            }
        }
        if let Told::Fence(fence) = told {
            self.fence = match self.fence {
                Some(_) => None,
                None => Some(fence),
            };
        }
        self.json = told == Told::Json;
    }

    fn end_line(&mut self, emit: &mut impl FnMut(Sign)) {
        // What is still undecided here is too short to matter: a marker, a number, a symbol.
        match std::mem::take(&mut self.line) {
            Line::Prose => emit(Sign::LineEnd),
            Line::Left => self.leave('\n'),
            Line::Ruled => {}
            Line::Opening { seen, .. } => {
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

fn told_inside_fence(seen: &str, fence: char) -> Told {
    let marks = seen.chars().take_while(|mark| *mark == fence).count();
    if marks >= 3 {
        Told::Fence(fence)
    } else if marks == seen.chars().count() {
        Told::Nothing
    } else {
        Told::Left
    }
}

fn told(indent: u8, seen: &str, json: bool) -> Told {
    let mut characters = seen.chars();
    let Some(first) = characters.next() else {
        return Told::Nothing;
    };
    let second = characters.next();
    if indent >= INDENTED {
        return Told::Left;
    }
    match first {
        '|' | '\u{2500}'..='\u{259f}' => Told::Left,
        '`' | '~' => {
            let marks = seen.chars().take_while(|mark| *mark == first).count();
            match marks {
                3.. => Told::Fence(first),
                _ if marks == seen.chars().count() => Told::Nothing,
                _ => Told::Ruled,
            }
        }
        '-' | '*' | '+' | '•' | '‣' | '–' => match second {
            None => Told::Nothing,
            Some(second) if second.is_whitespace() => Told::Left,
            Some(_) => Told::Ruled,
        },
        '{' | '[' | '}' | ']' => match second {
            None => Told::Nothing,
            Some(second)
                if second.is_whitespace()
                    || second.is_ascii_digit()
                    || matches!(second, '"' | '{' | '[' | ']' | '}' | ',' | '-') =>
            {
                Told::Json
            }
            Some(_) => Told::Ruled,
        },
        '"' | '0'..='9' if json => Told::Json,
        '0'..='9' => told_by_digits(seen),
        _ if first.is_alphanumeric() => Told::Prose,
        _ => Told::Ruled,
    }
}

/// `1.` and `1)` begin a list item.
fn told_by_digits(seen: &str) -> Told {
    let after = seen.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if seen.len() - after.len() > LONGEST_ORDINAL || seen.len() > OPENING {
        return Told::Prose;
    }
    let mut after = after.chars();
    match (after.next(), after.next()) {
        (None, _) | (Some('.' | ')'), None) => Told::Nothing,
        (Some('.' | ')'), Some(space)) if space.is_whitespace() => Told::Left,
        _ => Told::Prose,
    }
}

#[cfg(test)]
#[path = "prose_tests.rs"]
mod tests;
