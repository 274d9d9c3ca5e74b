//! What a failure complains of, without its particulars.
//!
//! `No such file: 'a.txt'` and `No such file: 'b.txt'` are two outcomes and one complaint. Forty variations of an edit
//! that does not apply have forty outcomes; what tells that the agent is stuck is that the complaint stays.

use std::borrow::Cow;

use super::{silence, stack_trace};
use crate::{fingerprint::Mark, hash::Tag, vocab::members::MESSAGES};
use unstuck_json::{JsonKind, JsonRef};

/// More than this of an output is not looked at.
const LOOKED_AT: usize = 16 * 1024;
/// The answer to a change says what was done before it shows anything.
const GIST_LOOKED_AT: usize = 1024;
/// Bytes of JSON that hold the first line of most outputs.
const FIRST_LINE: usize = 128;
/// What comes after this of a message is particulars.
const LONGEST: usize = 60;
/// Bytes of a message that are compared with its particulars.
const LONGEST_PARTICULAR: usize = 256;
/// A message that quotes something after this many letters has said what it is about.
const SAID_ENOUGH: usize = 12;

/// What a failed call complains of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ErrorLine {
    /// Equal for messages of one tool that differ in names, paths and numbers only.
    pub(super) about: Mark,
    /// Equal for messages that differ in numbers only that stand by themselves, such as line numbers.
    pub(super) particular: Mark,
}

/// The complaint of a failed call, if its output has one.
pub(super) fn complaint(tool: &str, output: JsonRef<'_>) -> Option<ErrorLine> {
    let start = unstuck_text::floor_char_boundary(output.as_str(), LOOKED_AT);
    let may_be_stack = stack_trace::may_be_in(&output.as_str()[..start]);
    let of_line = |line: &str| {
        Some(ErrorLine {
            about: mark(tool, line)?,
            particular: particular(line),
        })
    };
    let first = (!may_be_stack).then(|| line_of_start(output, of_line));
    first.flatten().or_else(|| {
        let text = message(output, LOOKED_AT, 0)?;
        of_line(telling_line(&text)?)
    })
}

/// What the answer to a change says: equal for answers of one tool that differ in names, paths and numbers only.
pub(super) fn gist(tool: &str, output: JsonRef<'_>) -> Option<Mark> {
    let of_line = |line: &str| mark(tool, line);
    line_of_start(output, of_line).or_else(|| {
        let text = message(output, GIST_LOOKED_AT, 0)?;
        of_line(first_line(&text)?)
    })
}

/// What the first line with something to say gives, if the output is a text and its first bytes hold all of that line.
/// Most do, and to decode more of them takes longer.
fn line_of_start<T>(output: JsonRef<'_>, of_line: impl Fn(&str) -> Option<T>) -> Option<T> {
    let start = output.text_within(FIRST_LINE)?;
    let (lines, _) = start.rsplit_once('\n')?;
    of_line(first_line(lines)?)
}

/// The mark of a message with its names and paths. Numbers that stand by themselves do not count: an edit moves lines.
fn particular(line: &str) -> Mark {
    let end = unstuck_text::floor_char_boundary(line, LONGEST_PARTICULAR);
    let mut before = b' ';
    let mut in_number = false;
    let bytes = line[..end].bytes().filter_map(|byte| {
        let is_digit = byte.is_ascii_digit();
        let starts = is_digit && !before.is_ascii_alphanumeric() && before != b'_';
        let goes_on = is_digit && in_number;
        before = byte;
        in_number = starts || goes_on;
        match (starts, goes_on) {
            (true, _) => Some(b'0'),
            (false, true) => None,
            (false, false) => Some(byte),
        }
    });
    Mark::from(Tag::of(bytes))
}

fn mark(tool: &str, line: &str) -> Option<Mark> {
    let skeleton = skeleton(line)?;
    let bytes = tool.bytes().chain([0]).chain(skeleton.bytes());
    Some(Mark::from(Tag::of(bytes)))
}

/// The part of an output that says what went wrong.
pub(super) fn message(output: JsonRef<'_>, longest: usize, depth: usize) -> Option<Cow<'_, str>> {
    const DEEPEST: usize = 4;
    if depth > DEEPEST {
        return None;
    }
    match output.kind() {
        JsonKind::String => output
            .text_within(longest)
            .filter(|text| !text.trim().is_empty()),
        JsonKind::Array => output
            .elements()
            .find_map(|element| message(element, longest, depth + 1)),
        JsonKind::Object => MESSAGES.iter().find_map(|name| {
            let member = output.get(name)?;
            message(member, longest, depth + 1)
        }),
        JsonKind::Bool | JsonKind::Null | JsonKind::Number => None,
    }
}

/// The line that says what went wrong: that of a program's stack, if there is one, or the first one with something to
/// say.
fn telling_line(text: &str) -> Option<&str> {
    stack_trace::message(text).or_else(|| first_line(text))
}

/// The first line with something to say.
fn first_line(text: &str) -> Option<&str> {
    text.lines()
        .map(without_label)
        .find(|line| says_something(line))
}

/// `Error: what it is` says no more than `what it is`.
fn without_label(line: &str) -> &str {
    let mut line = line.trim();
    while let Some(colon) = line.find(':')
        && line[..colon].eq_ignore_ascii_case("error")
    {
        line = line[colon + 1..].trim_start();
    }
    line
}

fn says_something(line: &str) -> bool {
    const FEWEST_LETTERS: usize = 4;
    // `<output>`, `[exit code 1]`: what a host puts around the output of a command.
    let is_tag = |open, close| line.starts_with(open) && line.ends_with(close);
    let letters = line.bytes().filter(u8::is_ascii_alphabetic);
    !is_tag('<', '>')
        && !is_tag('[', ']')
        && letters.take(FEWEST_LETTERS).count() == FEWEST_LETTERS
        && !silence::is_only_exit_code(line)
}

/// A message with its particulars replaced: what is quoted, what is a path, what is a number.
fn skeleton(line: &str) -> Option<String> {
    let mut skeleton = String::with_capacity(LONGEST + 4);
    let mut rest = line;
    let mut before = ' ';
    // How much was left behind the last word that is not a path: a word is looked at once, not once for each character.
    let mut plain_until = usize::MAX;
    while let Some(first) = rest.chars().next()
        && skeleton.len() < LONGEST
    {
        let is_word = before.is_alphanumeric();
        // Most letters are in the middle of a word, where nothing starts.
        if is_word && first.is_ascii_alphabetic() {
            let room = LONGEST - skeleton.len();
            let letters = rest.bytes().take(room).take_while(u8::is_ascii_alphabetic);
            let (letters, after) = rest.split_at(letters.count());
            skeleton.push_str(letters);
            before = first;
            rest = after;
            continue;
        }
        let used = if let Some(length) = quoted(rest, is_word) {
            skeleton.push('"');
            if skeleton.len() > SAID_ENOUGH {
                break;
            }
            length
        } else if !is_word
            && rest.len() <= plain_until
            && let Some(length) = path(rest, &mut plain_until)
        {
            skeleton.push('/');
            length
        } else if first.is_ascii_digit() {
            skeleton.push('0');
            rest.bytes().take_while(u8::is_ascii_digit).count()
        } else {
            skeleton.push(first);
            first.len_utf8()
        };
        before = rest[..used].chars().next_back().unwrap_or(' ');
        rest = &rest[used..];
    }
    (!skeleton.is_empty()).then_some(skeleton)
}

/// The length of what is quoted here, quotes included; an apostrophe within a word quotes nothing.
fn quoted(rest: &str, in_word: bool) -> Option<usize> {
    let quote = rest.chars().next()?;
    if !matches!(quote, '`' | '"' | '\'') || (quote == '\'' && in_word) {
        return None;
    }
    let closing = rest[1..].find(quote);
    Some(closing.map_or(rest.len(), |at| at + 2))
}

/// The length of the path that starts here. If the word is not a path, `plain_until` becomes the length of what is
/// behind it.
fn path(rest: &str, plain_until: &mut usize) -> Option<usize> {
    let end = rest
        .find(|character: char| character.is_whitespace() || matches!(character, '`' | '"' | '\''))
        .unwrap_or(rest.len());
    if rest[..end].contains('/') {
        return Some(end);
    }
    *plain_until = rest.len() - end;
    None
}

#[cfg(test)]
#[path = "error_skeleton_tests.rs"]
mod tests;
