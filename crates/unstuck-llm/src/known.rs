//! What was seen of a history: its elements by their bytes, so that what comes again costs one pass of a hash.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    ops::Range,
};

use siphasher::sip128::{Hasher128 as _, SipHasher13};
use unstuck_json::{Json, Scratch};
use unstuck_transcript::{Message, Part};

use crate::{
    collapse::StepPart,
    form::{Form, contract::Insertion},
    request::{List, Request, Unreadable},
    span::{Cursor, says},
};

/// An element of a history, as it was sent last.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// Bytes from the end of the element before, and the hash of them.
    length: usize,
    digest: u128,
    /// Where in these bytes the element begins.
    start: usize,
    /// What it says, without what may change from request to request.
    pub(crate) mark: u64,
    /// What it is known by, when a history is rewritten.
    pub(crate) key: u64,
    /// What it adds to its step.
    pub(crate) step: StepPart,
    /// The text that is inserted into it.
    pub(crate) note: Option<Insertion>,
}

/// An element that was not seen with these bytes before.
pub(crate) struct New {
    pub(crate) known: Known,
    pub(crate) messages: Vec<Message>,
    pub(crate) span: Range<usize>,
}

/// A history, taken apart.
pub(crate) struct Parted {
    /// How many elements came with the same bytes as before.
    pub(crate) same: usize,
    pub(crate) new: Vec<New>,
}

fn digest(bytes: &[u8]) -> u128 {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    hasher.finish128().as_u128()
}

/// Takes a history apart. What stands behind it in the request is read too.
pub(crate) fn part(known: &[Known], request: &mut Request<'_>) -> Result<Parted, Unreadable> {
    let text = request.text;
    let start = match request.list {
        List::Array(start) => start,
        List::Text(start) => return one_text(request, start),
    };
    let mut at = start;
    let mut same = 0;
    for one in known {
        let bytes = text.as_bytes().get(at..at + one.length);
        if bytes.is_none_or(|bytes| digest(bytes) != one.digest) {
            break;
        }
        at += one.length;
        same += 1;
    }
    let mut scratch = Scratch::default();
    let mut cursor = Cursor::new(text, at, &mut scratch);
    let mut new = Vec::new();
    while let Some(span) = cursor.element().map_err(|_| Unreadable)? {
        let place = same + new.len();
        new.push(read(request.form, text, at, span.clone(), place));
        at = span.end;
    }
    let end = cursor.at();
    request.read_rest(end)?;
    Ok(Parted { same, new })
}

/// A history that is one text.
fn one_text(request: &mut Request<'_>, start: usize) -> Result<Parted, Unreadable> {
    let mut scratch = Scratch::default();
    let mut cursor = Cursor::new(request.text, start, &mut scratch);
    let span = cursor.value().map_err(|_| Unreadable)?;
    let mut message = Message::default();
    if let Some(text) = crate::span::string(request.text, span.clone()) {
        message.parts.push(Part::Asked(text.into()));
    }
    let end = cursor.at();
    request.read_rest(end)?;
    let mut one = New {
        known: Known {
            length: span.len(),
            digest: digest(&request.text.as_bytes()[span.clone()]),
            start: 0,
            mark: 0,
            key: 0,
            step: StepPart::of(&[]),
            note: None,
        },
        messages: vec![message],
        span,
    };
    one.known.mark = mark(&one.messages);
    one.known.key = one.known.mark;
    Ok(Parted {
        same: 0,
        new: vec![one],
    })
}

fn read(form: Form, text: &str, from: usize, span: Range<usize>, place: usize) -> New {
    let mut messages = Vec::new();
    if let Ok(json) = Json::lossy(&text.as_bytes()[span.clone()]) {
        form.api().element(json.view(), &mut messages);
    }
    let mut step = StepPart::of(&messages);
    // Its content may be encrypted: then there is nothing to read in it.
    if messages.is_empty() && says(text, span.clone(), "type", "reasoning") {
        step = StepPart::thought();
    }
    New {
        known: Known {
            length: span.end - from,
            digest: digest(&text.as_bytes()[from..span.end]),
            start: span.start - from,
            mark: mark(&messages),
            key: key(&messages, place),
            step,
            note: None,
        },
        messages,
        span,
    }
}

/// Tells what elements say apart. Thoughts are left out, because agents drop them.
fn mark(messages: &[Message]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for message in messages {
        message.speaker.hash(&mut hasher);
        for mark in message.parts.iter().filter_map(Part::mark) {
            mark.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// What an element is known by: the calls it answers, or what it says and where.
fn key(messages: &[Message], place: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut has_ids = false;
    for part in messages.iter().flat_map(|message| &message.parts) {
        if let Part::Returned { outcome, .. } = part
            && !outcome.id.is_empty()
        {
            outcome.id.hash(&mut hasher);
            has_ids = true;
        }
    }
    if !has_ids {
        (mark(messages), place).hash(&mut hasher);
    }
    hasher.finish()
}

/// What a part is known by, when a history is rewritten. The result of a call may be shortened by then.
pub(crate) fn part_key(part: &Part) -> Option<u64> {
    match part {
        Part::Returned { outcome, .. } if !outcome.id.is_empty() => {
            let mut hasher = DefaultHasher::new();
            ("returned", &outcome.id).hash(&mut hasher);
            Some(hasher.finish())
        }
        part => part.mark(),
    }
}

/// Where the texts stand that are inserted into elements, in a request whose history begins at `start`.
pub(crate) fn insertions(known: &[Known], start: usize) -> Vec<(usize, &str)> {
    let mut at = start;
    let mut found = Vec::new();
    for one in known {
        if let Some(note) = &one.note {
            found.push((at + one.start + note.at, &*note.text));
        }
        at += one.length;
    }
    found
}

/// Where a history ends that begins at `start`.
pub(crate) fn end_of(known: &[Known], start: usize) -> usize {
    start + known.iter().map(|one| one.length).sum::<usize>()
}

/// Texts that were inserted, by the elements they stand in.
pub(crate) type Notes = HashMap<u64, Box<str>>;

impl Known {
    /// Bytes from the end of the element before to its own end.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Where it begins, if it ends at `end`.
    pub(crate) fn begin(&self, end: usize) -> usize {
        end - self.length + self.start
    }

    /// Puts a text into the element.
    pub(crate) fn write(&mut self, form: Form, element: &str, text: &str) {
        self.note = (form.spec().note)(element, text);
    }
}
