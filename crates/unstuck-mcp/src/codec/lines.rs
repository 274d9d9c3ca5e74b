//! Bytes to lines, of bounded length.

use std::io::{self, Read};

/// What one read takes in; enough for the messages of many callers at once.
const CHUNK: usize = 64 << 10;

/// A buffer that grew beyond this for one long line is given back.
const KEEP: usize = 1 << 20;

/// So much of a line that is too long is kept from its beginning and from its end, to tell whose it was.
const KEPT_OF_LONG: usize = 1 << 10;

/// Lines of a stream, read in chunks and never held back: what is there is given out.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    /// What was read and not yet given out.
    start: usize,
    end: usize,
    /// Behind the next line end, if it is known.
    found: Option<usize>,
    longest: usize,
    /// What is left of a line that was too long.
    beginning: Vec<u8>,
    ending: Vec<u8>,
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
            found: None,
            longest,
            beginning: Vec::new(),
            ending: Vec::new(),
        }
    }

    /// Waits for the next line; `None` at the end of the stream.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = self.start;
        let end = loop {
            if let Some(end) = self.found.take().or_else(|| self.line_end(searched)) {
                break end;
            }
            searched = self.end;
            if self.end - self.start > self.longest {
                self.skip_line()?;
                return Ok(Some(Line::TooLong {
                    beginning: &self.beginning,
                    end: &self.ending,
                }));
            }
            let shift = self.make_room();
            searched -= shift;
            if self.fill()? == 0 {
                if self.start == self.end {
                    return Ok(None);
                }
                break self.end;
            }
        };
        let line = self.start..end;
        self.start = end;
        self.found = self.line_end(end);
        if line.len() > self.longest.saturating_add(1) {
            let (beginning, end) = ends(&self.buffer[line]);
            return Ok(Some(Line::TooLong { beginning, end }));
        }
        Ok(Some(Line::Whole(&self.buffer[line])))
    }

    /// Is another line there already, so that [`Self::next_line`] would not wait?
    pub fn has_line(&self) -> bool {
        self.found.is_some()
    }

    fn line_end(&self, from: usize) -> Option<usize> {
        let found = memchr::memchr(b'\n', &self.buffer[from..self.end])?;
        Some(from + found + 1)
    }

    /// Makes room for another read; returns by how much everything moved to the front.
    fn make_room(&mut self) -> usize {
        let shift = self.start;
        if self.start == self.end {
            self.end = 0;
        } else if shift > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= shift;
        }
        self.start = 0;
        if self.end == 0 && self.buffer.len() > KEEP {
            self.buffer = vec![0; CHUNK];
        } else if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        shift
    }

    fn fill(&mut self) -> io::Result<usize> {
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => {
                    let read = read?;
                    self.end += read;
                    return Ok(read);
                }
            }
        }
    }

    /// Throws away the rest of a line.
    fn skip_line(&mut self) -> io::Result<()> {
        let (beginning, ending) = ends(&self.buffer[self.start..self.end]);
        self.beginning.clear();
        self.beginning.extend_from_slice(beginning);
        self.ending.clear();
        self.ending.extend_from_slice(ending);
        loop {
            self.start = 0;
            self.end = 0;
            if self.fill()? == 0 {
                return Ok(());
            }
            let end = self.line_end(0);
            let (_, ending) = ends(&self.buffer[..end.unwrap_or(self.end)]);
            self.ending.extend_from_slice(ending);
            let surplus = self.ending.len().saturating_sub(KEPT_OF_LONG);
            self.ending.drain(..surplus);
            if let Some(end) = end {
                self.start = end;
                self.found = self.line_end(end);
                return Ok(());
            }
        }
    }
}

/// How a long line begins and ends.
pub(super) fn ends(line: &[u8]) -> (&[u8], &[u8]) {
    let kept = line.len().min(KEPT_OF_LONG);
    (&line[..kept], &line[line.len() - kept..])
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
