//! Bytes to lines, of bounded length.

use std::io::{self, Read};

/// What one read takes in; enough for the messages of many callers at once.
const CHUNK: usize = 64 << 10;

/// A buffer that grew beyond this for one long line is given back.
const KEEP: usize = 1 << 20;

/// So much of a line that is too long is kept from its beginning and from its end, to tell whose it was.
const KEPT_OF_LONG: usize = 1 << 10;

/// Lines of a stream, read in chunks and never held back: what is there is given out.
///
/// A caller that may wait for the stream asks for [`Self::next_line`]. One that waits for several streams at once reads from
/// one that has something with [`Self::read_more`], and asks for [`Self::next_ready`] until there is none.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    /// What was read and not yet given out.
    start: usize,
    end: usize,
    /// Up to here there is no line end.
    searched: usize,
    /// What can be given out.
    found: Option<Found>,
    state: State,
    longest: usize,
    /// What is left of a line that was too long.
    beginning: Vec<u8>,
    ending: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// A line that ends before this place.
    Line(usize),
    /// One that was too long.
    TooLong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Reading,
    /// The rest of a line that is too long is thrown away.
    Skipping,
    /// There is nothing more to read.
    Ended,
}

/// A line with its line end; the last one may have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Line<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// More bytes than are read, of which only this is left.
    TooLong {
        /// How it begins.
        beginning: &'a [u8],
        /// How it ends.
        end: &'a [u8],
    },
}

impl<R: Read> Lines<R> {
    /// Lines of at most `longest` bytes.
    pub fn new(source: R, longest: usize) -> Self {
        Self {
            source,
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            searched: 0,
            found: None,
            state: State::Reading,
            longest,
            beginning: Vec::new(),
            ending: Vec::new(),
        }
    }

    /// Waits for the next line; `None` at the end of the stream.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        while !self.has_line() && !self.has_ended() {
            self.read_more()?;
        }
        Ok(self.next_ready())
    }

    /// The next line that is there.
    pub fn next_ready(&mut self) -> Option<Line<'_>> {
        let end = match self.found.take()? {
            Found::Line(end) => end,
            Found::TooLong => {
                self.find_line();
                return Some(Line::TooLong {
                    beginning: &self.beginning,
                    end: &self.ending,
                });
            }
        };
        let line = self.start..end;
        self.start = end;
        self.find_line();
        let line = &self.buffer[line];
        if line.len() > self.longest.saturating_add(1) {
            let (beginning, end) = ends(line);
            return Some(Line::TooLong { beginning, end });
        }
        Some(Line::Whole(line))
    }

    /// Is another line there already?
    pub fn has_line(&self) -> bool {
        self.found.is_some()
    }

    /// Bytes of memory taken for a long line; 0 while lines are short.
    pub fn held(&self) -> usize {
        if self.buffer.len() > KEEP {
            self.buffer.len()
        } else {
            0
        }
    }

    /// Gives the memory of a long line back once it was given out and nothing follows it.
    pub fn release(&mut self) {
        if self.start == self.end && self.buffer.len() > KEEP && self.found.is_none() {
            self.make_room();
        }
    }

    /// Drops what was read of the current line, and the rest of it as it arrives: it is reported as [`Line::TooLong`].
    /// Nothing happens if a line is there already.
    pub fn skip_line(&mut self) {
        if self.found.is_none() && self.state == State::Reading {
            self.skip();
            self.make_room();
        }
    }

    /// Is there nothing more to read? Lines may still be there.
    pub fn has_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// What the lines are read from.
    pub fn source(&self) -> &R {
        &self.source
    }

    /// Reads once, and waits only if nothing has arrived.
    pub fn read_more(&mut self) -> io::Result<()> {
        if self.found.is_some() || self.has_ended() {
            return Ok(());
        }
        self.make_room();
        let read = loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.end += read;
        if read == 0 {
            self.end_of_stream();
        } else {
            self.look();
        }
        Ok(())
    }

    fn end_of_stream(&mut self) {
        if self.state == State::Skipping {
            self.found = Some(Found::TooLong);
        } else if self.start < self.end {
            self.found = Some(Found::Line(self.end));
        }
        self.state = State::Ended;
    }

    /// Looks for the next line in what was read. Moves nothing, so that what was given out stays where it is.
    fn find_line(&mut self) {
        let rest = &self.buffer[self.searched..self.end];
        let end = memchr::memchr(b'\n', rest).map(|found| self.searched + found + 1);
        self.searched = end.unwrap_or(self.end);
        self.found = end.map(Found::Line);
    }

    /// Sees to what has arrived.
    fn look(&mut self) {
        self.find_line();
        if self.state == State::Skipping {
            let (_, ending) = ends(&self.buffer[self.start..self.searched]);
            self.ending.extend_from_slice(ending);
            let surplus = self.ending.len().saturating_sub(KEPT_OF_LONG);
            self.ending.drain(..surplus);
            self.start = self.searched;
            if self.found.is_some() {
                self.state = State::Reading;
                self.found = Some(Found::TooLong);
            }
        } else if self.found.is_none() && self.end - self.start > self.longest {
            self.skip();
        }
    }

    fn skip(&mut self) {
        let (beginning, ending) = ends(&self.buffer[self.start..self.end]);
        self.beginning.clear();
        self.beginning.extend_from_slice(beginning);
        self.ending.clear();
        self.ending.extend_from_slice(ending);
        self.start = self.end;
        self.state = State::Skipping;
    }

    /// Makes room for another read.
    fn make_room(&mut self) {
        if self.start == self.end {
            self.end = 0;
        } else if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
        }
        self.start = 0;
        // Nothing is found in what is left, or it would have been given out.
        self.searched = self.end;
        if self.end == 0 && self.buffer.len() > KEEP {
            self.buffer = vec![0; CHUNK];
        } else if self.end == self.buffer.len() {
            // A line that does not fit into this is too long.
            let most = self.longest.saturating_add(CHUNK).max(self.end + CHUNK);
            let grown = (self.buffer.len() * 2).min(most);
            let more = grown - self.buffer.len();
            self.buffer.reserve_exact(more);
            self.buffer.resize(grown, 0);
        }
    }
}

/// Makes one line of a message that the codec has read: line ends within it become spaces, and one stands at its end.
///
/// JSON allows line ends between values only, never within a string, so that the line says what the message said.
pub fn one_line(mut message: Vec<u8>) -> Vec<u8> {
    for byte in &mut message {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    message.push(b'\n');
    message
}

/// How a long line begins and ends.
pub(super) fn ends(line: &[u8]) -> (&[u8], &[u8]) {
    let kept = line.len().min(KEPT_OF_LONG);
    (&line[..kept], &line[line.len() - kept..])
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
