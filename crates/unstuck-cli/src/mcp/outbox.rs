//! What goes to one side: put in by the thread that judges, written by that one or by the one that helps it.

use std::{
    io::{self, Write},
    mem,
    os::fd::{AsFd, BorrowedFd},
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use unstuck_session::sync::{lock, try_lock};

use super::{judge::FULL, outlet::Outlet};

/// Messages for one side. Whoever has time writes them, in the order in which they came.
///
/// One thread puts them in, and nobody ever waits for a reader.
pub(super) struct Outbox<W> {
    /// What nobody has begun to write. Its lock is not held while something is written.
    letters: Mutex<Vec<u8>>,
    pen: Mutex<Pen<W>>,
    /// Bytes of the letters.
    put_in: AtomicUsize,
    /// Bytes that somebody writes, or that a reader did not take yet.
    begun: AtomicUsize,
    /// Nobody reads any more.
    is_broken: AtomicBool,
}

/// What one has to have in order to write.
pub(super) struct Pen<W> {
    /// Until it is closed.
    outlet: Option<Outlet<W>>,
    /// The letters that are being written.
    letters: Vec<u8>,
}

impl<W: Write + AsFd> Outbox<W> {
    pub(super) fn new(outlet: Outlet<W>) -> Self {
        Self {
            letters: Mutex::default(),
            pen: Mutex::new(Pen {
                outlet: Some(outlet),
                letters: Vec::new(),
            }),
            put_in: AtomicUsize::new(0),
            begun: AtomicUsize::new(0),
            is_broken: AtomicBool::new(false),
        }
    }

    /// How many bytes are not written yet.
    pub(super) fn len(&self) -> usize {
        // In this order: what is begun meanwhile counts twice rather than not at all.
        let put_in = self.put_in.load(Ordering::Acquire);
        put_in + self.begun.load(Ordering::Acquire)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nobody reads any more what is written.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Acquire)
    }

    /// Whether there is something that nobody has begun to write.
    fn has_letters(&self) -> bool {
        self.put_in.load(Ordering::Acquire) > 0
    }

    /// Puts in what somebody is to write.
    pub(super) fn put(&self, bytes: &[u8]) {
        let mut letters = lock(&self.letters);
        letters.extend_from_slice(bytes);
        self.put_in.store(letters.len(), Ordering::Release);
    }

    /// Writes all there is, as far as that goes without waiting for a reader.
    pub(super) fn send(&self, bytes: &[u8]) {
        let mut pen = lock(&self.pen);
        self.write_letters(&mut pen);
        self.write(&mut pen, |outlet, _| outlet.send(bytes));
    }

    /// Writes what was put in, as far as that goes without waiting for a reader.
    pub(super) fn deliver(&self) {
        self.write_letters(&mut lock(&self.pen));
    }

    /// The same, unless somebody else is writing.
    pub(super) fn try_deliver(&self) {
        if self.has_letters()
            && let Some(mut pen) = try_lock(&self.pen)
        {
            self.write_letters(&mut pen);
        }
    }

    /// Writes what a reader did not take before.
    pub(super) fn flush(&self) {
        self.write(&mut lock(&self.pen), |outlet, _| outlet.flush());
    }

    /// Whom to ask when more can be written, if a reader did not take everything.
    pub(super) fn lagging(&self) -> Option<MutexGuard<'_, Pen<W>>> {
        Some(lock(&self.pen)).filter(|pen| pen.lags())
    }

    /// The same, unless somebody else is writing.
    pub(super) fn try_lagging(&self) -> Option<MutexGuard<'_, Pen<W>>> {
        if self.begun.load(Ordering::Acquire) == 0 {
            return None;
        }
        try_lock(&self.pen).filter(|pen| pen.lags())
    }

    /// Closes it. What was not written is lost.
    pub(super) fn close(&self) {
        let mut pen = lock(&self.pen);
        pen.outlet = None;
        self.begun.store(0, Ordering::Release);
        lock(&self.letters).clear();
        self.put_in.store(0, Ordering::Release);
    }

    fn write_letters(&self, pen: &mut Pen<W>) {
        if !self.has_letters() {
            return;
        }
        {
            let mut letters = lock(&self.letters);
            mem::swap(&mut *letters, &mut pen.letters);
            self.begun.fetch_add(pen.letters.len(), Ordering::Release);
            self.put_in.store(0, Ordering::Release);
        }
        self.write(pen, Outlet::send);
        pen.letters.clear();
        pen.letters.shrink_to(FULL);
    }

    fn write(&self, pen: &mut Pen<W>, write: impl FnOnce(&mut Outlet<W>, &[u8]) -> io::Result<()>) {
        let Pen { outlet, letters } = pen;
        let left = match outlet {
            Some(to) => write(to, letters).map(|()| to.len()),
            None => Ok(0),
        };
        if left.is_err() {
            *outlet = None;
            self.is_broken.store(true, Ordering::Release);
        }
        self.begun.store(left.unwrap_or(0), Ordering::Release);
    }
}

impl<W: Write + AsFd> Pen<W> {
    fn lags(&self) -> bool {
        self.outlet.as_ref().is_some_and(|to| !to.is_empty())
    }

    pub(super) fn as_fd(&self) -> Option<BorrowedFd<'_>> {
        self.outlet.as_ref().map(Outlet::as_fd)
    }
}

#[cfg(test)]
#[path = "outbox_tests.rs"]
mod tests;
