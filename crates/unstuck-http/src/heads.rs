//! Finds the heads of HTTP requests in the bytes of a connection, and where their bodies end.
//!
//! Where a head gives the length of its body twice, or as a number and in chunks, the HTTP library picks one and leaves
//! out the other. Programs in front of this one may pick the other, so such heads are looked for in the bytes themselves.
//!
//! Bytes of a head are held back until the head is complete: the library, which starts over with every read, parses each
//! head once. The work is linear in the bytes of the connection.
//!
//! This file does no I/O and needs nothing of the program, so that a fuzz target can include it.

/// Bytes a head may have, the request line included.
pub(crate) const LONGEST_HEAD: usize = 48 << 10;

/// Bytes of blank lines that are ignored before a request. RFC 9112 asks for at least one line end.
pub(crate) const MOST_BLANK: usize = 4;

/// What the library is given in place of a head that is refused here. The service sees the [`Fault`] and answers.
const IN_PLACE: &[u8] = b"GET / HTTP/1.1\r\nhost: refused\r\n\r\n";

/// Why a head is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It gives the length of its body in more than one way.
    Lengths,
    /// It has more than [`LONGEST_HEAD`] bytes.
    TooLong,
    /// More than [`MOST_BLANK`] bytes of blank lines come before it.
    BlankLines,
}

/// Follows the bytes of a connection from head to head.
#[derive(Debug, Default)]
pub(crate) struct Heads {
    /// What was read and not yet consumed.
    buffer: Vec<u8>,
    /// So much of it was consumed.
    consumed: usize,
    /// So much of it may be consumed.
    released: usize,
    /// Where the current line of the head begins, and how far it was searched for its end.
    line: usize,
    searched: usize,
    /// Bytes of blank lines before the head.
    blank: usize,
    at: At,
    fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Head,
    /// In a body that has so many more bytes.
    Body(u64),
    /// Everything that follows is passed on unseen: the connection is closed behind this request.
    Unseen,
    /// Everything that follows is dropped.
    Refused,
}

impl Heads {
    /// Takes in what was read.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        while self.released < self.buffer.len() {
            let rest = self.buffer.len() - self.released;
            match self.at {
                At::Unseen => self.released = self.buffer.len(),
                At::Refused => self.buffer.truncate(self.released),
                At::Body(left) => {
                    let taken = usize::try_from(left).map_or(rest, |left| left.min(rest));
                    self.released += taken;
                    self.body_bytes(left, taken);
                }
                At::Head => {
                    if !self.find_head() {
                        return;
                    }
                }
            }
        }
    }

    /// What the library may read now.
    pub(crate) fn ready(&self) -> &[u8] {
        &self.buffer[self.consumed..self.released]
    }

    /// The library has read so many bytes of [`Self::ready`].
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.consumed = self.released.min(self.consumed + bytes);
        if self.consumed < self.released {
            return;
        }
        // What is left is the beginning of one head.
        self.buffer.drain(..self.consumed);
        self.line -= self.line.min(self.consumed);
        self.searched -= self.searched.min(self.consumed);
        self.consumed = 0;
        self.released = 0;
        if self.buffer.is_empty() {
            self.buffer.shrink_to(LONGEST_HEAD / 8);
        }
    }

    /// Number of bytes that the library may read from the connection itself while nothing is [`Self::ready`].
    pub(crate) fn direct(&self) -> u64 {
        match self.at {
            At::Body(left) => left,
            At::Unseen => u64::MAX,
            At::Head | At::Refused => 0,
        }
    }

    /// The library has read so many bytes from the connection itself.
    pub(crate) fn passed(&mut self, bytes: usize) {
        if let At::Body(left) = self.at {
            self.body_bytes(left, bytes);
        }
    }

    /// Why a head of this connection is refused.
    pub(crate) fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// Whether nothing that follows is read.
    pub(crate) fn is_refused(&self) -> bool {
        self.at == At::Refused
    }

    fn body_bytes(&mut self, left: u64, taken: usize) {
        let left = left.saturating_sub(u64::try_from(taken).unwrap_or(u64::MAX));
        if left > 0 {
            self.at = At::Body(left);
        } else {
            self.begin_head();
        }
    }

    fn begin_head(&mut self) {
        self.at = At::Head;
        self.line = self.released;
        self.searched = self.released;
        self.blank = 0;
    }

    /// Looks for the end of the head that begins behind what is released. False if more has to be read for that.
    fn find_head(&mut self) -> bool {
        let start = self.released;
        loop {
            let begins = start + self.blank;
            if self.line == begins && !self.may_begin(begins) {
                // The library says what is wrong with it.
                self.at = At::Unseen;
                return true;
            }
            let Some(found) = memchr::memchr(b'\n', &self.buffer[self.searched..]) else {
                self.searched = self.buffer.len();
                if self.searched - start > LONGEST_HEAD {
                    self.refuse(Fault::TooLong);
                }
                return self.at != At::Head;
            };
            let end = self.searched + found + 1;
            let line = &self.buffer[self.line..end - 1];
            let is_empty = line.is_empty() || line == b"\r";
            let is_first = self.line == begins;
            self.line = end;
            self.searched = end;
            if end - start > LONGEST_HEAD {
                self.refuse(Fault::TooLong);
                return true;
            }
            if is_empty && !is_first {
                self.end_head(start, end);
                return true;
            }
            if is_empty {
                self.blank = end - start;
                if self.blank > MOST_BLANK {
                    self.refuse(Fault::BlankLines);
                    return true;
                }
            }
        }
    }

    /// Whether a request, or a line end before it, can begin here. What cannot, such as TLS, need not be waited for.
    fn may_begin(&self, at: usize) -> bool {
        match self.buffer.get(at..) {
            Some([b'\r', second, ..]) => *second == b'\n',
            Some([first, ..]) => {
                matches!(first, b'\r' | b'\n')
                    || first.is_ascii_alphanumeric()
                    || b"!#$%&'*+-.^_`|~".contains(first)
            }
            _ => true,
        }
    }

    fn end_head(&mut self, start: usize, end: usize) {
        let (at, fault) = behind(&self.buffer[start..end]);
        self.released = end;
        self.fault = self.fault.or(fault);
        self.begin_head();
        self.at = at;
    }

    fn refuse(&mut self, fault: Fault) {
        self.fault = self.fault.or(Some(fault));
        self.buffer.truncate(self.released);
        self.buffer.extend_from_slice(IN_PLACE);
        self.released = self.buffer.len();
        self.begin_head();
        self.at = At::Refused;
    }
}

/// What follows a head, and what is wrong with it.
fn behind(head: &[u8]) -> (At, Option<Fault>) {
    let mut lengths = 0_usize;
    let mut length = &[][..];
    let mut codings = 0_usize;
    for line in head.split(|byte| *byte == b'\n') {
        let Some(colon) = memchr::memchr(b':', line) else {
            continue;
        };
        let (name, value) = line.split_at(colon);
        let name = name.trim_ascii();
        if name.eq_ignore_ascii_case(b"content-length") {
            lengths += 1;
            length = value[1..].trim_ascii();
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            codings += 1;
        }
    }
    match (lengths, codings) {
        (0, 0) => (At::Head, None),
        (1, 0) => {
            let plain = !length.is_empty() && length.iter().all(u8::is_ascii_digit);
            let length = std::str::from_utf8(length).ok().filter(|_| plain);
            match length.and_then(|length| length.parse().ok()) {
                Some(0) => (At::Head, None),
                Some(length) => (At::Body(length), None),
                None => (At::Unseen, None),
            }
        }
        (0, 1) => (At::Unseen, None),
        _ => (At::Unseen, Some(Fault::Lengths)),
    }
}

#[cfg(test)]
#[path = "heads_tests.rs"]
mod tests;
