//! Calls that were judged: put on record, and only then passed on.

use std::{
    io::Write,
    mem,
    os::fd::AsFd,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
};

use unstuck_session::sync::{lock, try_lock};

use super::{judge::Batch, outbox::Outbox, shared::Shared};

/// Messages of a client that were judged. Whoever has time records them and passes them on, in the order in which they came.
///
/// One thread hands them in.
pub(super) struct Recorder<'a> {
    shared: &'a Shared,
    /// What nobody has begun to record. Its lock is not held while something is recorded.
    judged: Mutex<Batch>,
    /// What somebody is recording.
    desk: Mutex<Batch>,
    /// The bytes of both, and one more for each batch: one from which nothing is passed on is recorded as well.
    len: AtomicUsize,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(shared: &'a Shared) -> Self {
        Self {
            shared,
            judged: Mutex::default(),
            desk: Mutex::default(),
            len: AtomicUsize::new(0),
        }
    }

    /// About how many bytes are to be recorded or passed on.
    pub(super) fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes over what was judged.
    pub(super) fn take(&self, batch: &mut Batch) {
        let mut judged = lock(&self.judged);
        self.len.fetch_add(batch.len() + 1, Ordering::AcqRel);
        judged.append(batch);
    }

    /// Records what was taken over, and passes it on.
    pub(super) fn settle(
        &self,
        to_client: &Outbox<impl Write + AsFd>,
        to_server: &Outbox<impl Write + AsFd>,
    ) {
        if !self.is_empty() {
            self.record(lock(&self.desk), to_client, to_server);
        }
    }

    /// The same, unless somebody else is at it.
    pub(super) fn try_settle(
        &self,
        to_client: &Outbox<impl Write + AsFd>,
        to_server: &Outbox<impl Write + AsFd>,
    ) {
        if !self.is_empty()
            && let Some(desk) = try_lock(&self.desk)
        {
            self.record(desk, to_client, to_server);
        }
    }

    fn record(
        &self,
        mut batch: MutexGuard<'_, Batch>,
        to_client: &Outbox<impl Write + AsFd>,
        to_server: &Outbox<impl Write + AsFd>,
    ) {
        let len = {
            let mut judged = lock(&self.judged);
            mem::swap(&mut *judged, &mut *batch);
            self.len()
        };
        if len == 0 {
            return;
        }
        batch.record(self.shared);
        if !batch.to_server.is_empty() {
            to_server.send(&batch.to_server);
        }
        if !batch.to_client.is_empty() {
            to_client.send(&batch.to_client);
        }
        batch.clear();
        // Whoever asks finds it here or there, and never in between.
        self.len.fetch_sub(len, Ordering::AcqRel);
    }
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
