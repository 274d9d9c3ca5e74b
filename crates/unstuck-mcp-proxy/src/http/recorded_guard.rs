//! A guard whose audit is written by a thread of its own, so that no thread that carries messages waits for a file.

use std::{
    ops::Deref,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread::{self, JoinHandle},
};

use anyhow::{Context as _, Result};
use tokio::sync::oneshot;
use unstuck::Json;
use unstuck_audit::Extent;
use unstuck_mcp::{Guard, Id, Lost, Message, Origin, Refusal, Ticket, ToClient, ToServer};
use unstuck_session::sync::lock;

use crate::SharedGuard;

/// Lines that may wait until another call is recorded, or [`RecordedGuard::catch_up`] is called.
const MOST_UNRECORDED: usize = 1_024;

/// A guard, and the thread that writes its audit.
///
/// Calls wait for their line before they are passed on, and several are written at once. Other messages wait for nothing,
/// and neither do answers: that the call was passed on is on record, and how it ended is recorded with the next call or
/// within a tenth of a second.
pub(super) struct RecordedGuard {
    shared: Arc<SharedGuard>,
    orders: Arc<Orders>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// A call that was judged, and must be on record before it is passed on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unrecorded {
    ticket: Ticket,
    /// How often the audit had failed before the call was judged.
    failures: u64,
}

/// What the thread is asked to write.
#[derive(Debug, Default)]
struct Orders {
    open: Mutex<Order>,
    came: Condvar,
}

#[derive(Debug, Default)]
struct Order {
    extent: Option<Extent>,
    /// Calls that wait until their lines are written.
    waiting: Vec<oneshot::Sender<()>>,
    /// Whether the thread has nothing to do, and must be woken.
    idle: bool,
    ended: bool,
}

impl RecordedGuard {
    /// Starts the thread that writes.
    pub(super) fn start(shared: SharedGuard) -> Result<Self> {
        let shared = Arc::new(shared);
        let orders = Arc::new(Orders::default());
        let (writing, known) = (Arc::clone(&shared), Arc::clone(&orders));
        let writer = thread::Builder::new()
            .name("audit".to_owned())
            .spawn(move || write(&writing, &known))
            .context("cannot start a thread for the audit")?;
        Ok(Self {
            shared,
            orders,
            writer: Mutex::new(Some(writer)),
        })
    }

    /// Judges a client's message. A call is not on record yet: it is passed on once [`recorded`](Self::recorded) says so.
    pub(super) fn judge_client(
        &self,
        origin: Origin<'_>,
        message: Result<Message<'_>, Refusal>,
        body: &[u8],
    ) -> (ToServer, Option<Unrecorded>) {
        self.release.passed(body.len());
        let failures = self.failures();
        let said = self.judge_client_line(origin, message, body);
        let ToServer::ForwardCall(ticket) = said else {
            self.order_soon();
            return (said, None);
        };
        (said, Some(Unrecorded { ticket, failures }))
    }

    /// Waits until a call is on record. Returns the answer for the client if it could not be recorded and must not run.
    pub(super) async fn recorded(
        &self,
        origin: Origin<'_>,
        call: Unrecorded,
    ) -> Result<(), ToServer> {
        let (done, written) = oneshot::channel();
        self.orders.add(Extent::Lines, Some(done));
        // Without an answer the thread has ended, and nothing was written.
        let is_written = written.await.is_ok();
        if is_written && self.may_run(call.failures) {
            return Ok(());
        }
        let now = self.now();
        let revoke = |guard: &mut Guard| guard.unaudited(call.ticket, now);
        let said = self.guard().within(origin, revoke);
        self.order_soon();
        Err(said)
    }

    /// Judges and records a server's message.
    pub(super) fn judge_server(
        &self,
        origin: Origin<'_>,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
    ) -> ToClient {
        self.release.passed(line.len());
        let said = self.judge_server_line(origin, message, line);
        self.order_soon();
        said
    }

    /// Whether a request with this id waits for its answer.
    pub(super) fn waits_for(&self, origin: Origin<'_>, id: &Id<'_>) -> bool {
        self.guard().within(origin, |guard| guard.waits_for(id))
    }

    /// Records an answer of so many bytes that no request waits for.
    pub(super) fn unasked(&self, bytes: usize) {
        let now = self.now();
        self.guard().unasked(bytes, now);
        self.order_soon();
    }

    /// Records that a call will never be answered, if it was not.
    pub(super) fn lost(&self, origin: Origin<'_>, id: &Json, lost: Lost) {
        let now = self.now();
        self.guard()
            .within(origin, |guard| guard.lost(id, lost, now));
        self.order_soon();
    }

    /// Records that nothing that waits within this scope will be answered.
    pub(super) fn close_scope(&self, scope: &str) {
        let now = self.now();
        self.guard().close_scope(scope, now);
        self.order_soon();
    }

    /// Has everything recorded that waits for it, and gives memory back. To be called often.
    pub(super) fn catch_up(&self) {
        self.tick();
        self.orders.add(Extent::LinesAndHead, None);
    }

    /// Records what is left, once no more messages come.
    pub(super) fn close(&self) {
        lock(&self.orders.open).ended = true;
        self.orders.came.notify_one();
        let writer = lock(&self.writer).take();
        // A thread that panicked has nothing more to write.
        writer.map(JoinHandle::join);
        self.shared.close();
    }

    /// Has lines written at once if there are many. Else they are written with those of the next call.
    fn order_soon(&self) {
        let unrecorded = self.guard().journal().len();
        if unrecorded >= MOST_UNRECORDED {
            self.orders.add(Extent::Lines, None);
        }
    }
}

impl Deref for RecordedGuard {
    type Target = SharedGuard;

    fn deref(&self) -> &SharedGuard {
        &self.shared
    }
}

impl Orders {
    fn add(&self, extent: Extent, done: Option<oneshot::Sender<()>>) {
        let mut order = lock(&self.open);
        // After its end, `done` is dropped, and the call is not passed on.
        if order.ended {
            return;
        }
        order.extent = match (order.extent, extent) {
            (Some(Extent::LinesAndHead), _) => Some(Extent::LinesAndHead),
            (_, extent) => Some(extent),
        };
        order.waiting.extend(done);
        let must_wake = std::mem::take(&mut order.idle);
        drop(order);
        if must_wake {
            self.came.notify_one();
        }
    }

    /// Waits for the next order. `None` at the end.
    fn next(&self) -> Option<(Extent, Vec<oneshot::Sender<()>>)> {
        let mut order = lock(&self.open);
        loop {
            if let Some(extent) = order.extent.take() {
                return Some((extent, std::mem::take(&mut order.waiting)));
            }
            if order.ended {
                return None;
            }
            order.idle = true;
            let woken = self.came.wait(order);
            order = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Writes what is ordered. The lines of a call are in the journal before it is ordered, so they are among those written.
fn write(shared: &SharedGuard, orders: &Orders) {
    while let Some((extent, waiting)) = orders.next() {
        shared.record(extent);
        for done in waiting {
            // The client may be gone.
            let _ = done.send(());
        }
    }
}

#[cfg(test)]
#[path = "recorded_guard_tests.rs"]
mod tests;
