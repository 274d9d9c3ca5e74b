//! Whether messages state facts: numbers that are right, and calls that are named by their telling argument.
//!
//! Numbers are right as the reference scorer has it (see `numbers`), and true if every count that a message states is
//! found again in the recording (see `claims`).

use serde::{Deserialize, Serialize};
use unstuck::{EventKind, Reason};

use crate::{
    claims, numbers,
    trajectory::{Step, Trajectory},
};

/// What an argument is named by, best first. The first four name a file.
const ARGUMENTS: [&str; 10] = [
    "path",
    "file_path",
    "filename",
    "file",
    "url",
    "query",
    "pattern",
    "command",
    "cmd",
    "code",
];
const FILES: usize = 4;

/// Messages, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "[u64; 5]")]
pub struct Messages {
    /// All of them.
    pub all: u64,
    /// Those whose numbers are right.
    pub right: u64,
    /// Those about a call that has an argument to name.
    pub about: u64,
    /// Those of them that name it.
    pub naming: u64,
    /// Those whose every number is found again in the recording. Facts of the reference scorer do not have it.
    pub verified: u64,
}

impl From<Vec<u64>> for Messages {
    fn from(counts: Vec<u64>) -> Self {
        let count = |at: usize| counts.get(at).copied().unwrap_or(0);
        Self {
            all: count(0),
            right: count(1),
            about: count(2),
            naming: count(3),
            verified: count(4),
        }
    }
}

impl From<Messages> for [u64; 5] {
    fn from(messages: Messages) -> Self {
        [
            messages.all,
            messages.right,
            messages.about,
            messages.naming,
            messages.verified,
        ]
    }
}

impl std::ops::AddAssign for Messages {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.right += other.right;
        self.about += other.about;
        self.naming += other.naming;
        self.verified += other.verified;
    }
}

/// What a message is an answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Call,
    Result,
    Other,
}

impl To {
    pub(crate) fn of(kind: &EventKind) -> Self {
        match kind {
            EventKind::Call(_) => Self::Call,
            EventKind::Result(_) => Self::Result,
            _ => Self::Other,
        }
    }
}

/// Judges one message.
pub(crate) fn judge(run: &Trajectory, step: usize, to: To, reason: &Reason) -> Messages {
    let (text, quoted) = without_quotes(&reason.message);
    let pieces = match (to, run.steps.get(step)) {
        (To::Call | To::Result, Some(step)) => argument(step),
        _ => Vec::new(),
    };
    let mut labels = quoted.iter().map(String::as_str);
    let mut labels = labels
        .by_ref()
        .chain(reason.pattern.iter().map(|label| &**label));
    let names = labels.any(|label| pieces.iter().any(|piece| label.contains(&**piece)));
    Messages {
        all: 1,
        right: u64::from(numbers::are_right(run, step, to, &text, reason.repeats)),
        about: u64::from(!pieces.is_empty()),
        naming: u64::from(!pieces.is_empty() && names),
        verified: u64::from(claims::are_right(run, step, to, &text, reason.repeats)),
    }
}

fn starts_with_number(text: &str) -> Option<(u64, &str)> {
    let rest = text.trim_start_matches(|byte: char| byte.is_ascii_digit());
    let number = text[..text.len() - rest.len()].parse().ok()?;
    Some((number, rest))
}

/// A message without what it quotes and without numbered lines, and these parts.
pub(crate) fn without_quotes(message: &str) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut quoted = Vec::new();
    let mut at = 0;
    let mut last = '\n';
    while let Some(first) = message[at..].chars().next() {
        let rest = &message[at..];
        if let Some(length) = quotation(rest, last).filter(|length| *length > 0) {
            quoted.push(rest[..length].to_owned());
            text.push(' ');
            last = rest[..length].chars().next_back().unwrap_or(first);
            at += length;
        } else {
            text.push(first);
            last = first;
            at += first.len_utf8();
        }
    }
    (text, quoted)
}

/// Bytes of the quotation or numbered line that a text starts with.
fn quotation(text: &str, last: char) -> Option<usize> {
    let until = |open: char, close: char| {
        let inside = text.strip_prefix(open)?;
        let end = inside.find(close)?;
        Some(open.len_utf8() + end + close.len_utf8())
    };
    let apostrophes = || {
        let length = until('\'', '\'')?;
        let is_word = last.is_alphanumeric() || last == '_';
        let is_quote = !is_word && !text[..length].contains('\n');
        is_quote.then_some(length)
    };
    let numbered = || {
        if last != '\n' {
            return None;
        }
        let (_, rest) = starts_with_number(text.trim_start())?;
        let rest = rest.strip_prefix(['.', ')'])?.strip_prefix(' ')?;
        let end = rest.find('\n').unwrap_or(rest.len());
        Some(text.len() - rest.len() + end)
    };
    until('`', '`')
        .or_else(|| until('"', '"'))
        .or_else(|| until('“', '”'))
        .or_else(apostrophes)
        .or_else(numbered)
}

/// The pieces of which a message about this call should show one: the file's name, or the first words of a text.
fn argument(step: &Step) -> Vec<String> {
    const LONGEST: usize = 20;
    const WORDS: usize = 6;
    let Some(args) = &step.args else {
        return Vec::new();
    };
    let args: serde_json::Value = serde_json::from_str(args.get()).unwrap_or_default();
    let text = |name: &str| {
        args.get(name)?
            .as_str()
            .filter(|text| !text.trim().is_empty())
    };
    let named = ARGUMENTS
        .iter()
        .enumerate()
        .find_map(|(rank, name)| Some((rank, text(name)?)));
    let (rank, text) = match (named, args.as_str()) {
        (Some((rank, text)), _) => (rank, text.trim().trim_end_matches('/')),
        (None, Some(text)) => (FILES, text),
        (None, None) => return Vec::new(),
    };
    let short = |text: &str| text.chars().take(LONGEST).collect::<String>();
    if rank < FILES {
        return vec![short(text.rsplit('/').next().unwrap_or_default())];
    }
    let tool = step.tool.as_deref().unwrap_or_default();
    let is_word = |character: char| {
        character.is_alphanumeric() || character == '_' || character == '.' || character == '-'
    };
    text.split(|character| !is_word(character))
        .filter(|word| word.chars().count() >= 3 && *word != tool)
        .take(WORDS)
        .map(short)
        .collect()
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
