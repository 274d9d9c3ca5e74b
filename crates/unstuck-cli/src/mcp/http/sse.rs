//! Events of a stream: where they end, what they say, and the same event with other words.

use bytes::{Buf as _, Bytes, BytesMut};

/// Splits a stream into events. Their bytes are given out as they came.
#[derive(Debug)]
pub(super) struct Events {
    buffer: BytesMut,
    /// Where the line that is being read begins, and how far it was read.
    line: usize,
    read: usize,
    longest: usize,
}

/// An event that is longer than may be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

impl Events {
    pub(super) fn new(longest: usize) -> Self {
        Self {
            buffer: BytesMut::new(),
            line: 0,
            read: 0,
            longest,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Bytes that were pushed and not yet given out.
    pub(super) fn len(&self) -> usize {
        self.buffer.len()
    }

    /// The next event with the empty line behind it, once all of it is there.
    pub(super) fn next(&mut self) -> Result<Option<Bytes>, TooLong> {
        while let Some(found) = memchr::memchr2(b'\n', b'\r', &self.buffer[self.read..]) {
            let at = self.read + found;
            self.read = at + 1;
            let is_second_half = self.buffer[at] == b'\n'
                && at > 0
                && at == self.line
                && self.buffer[at - 1] == b'\r';
            if is_second_half || at > self.line {
                self.line = at + 1;
                continue;
            }
            let mut end = at + 1;
            if self.buffer[at] == b'\r' && self.buffer.get(end) == Some(&b'\n') {
                end += 1;
            }
            let event = self.buffer.copy_to_bytes(end);
            self.line = 0;
            self.read = 0;
            return Ok(Some(event));
        }
        self.read = self.buffer.len();
        // Names of fields and line ends take their place, too.
        if self.buffer.len() > self.longest.saturating_add(4_096) {
            return Err(TooLong);
        }
        Ok(None)
    }
}

/// What an event says, if it is a message.
pub(super) fn data(event: &[u8]) -> Option<Vec<u8>> {
    let mut data: Option<Vec<u8>> = None;
    for line in lines(event) {
        match field(line) {
            ("data", value) => match &mut data {
                None => data = Some(value.to_vec()),
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
            },
            ("event", value) if !value.is_empty() && value != b"message" => return None,
            _ => {}
        }
    }
    data.filter(|data| !data.iter().all(u8::is_ascii_whitespace))
}

/// Whether the stream can be taken up again behind this event.
pub(super) fn has_id(event: &[u8]) -> bool {
    lines(event).any(|line| field(line).0 == "id")
}

/// The event with other words, and everything else as it was.
pub(super) fn with_data(event: &[u8], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(event.len() + data.len());
    let mut said = false;
    for line in lines(event) {
        if field(line).0 != "data" {
            out.extend_from_slice(line);
        } else if !said {
            said = true;
            push_data(data, &mut out);
        }
    }
    out
}

/// A whole event.
pub(super) fn event(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() + 32);
    out.extend_from_slice(b"event: message\n");
    push_data(data, &mut out);
    out.push(b'\n');
    out
}

fn push_data(data: &[u8], out: &mut Vec<u8>) {
    let end = data.iter().rposition(|byte| !byte.is_ascii_whitespace());
    let data = &data[..end.map_or(0, |end| end + 1)];
    for line in data.split(|byte| *byte == b'\n') {
        out.extend_from_slice(b"data: ");
        out.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        out.push(b'\n');
    }
}

/// Lines with their ends.
fn lines(event: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = event;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', rest).map_or(rest.len(), |at| {
            let whole = rest[at] == b'\r' && rest.get(at + 1) == Some(&b'\n');
            at + 1 + usize::from(whole)
        });
        let (line, behind) = rest.split_at(end);
        rest = behind;
        Some(line)
    })
}

/// Name and value of a line.
fn field(line: &[u8]) -> (&str, &[u8]) {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let end = line.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    let line = &line[..end.unwrap_or(line.len())];
    let (name, value) = match memchr::memchr(b':', line) {
        Some(colon) => (&line[..colon], &line[colon + 1..]),
        None => (line, &[][..]),
    };
    let value = value.strip_prefix(b" ").unwrap_or(value);
    (std::str::from_utf8(name).unwrap_or_default(), value)
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
