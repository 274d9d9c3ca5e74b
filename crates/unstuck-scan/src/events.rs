//! Events of a stream, line by line.

use std::io::{self, Read};

use unstuck::{Event, EventError, EventReader, event::UnknownField};

use crate::lines::{Line, Lines};

/// Reads events; a line that is not an event is an error of that line only, and blank lines are skipped.
pub struct Events<R> {
    lines: Lines<R>,
    reader: EventReader,
    line: u64,
    /// Whether the next line is the first of the input.
    at_start: bool,
}

/// Byte order mark that some editors put before a text.
const BOM: &[u8] = b"\xef\xbb\xbf";

impl<R: Read> Events<R> {
    /// The events of an input whose first line comes after `line`.
    pub fn after_line(line: u64, input: R) -> Self {
        Self {
            lines: Lines::new(input),
            reader: EventReader::default(),
            line,
            at_start: true,
        }
    }

    /// What the first read brings: as much as there is to see without waiting for more.
    pub fn beginning(&mut self) -> io::Result<&[u8]> {
        self.lines.ready()
    }

    /// Returns the next field that no event has; each name comes once.
    pub fn next_unknown_field(&mut self) -> Option<UnknownField> {
        self.reader.next_unknown_field()
    }

    /// The last line that was read.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Would the next event have to be waited for?
    pub fn must_wait(&mut self) -> bool {
        self.lines.must_wait()
    }

    /// Returns what the next line that is not blank holds.
    pub fn next(&mut self) -> io::Result<Option<Result<Event, EventError>>> {
        loop {
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            self.line += 1;
            let line = match line {
                Line::Text(text, end) if self.at_start => {
                    Line::Text(text.strip_prefix(BOM).unwrap_or(text), end)
                }
                line => line,
            };
            self.at_start = false;
            let event = match line {
                Line::Text(text, _) if text.trim_ascii().is_empty() => continue,
                Line::Text(text, _) => self.reader.read(text).map(|mut event| {
                    event.line = Some(self.line);
                    event
                }),
                Line::TooLong(length) => Err(EventError::TooLong(length)),
            };
            return Ok(Some(event));
        }
    }
}
