//! The beginning of a result, as messages quote it.

use std::borrow::Cow;

use super::error_skeleton;
use crate::{label::one_line, marker::MARKER};
use unstuck_json::{Json, JsonKind};

/// Bytes of a result that are looked at.
const LOOKED_AT: usize = 2_048;
/// Start of a line that Codex writes before the output of every command.
const TIME: &str = "Wall time: ";
/// Bytes of the lines before the output: a number of the chunk, the time, the exit code, a count of tokens.
const LONGEST_HEAD: usize = 256;

/// The beginning of a result on one line of at most 80 bytes, without secrets and without messages of this program.
/// Empty where there is no output, `None` where there is nothing but messages of this program.
pub(crate) fn excerpt(output: Option<&Json>) -> Option<Box<str>> {
    let Some(output) = output.map(Json::view) else {
        return Some(Box::default());
    };
    let text = match (error_skeleton::message(output, LOOKED_AT, 0), output.kind()) {
        (Some(text), _) => text,
        (None, JsonKind::Null | JsonKind::String) => return Some(Box::default()),
        (None, _) => {
            let whole = output.as_str();
            Cow::Borrowed(&whole[..unstuck_text::floor_char_boundary(whole, LOOKED_AT)])
        }
    };
    let kept = without_notes(without_head(&text));
    let only_notes = kept.trim().is_empty() && !text.trim().is_empty();
    (!only_notes).then(|| one_line(&kept))
}

/// The output of a command without the lines that Codex writes before it, unless they are all there is.
fn without_head(text: &str) -> &str {
    let Some((head, output)) = text.split_once("\nOutput:\n") else {
        return text;
    };
    let is_head = head.len() <= LONGEST_HEAD && head.lines().any(|line| line.starts_with(TIME));
    if is_head && !output.trim().is_empty() {
        output
    } else {
        text
    }
}

/// A text without messages of this program: each from its marker to the end of its line, with the list of calls and the
/// advice behind it.
fn without_notes(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(MARKER) else {
        return Cow::Borrowed(text);
    };
    let (before, mut rest) = text.split_at(first);
    let mut kept = before.to_owned();
    while let Some(at) = rest.find(MARKER) {
        kept.push_str(&rest[..at]);
        rest = behind_line(&rest[at..]);
        let mut listed = false;
        while is_entry(rest) {
            rest = behind_line(rest);
            listed = true;
        }
        if listed {
            rest = behind_line(rest);
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// Whether a text starts with an entry of a numbered list.
fn is_entry(text: &str) -> bool {
    let number = text.strip_prefix("  ");
    number.is_some_and(|number| number.starts_with(|digit: char| digit.is_ascii_digit()))
}

fn behind_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
