//! Lines of a stream, however long they are and however they arrive.

use std::io::{self, Read};

use unstuck::event::MAX_LINE_BYTES;

const CHUNK: usize = 1 << 18;

/// A line, without its line end.
pub enum Line<'a> {
    Text(&'a [u8], End),
    /// Its length; what it said is not kept.
    TooLong(usize),
}

/// Whether a line had an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Ended,
    /// The input ended before the line did.
    CutOff,
}

/// Reads lines; no more than one line is ever held in memory.
pub struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// What has been given out.
    start: usize,
    /// What has been searched for a line end.
    searched: usize,
    filled: usize,
    at_end: bool,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; CHUNK],
            start: 0,
            searched: 0,
            filled: 0,
            at_end: false,
        }
    }

    /// What comes next, without taking it: so many bytes, or all that is left.
    pub fn head(&mut self, bytes: usize) -> io::Result<&[u8]> {
        while !self.at_end && self.filled - self.start < bytes {
            self.fill()?;
        }
        let end = self.filled.min(self.start + bytes);
        Ok(&self.buffer[self.start..end])
    }

    /// Passes over blank lines. Returns how many there were.
    pub fn skip_blank(&mut self) -> io::Result<u64> {
        let mut lines = 0;
        loop {
            let part = &self.buffer[self.start..self.filled];
            let blank = part.iter().take_while(|byte| byte.is_ascii_whitespace());
            let blank = blank.count();
            lines += memchr::memchr_iter(b'\n', &part[..blank]).count() as u64;
            let is_all = blank == part.len();
            self.start += blank;
            self.searched = self.start;
            if !is_all || self.at_end {
                return Ok(lines);
            }
            self.fill()?;
        }
    }

    /// What comes next as far as it is there after one read, without taking it.
    pub fn ready(&mut self) -> io::Result<&[u8]> {
        if !self.at_end && self.filled == self.start {
            self.fill()?;
        }
        Ok(&self.buffer[self.start..self.filled])
    }

    /// Everything that is left, unless it is more than so many bytes.
    pub fn rest(mut self, limit: usize) -> io::Result<Option<Vec<u8>>> {
        while !self.at_end && self.filled - self.start <= limit {
            self.fill()?;
        }
        if self.filled - self.start > limit {
            return Ok(None);
        }
        self.buffer.truncate(self.filled);
        self.buffer.drain(..self.start);
        Ok(Some(self.buffer))
    }

    /// Would the next line have to be waited for?
    pub fn must_wait(&mut self) -> bool {
        !self.at_end && self.line_end().is_none()
    }

    pub fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut dropped = 0;
        loop {
            if let Some(end) = self.line_end() {
                let line = self.start..end;
                self.start = end + 1;
                self.searched = self.start;
                return Ok(Some(give(&self.buffer[line], dropped, End::Ended)));
            }
            if self.at_end {
                if self.start == self.filled && dropped == 0 {
                    return Ok(None);
                }
                let line = self.start..self.filled;
                self.start = self.filled;
                return Ok(Some(give(&self.buffer[line], dropped, End::CutOff)));
            }
            if self.filled - self.start > MAX_LINE_BYTES {
                dropped += self.filled - self.start;
                self.start = self.filled;
            }
            self.fill()?;
        }
    }

    fn line_end(&mut self) -> Option<usize> {
        let unsearched = &self.buffer[self.searched..self.filled];
        let end = memchr::memchr(b'\n', unsearched);
        self.searched = end.map_or(self.filled, |at| self.searched + at);
        end.map(|_| self.searched)
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.searched -= self.start;
        self.start = 0;
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(0) => {
                    self.at_end = true;
                    return Ok(());
                }
                Ok(read) => {
                    self.filled += read;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

fn give(text: &[u8], dropped: usize, end: End) -> Line<'_> {
    if dropped > 0 || text.len() > MAX_LINE_BYTES {
        Line::TooLong(dropped + text.len())
    } else {
        Line::Text(text, end)
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
