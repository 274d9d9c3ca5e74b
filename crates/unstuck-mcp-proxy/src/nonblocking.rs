//! Pipes that are written to without waiting for their reader.

use std::{
    io::{self, Write},
    os::fd::{AsFd, BorrowedFd},
};

#[cfg(target_os = "linux")]
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::batch::FULL;

/// A pipe that takes anything takes this much at once, so that who has asked does not wait.
#[cfg(target_os = "linux")]
const AT_ONCE: usize = 4_096;
#[cfg(not(target_os = "linux"))]
const AT_ONCE: usize = 512;

/// How much can be written without waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// It says itself when it is enough.
    WhatItCan,
    /// A little, when it was asked before.
    ALittle,
}

/// What is written to, and what is still to be written.
pub(super) struct NonBlockingWriter<W> {
    to: W,
    takes: Takes,
    kept: Vec<u8>,
    /// So much of it is written.
    written: usize,
}

impl<W: Write + AsFd> NonBlockingWriter<W> {
    pub(super) fn new(to: W, takes: Takes) -> Self {
        Self {
            to,
            takes,
            kept: Vec::new(),
            written: 0,
        }
    }

    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.to.as_fd()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len() - self.written
    }

    pub(super) fn keep(&mut self, bytes: &[u8]) {
        self.kept.extend_from_slice(bytes);
    }

    /// Writes what can be written without waiting, and keeps the rest.
    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut written = 0;
        if self.is_empty() && (self.takes == Takes::WhatItCan || is_writable(self.to.as_fd())) {
            written = self.takes.write(&mut self.to, bytes)?;
        }
        self.keep(&bytes[written..]);
        Ok(())
    }

    /// Writes of what was kept as much as can be written now that it takes something.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let rest = &self.kept[self.written..];
        self.written += self.takes.write(&mut self.to, rest)?;
        // Not each time: what is left would be moved for every piece. A reader that always lags a little behind never takes
        // it all, so not only then.
        if self.is_empty() || self.written >= FULL {
            self.kept.drain(..self.written);
            self.kept.shrink_to(FULL);
            self.written = 0;
        }
        Ok(())
    }
}

impl Takes {
    /// Writes once, and says how much that was. A reader that took a part of it needs the core to read that, so that trying
    /// again at once would be in the way.
    fn write(self, to: &mut impl Write, bytes: &[u8]) -> io::Result<usize> {
        let piece = match self {
            Self::WhatItCan => bytes,
            Self::ALittle => &bytes[..bytes.len().min(AT_ONCE)],
        };
        if piece.is_empty() {
            return Ok(0);
        }
        loop {
            match to.write(piece) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(0),
                written => return written,
            }
        }
    }
}

fn is_writable(to: BorrowedFd<'_>) -> bool {
    let mut asked = [PollFd::new(to, PollFlags::POLLOUT)];
    poll(&mut asked, PollTimeout::ZERO).is_ok() && asked[0].any() == Some(true)
}

/// The same pipe, but opened by ourselves: that it does not block concerns only this process then, while the end that a
/// client gave away may be one that it still has.
#[cfg(target_os = "linux")]
pub(super) fn reopened(pipe: BorrowedFd<'_>) -> Option<std::fs::File> {
    use std::{
        fs::{self, OpenOptions},
        os::{
            fd::AsRawFd as _,
            unix::fs::{FileTypeExt as _, OpenOptionsExt as _},
        },
    };

    let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    if !fs::metadata(&path).ok()?.file_type().is_fifo() {
        return None;
    }
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(OFlag::O_NONBLOCK.bits());
    options.open(path).ok()
}

/// Only Linux opens a pipe anew.
#[cfg(not(target_os = "linux"))]
pub(super) fn reopened(_: BorrowedFd<'_>) -> Option<std::fs::File> {
    None
}

/// Lets a pipe hold most messages as a whole. Where it holds a part, its two ends wake each other up for each part, and
/// that takes longer than to read it.
#[cfg(target_os = "linux")]
pub(super) fn widen(pipe: &impl AsFd) {
    const WIDE: i32 = 256 << 10;
    // What is not a pipe cannot be widened, nor can one be where all pipes together take too much.
    let _ = fcntl(pipe.as_fd(), FcntlArg::F_SETPIPE_SZ(WIDE));
}

/// Elsewhere pipes grow by themselves.
#[cfg(not(target_os = "linux"))]
pub(super) fn widen(_: &impl AsFd) {}

#[cfg(test)]
#[path = "nonblocking_tests.rs"]
mod tests;
