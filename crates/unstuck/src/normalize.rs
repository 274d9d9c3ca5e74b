//! Normalisation: what two outcomes must share to mean the same.
//!
//! The same command run twice says another time, took another while and got another process id. None of that is news.
//! [`normalize`] takes the canonical text of an output and puts a fixed byte, one that canonical JSON never holds, in
//! the place of each such piece. What agents make progress by stays: counts, line numbers, sizes, versions, exit
//! codes, file names.
//!
//! One pass finds candidates (digits, terminal codes, temporary paths, member names, our own marker) a block at a
//! time, and only those are looked at closely. Every look is bounded by a constant or consumes what it looked at, so
//! the whole is linear in the text.

mod candidates;
mod duration;
mod identifier;
mod member;
mod note;
mod path;
mod process;
mod progress;
mod terminal;
mod text;
mod time;

use std::borrow::Cow;

use candidates::Candidates;
use text::ScannedText;

/// What a piece was replaced as. Each is written as one control byte, which canonical JSON spells as an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Address = 1,
    Duration = 2,
    Identifier = 3,
    Member = 4,
    Path = 5,
    Port = 6,
    Process = 7,
    Progress = 8,
    Time = 9,
}

/// A piece of the text that means nothing, from `start` to `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Recognised {
    start: usize,
    end: usize,
    kind: Kind,
}

/// The canonical text of an output without what changes from run to run.
pub(crate) fn normalize(canonical: &str) -> Cow<'_, [u8]> {
    normalize_bytes(canonical.as_bytes())
}

fn normalize_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    match replace(bytes) {
        Pass::Unchanged => Cow::Borrowed(bytes),
        Pass::Changed(out) => Cow::Owned(out),
        // These may stand in the middle of anything, and go without a trace: they go first, in passes of their own.
        Pass::Foreign => {
            let plain = note::strip(terminal::strip(bytes));
            match replace(&plain) {
                Pass::Changed(out) => Cow::Owned(out),
                Pass::Unchanged | Pass::Foreign => Cow::Owned(plain),
            }
        }
    }
}

enum Pass {
    Unchanged,
    Changed(Vec<u8>),
    /// The text holds terminal codes or notes of ours.
    Foreign,
}

/// Replaces everything but terminal codes and notes.
fn replace(bytes: &[u8]) -> Pass {
    let mut text = ScannedText::new(bytes);
    let mut candidates = Candidates::new(bytes);
    let mut out = Vec::new();
    let mut at = 0;
    loop {
        at = candidates.next(at);
        let Some(&byte) = bytes.get(at) else { break };
        let (found, next) = match byte {
            b'\\' if terminal::starts(&text, at) => return Pass::Foreign,
            b'\\' => (None, at + 2),
            b'"' => (member::value(&text, at), at + 2),
            b'/' => (path::temporary(&text, at), at + 1),
            b'[' if note::starts(&text, at) => return Pass::Foreign,
            b'0'..=b'9' => word(&text, at),
            _ => (None, at + 1),
        };
        let Some(found) = found else {
            at = next;
            continue;
        };
        if out.is_empty() {
            out.reserve(bytes.len());
        }
        out.extend_from_slice(&bytes[text.floor..found.start]);
        if found.kind == Kind::Time {
            text.clock = found.end;
        }
        out.push(found.kind as u8);
        text.floor = found.end;
        at = found.end;
    }
    if text.floor == 0 {
        return Pass::Unchanged;
    }
    out.extend_from_slice(&bytes[text.floor..]);
    Pass::Changed(out)
}

/// Looks at the word around the digit at `at`. Also gives where to go on if nothing is found.
fn word(text: &ScannedText<'_>, at: usize) -> (Option<Recognised>, usize) {
    let start = text.word_start(at);
    if start > at {
        // The digit belongs to an escape.
        return (None, start);
    }
    let digits = text.digits_end(start);
    let end = text.word_end(digits.max(at));
    let found = if digits > start {
        number(text, start, digits).or_else(|| {
            // Most numbers are nothing else.
            (digits < end || text.before(start) == b'-')
                .then(|| identifier::find(text, start, end))
                .flatten()
        })
    } else {
        path::temporary_name(text, start, end)
            .or_else(|| process::labelled(text, start, end, text.label(start)))
            .or_else(|| identifier::find(text, start, end))
    };
    (found, end)
}

/// What the number from `start` to `end` may be.
fn number(text: &ScannedText<'_>, start: usize, end: usize) -> Option<Recognised> {
    time::find(text, start, end).or_else(|| {
        let label = text.label(start);
        if label.is_empty() {
            if is_bare(text, start, end) {
                return None;
            }
            if text.before(start) == b' ' && text.at(end) == b' ' {
                // Nothing else has a space behind its number.
                return duration::find(text, start, end, label);
            }
        }
        duration::find(text, start, end, label)
            .or_else(|| progress::find(text, start, end))
            .or_else(|| process::find(text, start, end, label))
    })
}

/// Whether a number without a label has nothing around it that could make it more: line numbers, indices, counts.
#[inline]
fn is_bare(text: &ScannedText<'_>, start: usize, end: usize) -> bool {
    let before = text.before(start);
    let job = before == b' ' && text.before(start - 1) == b']';
    let ends = matches!(text.at(end), b'\\' | b',' | b')' | b':' | b';' | b'|');
    ends && !job && !matches!(before, b'[' | b':')
}

#[cfg(test)]
#[path = "normalize_tests.rs"]
mod tests;
