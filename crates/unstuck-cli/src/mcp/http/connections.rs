//! The open connections: how many there are, and which of them must make room.
//!
//! A connection is a stranger until one of its requests has passed the gate. Strangers have half of the places and little
//! time. Where no place is left, the stranger that has waited longest is closed, then the known connection that has been
//! idle longest, then one that has been sending its body for long. A connection whose request is being answered is never
//! closed for another.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::Notify;
use unstuck_session::sync::lock;

/// A body that takes longer to arrive can be closed for a new connection.
const LONG_BODY: Duration = Duration::from_secs(5);

/// All open connections.
pub(super) struct Connections {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// Connections that were admitted and neither ended nor were closed for another.
    count: usize,
    /// Those that wait for their client, in the order in which they are closed.
    waiting: BTreeMap<Key, Arc<Notify>>,
    /// Strangers among them.
    strangers: usize,
    /// Number of the next connection.
    next: u64,
}

type Key = (Class, Instant, u64);

/// What a connection waits for. The first is closed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// The head of a request; none has passed the gate yet.
    Stranger,
    /// The head of another request.
    Known,
    /// The body of a request that has passed the gate.
    Body,
}

impl Connections {
    pub(super) fn new(most: usize) -> Arc<Self> {
        let open = Mutex::default();
        Arc::new(Self { most, open })
    }

    /// Makes a place for a new connection. `None` if there is none.
    pub(super) fn admit(self: &Arc<Self>) -> Option<Arc<Connection>> {
        let mut open = lock(&self.open);
        let now = Instant::now();
        if open.strangers >= (self.most / 2).max(1) || open.count >= self.most {
            open.close_first(now);
        }
        if open.count >= self.most {
            return None;
        }
        open.count += 1;
        open.next += 1;
        let connection = Arc::new(Connection {
            number: open.next,
            all: Arc::clone(self),
            close: Arc::new(Notify::new()),
            key: Mutex::default(),
            is_known: AtomicBool::new(false),
        });
        let key = (Class::Stranger, now, open.next);
        open.add(key, &connection.close);
        *lock(&connection.key) = Some(key);
        drop(open);
        Some(connection)
    }
}

impl Open {
    fn add(&mut self, key: Key, close: &Arc<Notify>) {
        self.strangers += usize::from(key.0 == Class::Stranger);
        self.waiting.insert(key, Arc::clone(close));
    }

    fn remove(&mut self, key: &Key) -> Option<Arc<Notify>> {
        let removed = self.waiting.remove(key)?;
        self.strangers -= usize::from(key.0 == Class::Stranger);
        Some(removed)
    }

    /// Closes the connection that comes first, if one may be closed.
    fn close_first(&mut self, now: Instant) {
        let Some((&key, _)) = self.waiting.first_key_value() else {
            return;
        };
        if key.0 == Class::Body && now.duration_since(key.1) < LONG_BODY {
            return;
        }
        if let Some(close) = self.remove(&key) {
            self.count -= 1;
            close.notify_one();
        }
    }
}

/// One open connection.
pub(super) struct Connection {
    number: u64,
    all: Arc<Connections>,
    close: Arc<Notify>,
    /// Where it stands among those that wait; `None` while a request is answered.
    key: Mutex<Option<Key>>,
    is_known: AtomicBool,
}

impl Connection {
    /// Waits until it is to be closed for another one.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }

    /// Whether a request has passed the gate.
    pub(super) fn is_known(&self) -> bool {
        self.is_known.load(Ordering::Relaxed)
    }

    /// A request has passed the gate.
    pub(super) fn set_known(&self) {
        self.is_known.store(true, Ordering::Relaxed);
    }

    /// A request is being answered. False if the connection was just closed for another one.
    pub(super) fn answers(&self) -> bool {
        let mut key = lock(&self.key);
        let Some(old) = key.take() else { return true };
        let stays = lock(&self.all.open).remove(&old).is_some();
        if !stays {
            // It no longer has a place, and must not give one back.
            *key = Some(old);
        }
        stays
    }

    /// The body of a request is being read.
    pub(super) fn reads_body(&self) {
        self.wait(Class::Body);
    }

    /// A request was answered.
    fn is_idle(&self) {
        self.wait(if self.is_known() {
            Class::Known
        } else {
            Class::Stranger
        });
    }

    fn wait(&self, class: Class) {
        let mut key = lock(&self.key);
        if key.is_none() {
            let new = (class, Instant::now(), self.number);
            lock(&self.all.open).add(new, &self.close);
            *key = Some(new);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let key = lock(&self.key).take();
        let mut open = lock(&self.all.open);
        // Whatever waits and is not in the list was closed for another, which has its place.
        if key.is_none_or(|key| open.remove(&key).is_some()) {
            open.count -= 1;
        }
    }
}

/// Held until an answer is written: then its connection is idle.
pub(super) struct Answering(pub(super) Arc<Connection>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.is_idle();
    }
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
