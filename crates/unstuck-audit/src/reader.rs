//! Reads the lines of one file of a log, with a bound on their length.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _},
    path::Path,
};

use crate::files::{LONGEST_LINE, open_log, open_next_log};

/// Lines of one file of a log.
#[derive(Debug)]
pub struct LogReader(BufReader<File>);

impl LogReader {
    /// Opens a file of a log, as [`open_log`] does.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(BufReader::new(open_log(path)?)))
    }

    /// Opens the file in which the log at this path continues, as [`open_next_log`] does.
    pub fn open_next(&self, path: &Path) -> io::Result<Option<Self>> {
        let next = open_next_log(self.0.get_ref(), path)?;
        Ok(next.map(|next| Self(BufReader::new(next))))
    }

    /// Reads the next line, or what is left of one at the end of the file. Returns whether there was one.
    pub fn next_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        self.more_of_line(line)?;
        Ok(!line.is_empty())
    }

    /// Reads on to the end of the line: whether that was found. Of a line that is too long only the beginning is kept.
    pub fn more_of_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        loop {
            let room = LONGEST_LINE.saturating_sub(line.len() as u64).max(1);
            if self.0.by_ref().take(room).read_until(b'\n', line)? == 0 {
                return Ok(false);
            }
            if line.ends_with(b"\n") {
                return Ok(true);
            }
            line.truncate(usize::try_from(LONGEST_LINE).unwrap_or(usize::MAX));
        }
    }
}
