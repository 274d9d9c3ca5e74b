//! Bytes for one side, of which its reader may not have taken all yet.

use std::{
    io::{self, Write},
    os::fd::{AsFd, BorrowedFd},
};

use super::nonblocking::NonBlockingWriter;

/// Messages for one side, written in the order in which they are sent. Nothing here waits for the reader.
pub(super) struct WriteQueue<W> {
    /// Until it is closed, or nothing reads it any more.
    to: Option<NonBlockingWriter<W>>,
    is_broken: bool,
}

impl<W: Write + AsFd> WriteQueue<W> {
    pub(super) fn new(to: NonBlockingWriter<W>) -> Self {
        Self {
            to: Some(to),
            is_broken: false,
        }
    }

    /// Number of bytes that are not written yet.
    pub(super) fn len(&self) -> usize {
        self.to.as_ref().map_or(0, NonBlockingWriter::len)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nothing reads any more what is written.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Writes these bytes behind all others, as far as that is possible without waiting for the reader.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.write(|to| to.send(bytes));
        }
    }

    /// Writes what the reader did not take before.
    pub(super) fn flush(&mut self) {
        self.write(NonBlockingWriter::flush);
    }

    /// What can be asked when more can be written, if the reader did not take everything.
    pub(super) fn lagging(&self) -> Option<BorrowedFd<'_>> {
        let to = self.to.as_ref().filter(|to| !to.is_empty());
        to.map(NonBlockingWriter::as_fd)
    }

    fn write(&mut self, write: impl FnOnce(&mut NonBlockingWriter<W>) -> io::Result<()>) {
        let written = self.to.as_mut().map_or(Ok(()), write);
        if written.is_err() {
            self.to = None;
            self.is_broken = true;
        }
    }
}

#[cfg(test)]
#[path = "write_queue_tests.rs"]
mod tests;
