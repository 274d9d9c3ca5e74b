//! Event streams, read by the rules of the HTML standard ("9.2.6 Interpreting an event stream") and written anew.
//!
//! Lines end with CR, LF or both. The last `event` and the last `id` of an event apply, `data` lines are joined, a byte
//! order mark is skipped at the beginning of the stream only. Programs differ in all of these and in what else ends a
//! line, so the bytes of a server are not passed on: each event is written again in the one form that all programs read
//! alike. This file needs nothing of the others, so that it can be fuzzed by itself.

/// Longest event beside its data, in bytes: names of fields, ids, comments.
const SLACK: usize = 4_096;

/// Splits a stream into events.
#[derive(Debug)]
pub struct Events {
    buffer: Vec<u8>,
    /// Where the unread part of the buffer begins.
    start: usize,
    /// Up to here there is no line end.
    searched: usize,
    /// Whether a line feed that comes next belongs to a carriage return before it.
    after_return: bool,
    is_first_line: bool,
    /// The event that is being read.
    event: Event,
    /// Bytes of the lines of that event.
    len: usize,
    longest: usize,
}

/// An event that is longer than may be read.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The type, if it is given and not empty.
    kind: Option<Vec<u8>>,
    id: Option<String>,
    retry: Option<String>,
    data: Option<Vec<u8>>,
    /// The first comment. Comments only keep a connection alive, so one is enough.
    comment: Option<String>,
}

impl Events {
    /// Reads events of at most so many bytes.
    pub fn new(longest: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            after_return: false,
            is_first_line: true,
            event: Event::default(),
            len: 0,
            longest,
        }
    }

    /// Takes in bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.compact();
        let most = self.most();
        append(&mut self.buffer, bytes, most);
    }

    /// Memory that is taken by what was pushed and is not yet part of an event that was returned, in bytes.
    pub fn unread(&self) -> usize {
        self.buffer.capacity() + self.event.capacity()
    }

    /// Most bytes of the lines of one event.
    fn most(&self) -> usize {
        self.longest.saturating_add(SLACK)
    }

    /// Gives back what was read. The rest is the beginning of one line.
    fn compact(&mut self) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.buffer.capacity() / 4 > self.buffer.len().max(SLACK) {
            self.buffer.shrink_to(SLACK);
        }
    }

    /// The next event that says anything, once all of it is there.
    pub fn next_event(&mut self) -> Result<Option<Event>, TooLong> {
        while let Some(found) = memchr::memchr2(b'\n', b'\r', &self.buffer[self.searched..]) {
            let end = self.searched + found;
            let line = self.start..end;
            let is_second_half = self.after_return && self.buffer[end] == b'\n' && line.is_empty();
            self.after_return = self.buffer[end] == b'\r';
            self.start = end + 1;
            self.searched = self.start;
            if is_second_half {
                continue;
            }
            self.len += line.len() + 1;
            let most = self.most();
            if self.len > most {
                return Err(TooLong);
            }
            let mut line = &self.buffer[line];
            if std::mem::take(&mut self.is_first_line) {
                line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            }
            if !line.is_empty() {
                self.event.read(line, most);
                continue;
            }
            self.len = 0;
            let event = std::mem::take(&mut self.event);
            if event != Event::default() {
                return Ok(Some(event));
            }
        }
        self.searched = self.buffer.len();
        self.compact();
        if self.len + self.buffer.len() > self.most() {
            return Err(TooLong);
        }
        Ok(None)
    }
}

impl Event {
    /// Takes in a line that is not empty, of an event whose lines have at most so many bytes.
    fn read(&mut self, line: &[u8], most: usize) {
        let (name, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"" => {
                self.comment
                    .get_or_insert_with(|| plain(value).unwrap_or_default());
            }
            b"event" => self.kind = (!value.is_empty()).then(|| value.to_vec()),
            b"data" => match &mut self.data {
                None => self.data = Some(value.to_vec()),
                Some(data) => {
                    append(data, b"\n", most);
                    append(data, value, most);
                }
            },
            // What cannot be repeated in a header in the same way by all programs is not an id.
            b"id" => {
                if let Some(id) = plain(value) {
                    self.id = Some(id);
                }
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                self.retry = plain(value);
            }
            _ => {}
        }
    }

    /// Memory that it takes beside its own size, in bytes.
    fn capacity(&self) -> usize {
        let bytes = [&self.kind, &self.data].into_iter().flatten();
        let texts = [&self.id, &self.retry, &self.comment].into_iter().flatten();
        bytes.map(Vec::capacity).sum::<usize>() + texts.map(String::capacity).sum::<usize>()
    }

    /// The message that clients read from this event. Official clients take only events of the type `message`.
    pub fn message(&self) -> Option<&[u8]> {
        let is_message = self.kind.as_deref().is_none_or(|kind| kind == b"message");
        let data = self.data.as_deref().filter(|_| is_message)?;
        (!data.iter().all(u8::is_ascii_whitespace)).then_some(data)
    }

    /// The type, if it is given and not empty.
    pub fn kind(&self) -> Option<&[u8]> {
        self.kind.as_deref()
    }

    /// The data, if there is any. Of several lines it is one, joined with line feeds.
    pub fn data(&self) -> Option<&[u8]> {
        self.data.as_deref()
    }

    /// Whether the stream can be resumed behind this event.
    pub fn has_id(&self) -> bool {
        self.id.as_ref().is_some_and(|id| !id.is_empty())
    }

    /// The event with these bytes as its data. An event of another type than `message` loses its type and its data: no
    /// official client takes it, and what another program would read from it was not judged. Its id stays, so that a
    /// stream can be resumed behind it.
    pub fn write(&self, message: Option<&[u8]>) -> Vec<u8> {
        let kind = self.kind.as_ref().map(|_| "message");
        self.write_as(kind.filter(|_| message.is_some()), message)
    }

    /// The event with its own type and these bytes as its data. A type that programs may read differently is left out.
    pub fn write_typed(&self, data: &[u8]) -> Vec<u8> {
        let kind = self.kind.as_deref().and_then(plain);
        self.write_as(kind.as_deref(), Some(data))
    }

    fn write_as(&self, kind: Option<&str>, message: Option<&[u8]>) -> Vec<u8> {
        let mut out = Vec::with_capacity(message.map_or(0, <[u8]>::len) + 64);
        if let Some(comment) = &self.comment {
            out.extend_from_slice(b":");
            if !comment.is_empty() {
                out.extend_from_slice(b" ");
                out.extend_from_slice(comment.as_bytes());
            }
            out.push(b'\n');
        }
        if let Some(id) = &self.id {
            push_field("id", id, &mut out);
        }
        if let Some(kind) = kind {
            push_field("event", kind, &mut out);
        }
        if let Some(retry) = &self.retry {
            push_field("retry", retry, &mut out);
        }
        match message {
            Some(message) => push_data(message, &mut out),
            None if self.data.is_some() && self.id.is_some() => push_field("data", "", &mut out),
            // Something came, which keeps a connection alive.
            None if out.is_empty() => out.extend_from_slice(b":\n"),
            None => {}
        }
        out.push(b'\n');
        out
    }
}

/// A whole event with this message.
pub fn event(message: &[u8]) -> Vec<u8> {
    let event = Event {
        kind: Some(b"message".to_vec()),
        ..Event::default()
    };
    event.write(Some(message))
}

fn push_field(name: &str, value: &str, out: &mut Vec<u8>) {
    for part in [name, ": ", value, "\n"] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// A message as `data` lines. Line ends within it are white space between values, and become line feeds.
fn push_data(message: &[u8], out: &mut Vec<u8>) {
    let message = message.trim_ascii();
    for line in message.split(|byte| matches!(byte, b'\n' | b'\r')) {
        out.extend_from_slice(b"data: ");
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}

/// Appends bytes as a vector does by itself, but takes no more memory than is needed for `most` bytes, unless there are more.
fn append(to: &mut Vec<u8>, bytes: &[u8], most: usize) {
    let length = to.len() + bytes.len();
    if length > to.capacity() {
        let capacity = to
            .capacity()
            .saturating_mul(2)
            .clamp(length, most.max(length));
        to.reserve_exact(capacity - to.len());
    }
    to.extend_from_slice(bytes);
}

/// A text in which no program finds a line end.
fn plain(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value).ok()?;
    let breaks = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    (!text.contains(breaks)).then(|| text.to_owned())
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
