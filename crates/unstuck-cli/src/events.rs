//! Events of a stream, line by line.

use std::io::{self, Read};

use unstuck::{Event, EventError, EventReader};

use crate::lines::{Line, Lines};

/// Reads events; a line that is none is an error of that line only, and blank lines are skipped.
pub(crate) struct Events<R> {
    lines: Lines<R>,
    reader: EventReader,
    line: u64,
}

/// What stands on one line. An event knows its line too.
pub(crate) struct Entry {
    pub(crate) line: u64,
    pub(crate) event: Result<Event, EventError>,
}

impl<R: Read> Events<R> {
    /// The events of an input whose first line comes after `line`.
    pub(crate) fn after_line(line: u64, input: R) -> Self {
        Self {
            lines: Lines::new(input),
            reader: EventReader::default(),
            line,
        }
    }

    /// The last line that was read.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Would the next event have to be waited for?
    pub(crate) fn must_wait(&mut self) -> bool {
        self.lines.must_wait()
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<Entry>> {
        loop {
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            self.line += 1;
            let event = match line {
                Line::Text(text, _) if text.trim_ascii().is_empty() => continue,
                Line::Text(text, _) => self.reader.read(text).map(|mut event| {
                    event.line = Some(self.line);
                    event
                }),
                Line::TooLong(length) => Err(EventError::TooLong(length)),
            };
            return Ok(Some(Entry {
                line: self.line,
                event,
            }));
        }
    }
}
