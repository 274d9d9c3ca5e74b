//! What waits for one client that reads a process' messages: bounded in messages and in bytes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::mpsc::{self, error::TrySendError};

use unstuck_http::Loaded;

/// Messages that may wait for a process, and for a client.
pub(super) const QUEUE: usize = 1_024;

/// How often a full queue is looked at.
const TICK: Duration = Duration::from_millis(2);

/// A message for a client.
#[derive(Debug)]
pub(super) enum ForClient {
    /// The answer; nothing follows.
    Answer(Loaded),
    /// Something else on the way to it.
    Message(Loaded),
}

impl ForClient {
    pub(super) fn loaded(self) -> Loaded {
        match self {
            Self::Answer(loaded) | Self::Message(loaded) => loaded,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Answer(loaded) | Self::Message(loaded) => loaded.bytes.len(),
        }
    }
}

/// A queue for one client. A single message of any length fits; beyond that `share` bytes may wait.
pub(super) fn queue(share: usize) -> (Sender, Receiver) {
    let (to, from) = mpsc::channel(QUEUE);
    let waiting = Arc::new(AtomicUsize::new(0));
    let sender = Sender {
        to,
        waiting: Arc::clone(&waiting),
        share,
    };
    (sender, Receiver { from, waiting })
}

/// The end of a queue that a process' messages are put in.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    to: mpsc::Sender<ForClient>,
    /// Bytes in the queue.
    waiting: Arc<AtomicUsize>,
    share: usize,
}

/// Why a message is not in the queue.
#[derive(Debug)]
pub(super) enum NotSent {
    /// The client does not read.
    Full(ForClient),
    /// The client is gone.
    Closed(ForClient),
}

impl Sender {
    pub(super) fn is_closed(&self) -> bool {
        self.to.is_closed()
    }

    pub(super) fn try_send(&self, heard: ForClient) -> Result<(), NotSent> {
        let length = heard.len();
        let waiting = self.waiting.load(Ordering::Acquire);
        if waiting > 0 && waiting.saturating_add(length) > self.share && !self.is_closed() {
            return Err(NotSent::Full(heard));
        }
        self.waiting.fetch_add(length, Ordering::AcqRel);
        self.to.try_send(heard).map_err(|error| {
            self.waiting.fetch_sub(length, Ordering::AcqRel);
            match error {
                TrySendError::Full(heard) => NotSent::Full(heard),
                TrySendError::Closed(heard) => NotSent::Closed(heard),
            }
        })
    }

    /// Waits for room in the queue, so that the process is not read faster than the client reads.
    pub(super) fn send(&self, mut heard: ForClient, patience: Duration) -> Result<(), NotSent> {
        let began = Instant::now();
        loop {
            match self.try_send(heard) {
                Err(NotSent::Full(refused)) if began.elapsed() < patience => heard = refused,
                other => return other,
            }
            thread::sleep(TICK);
        }
    }
}

/// The end of a queue that a client reads.
#[derive(Debug)]
pub(super) struct Receiver {
    from: mpsc::Receiver<ForClient>,
    waiting: Arc<AtomicUsize>,
}

impl Receiver {
    pub(super) async fn recv(&mut self) -> Option<ForClient> {
        std::future::poll_fn(|context| self.poll_recv(context)).await
    }

    pub(super) fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<ForClient>> {
        let heard = ready!(self.from.poll_recv(context));
        if let Some(heard) = &heard {
            self.waiting.fetch_sub(heard.len(), Ordering::AcqRel);
        }
        Poll::Ready(heard)
    }
}
