//! Answers that come as a stream: passed on event by event, except where a call waits to be judged.

use std::ops::Range;

use unstuck::{Call, Engine, Event, EventKind, Mode, Role, RuleName, Settings, Text, Verdict};
use unstuck_transcript::{Part, Used};

use crate::{
    form::{
        Form,
        contract::{Frame, Judge, Reader, Written},
    },
    span, used,
};

/// Bytes of one event, and of what is held of one answer. What is longer is passed on unjudged.
const LONGEST: usize = 16 << 20;

/// An answer that comes as a stream.
///
/// Bytes go in as they arrive, cut anywhere; the bytes that may go to the client come out. Unless a call is denied, or the
/// text is cut, what comes out is what went in.
pub struct AnswerStream {
    form: Form,
    reader: Box<dyn Reader>,
    frames: Frames,
    words: Words,
    used: Option<Used>,
    /// What the answers used that this one continues.
    used_before: Option<Used>,
    id: Option<String>,
    /// What the model said, of an answer that a later request may go on from.
    parts: Vec<Part>,
    state: State,
    cut: Option<Cut>,
}

/// How a stream is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Read,
    /// The rest is passed on as it is.
    Unread,
    /// Nothing more is passed on.
    Ended,
}

/// Why an answer was ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The rule that found the text to repeat itself.
    pub rule: RuleName,
    /// Occurrences, the first one included.
    pub repeats: u32,
    /// Whether the answer was ended, or goes on because decisions are only recorded.
    pub is_enforced: bool,
}

impl AnswerStream {
    /// Reads an answer in a form. Text that repeats itself is found by the rules of `settings`.
    pub fn new(form: Form, settings: &Settings) -> Self {
        Self {
            form,
            reader: (form.spec().reader)(),
            frames: Frames::default(),
            words: Words::new(settings),
            used: None,
            used_before: None,
            id: None,
            parts: Vec::new(),
            state: State::Read,
            cut: None,
        }
    }

    /// Takes bytes of the stream, and returns those that may go to the client. `judge` returns the text in place of a call
    /// that is denied.
    pub fn push(
        &mut self,
        bytes: &[u8],
        mut judge: impl FnMut(&Call) -> Option<String>,
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        match self.state {
            State::Read => {}
            State::Unread => {
                out.extend_from_slice(bytes);
                return out;
            }
            State::Ended => return out,
        }
        self.frames.push(bytes);
        while let Some(span) = self.frames.next() {
            self.frame(span, &mut judge, &mut out);
            if self.state == State::Ended {
                return out;
            }
        }
        if self.frames.unread() > LONGEST || self.reader.held() > LONGEST {
            self.reader.release(&mut out);
            out.extend_from_slice(self.frames.rest());
            self.state = State::Unread;
        }
        out
    }

    /// The stream has ended, or broken off: what is held goes to the client.
    pub fn end(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.state == State::Read {
            self.reader.release(&mut out);
            out.extend_from_slice(self.frames.rest());
        }
        self.state = State::Ended;
        out
    }

    fn frame(&mut self, span: Range<usize>, judge: &mut Judge<'_>, out: &mut Vec<u8>) {
        let raw = &self.frames.buffer[span];
        let data = data_of(raw);
        if let Some(used) = used::used(self.form, &data) {
            used::add(&mut self.used, used);
        }
        if self.id.is_none() {
            self.id = crate::whole::id_of(&data);
        }
        if self.form == Form::Responses && says_completed(&data) {
            self.parts.extend(crate::whole::parts(self.form, &data));
            self.id = crate::whole::id_of(&data).or_else(|| self.id.take());
        }
        let frame = Frame { raw, data: &data };
        let written = self.reader.frame(&frame, judge, out);
        if let Some(found) = self.words.add(written) {
            if found.is_enforced {
                self.reader.cut(&found.note, out);
                self.state = State::Ended;
            }
            self.cut = Some(Cut {
                rule: found.rule,
                repeats: found.repeats,
                is_enforced: found.is_enforced,
            });
        }
    }

    /// Whether all calls of the answer were denied, and its end is held: another answer of the model may follow.
    pub fn is_spent(&self) -> bool {
        self.state == State::Read && self.cut.is_none() && self.reader.is_spent()
    }

    /// Another answer follows, whose bytes are given next: the client gets both as one.
    pub fn continue_with_next(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.reader.continue_with_next(&mut out);
        self.frames = Frames::default();
        if let Some(used) = self.used.take() {
            used::sum(&mut self.used_before, used);
        }
        out
    }

    /// Whether the answer was ended here, and the rest of the stream is not wanted.
    pub fn is_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// Whether nothing is held back: every byte that came in whole events went out.
    pub fn holds_nothing(&self) -> bool {
        self.reader.held() == 0
    }

    /// Why the answer was ended, or would have been.
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// What the answer says that it used. Of several answers that became one it is the sum.
    pub fn used(&self) -> Option<Used> {
        let mut all = self.used_before.clone();
        if let Some(used) = &self.used {
            used::sum(&mut all, used.clone());
        }
        all
    }

    /// What the model said, of an answer of the Responses API that is complete.
    pub fn take_parts(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.parts)
    }

    /// The id of the answer.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

impl std::fmt::Debug for AnswerStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnswerStream")
            .field("form", &self.form)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Whether this is the last event of an answer.
fn says_completed(data: &str) -> bool {
    memchr::memmem::find(data.as_bytes(), b"response.completed").is_some()
        && span::says(data, span::whole(data), "type", "response.completed")
}

/// What the model says, as far as it is written.
struct Words {
    settings: Settings,
    engine: Option<Engine>,
    /// Text that is not yet judged.
    pending: String,
    role: Role,
}

struct Repeated {
    rule: RuleName,
    repeats: u32,
    note: String,
    is_enforced: bool,
}

/// Bytes of text that are judged at once. Pieces of a few letters would cost more than it is worth.
const PIECE: usize = 256;

impl Words {
    fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            engine: None,
            pending: String::new(),
            role: Role::Assistant,
        }
    }

    fn add(&mut self, written: Written) -> Option<Repeated> {
        if self.settings.mode == Mode::Off {
            return None;
        }
        let (role, text) = match written {
            Written::Nothing => return None,
            Written::Text(text) => (Role::Assistant, text),
            Written::Thinking(text) => (Role::Thinking, text),
        };
        let mut found = None;
        if role != self.role {
            found = self.judge();
            self.role = role;
        }
        self.pending.push_str(&text);
        if self.pending.len() >= PIECE {
            found = found.or_else(|| self.judge());
        }
        found
    }

    fn judge(&mut self) -> Option<Repeated> {
        if self.pending.is_empty() {
            return None;
        }
        let text = std::mem::take(&mut self.pending);
        let settings = &self.settings;
        let engine = self
            .engine
            .get_or_insert_with(|| Engine::new(settings.clone()));
        let text = Text::new(text, self.role);
        let decision = engine.observe(Event::new(EventKind::Text(text)));
        let verdict = decision.would.unwrap_or(decision.verdict);
        let reason = decision.reason?;
        (verdict == Verdict::Halt && reason.rule == RuleName::Chant).then(|| Repeated {
            rule: reason.rule,
            repeats: reason.repeats,
            note: reason.message.into(),
            is_enforced: decision.verdict == Verdict::Halt,
        })
    }
}

/// Splits a stream into events and keeps their bytes. Lines end with CR, LF or both; an empty line ends an event.
#[derive(Debug, Default)]
struct Frames {
    buffer: Vec<u8>,
    /// Where the event that is being read begins.
    start: usize,
    /// Where its last line begins, and how far that was searched for its end.
    line: usize,
    searched: usize,
}

impl Frames {
    fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.line -= self.start;
        self.searched -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = &self.buffer[self.searched..];
            let Some(found) = memchr::memchr2(b'\n', b'\r', rest) else {
                self.searched = self.buffer.len();
                return None;
            };
            let end = self.searched + found;
            let next = match (self.buffer[end], self.buffer.get(end + 1)) {
                (b'\r', Some(b'\n')) => end + 2,
                // A line feed may follow.
                (b'\r', None) => {
                    self.searched = end;
                    return None;
                }
                _ => end + 1,
            };
            let is_empty = end == self.line;
            self.line = next;
            self.searched = next;
            if is_empty {
                let event = self.start..next;
                self.start = next;
                return Some(event);
            }
        }
    }

    fn unread(&self) -> usize {
        self.buffer.len() - self.start
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }
}

/// The data of an event. Of several lines it is one, joined with line feeds.
fn data_of(raw: &[u8]) -> String {
    let mut data: Option<String> = None;
    for line in raw.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let Some(value) = line.strip_prefix(b"data:") else {
            continue;
        };
        let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
        match &mut data {
            None => data = Some(value.into_owned()),
            Some(data) => {
                data.push('\n');
                data.push_str(&value);
            }
        }
    }
    data.unwrap_or_default()
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
