//! A second thread, which records and writes what the first one has judged while that judges on.
//!
//! To write to somebody who sleeps on another core is to wake that core up, and can take as long as to judge several calls.
//! Who runs on that other core already wakes up others there for next to nothing.

use std::{
    io::Write,
    num::NonZero,
    os::fd::AsFd,
    sync::atomic::{AtomicU8, Ordering},
    thread::{self, Scope, Thread},
};

use super::{
    guard_handle::SharedGuard, nonblocking::NonBlockingWriter, outbox::Outbox, recorder::Recorder,
};

/// So many times in a row something came while it was looked for: then it pays to have somebody beside.
const STEADY: u32 = 8;

/// Where the helper is.
const RESTING: u8 = 0;
const CALLED: u8 = 1;
const HERE: u8 = 2;
const DISMISSED: u8 = 3;

/// How many threads may carry messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hands {
    One,
    Two,
}

impl Hands {
    /// As many as this process has cores for.
    pub(super) fn for_cores() -> Self {
        match thread::available_parallelism().map(NonZero::get) {
            Ok(2..) => Self::Two,
            _ => Self::One,
        }
    }
}

/// What the two threads have in common.
pub(super) struct Desk<'a, A, I> {
    pub(super) calls: Recorder<'a>,
    pub(super) to_client: Outbox<A>,
    pub(super) to_server: Outbox<I>,
    helper: AtomicU8,
}

impl<'a, A, I> Desk<'a, A, I>
where
    A: Write + AsFd,
    I: Write + AsFd,
{
    pub(super) fn new(
        shared: &'a SharedGuard,
        to_client: NonBlockingWriter<A>,
        to_server: NonBlockingWriter<I>,
    ) -> Self {
        Self {
            calls: Recorder::new(shared),
            to_client: Outbox::new(to_client),
            to_server: Outbox::new(to_server),
            helper: AtomicU8::new(RESTING),
        }
    }

    /// Records and writes what there is.
    pub(super) fn deliver(&self) {
        self.calls.settle(&self.to_client, &self.to_server);
        self.to_server.deliver();
        self.to_client.deliver();
    }

    /// The same, except for what somebody else is at.
    pub(super) fn try_deliver(&self) {
        self.calls.try_settle(&self.to_client, &self.to_server);
        self.to_server.try_deliver();
        self.to_client.try_deliver();
    }

    /// What the helper does until it is dismissed.
    fn help(&self) {
        loop {
            match self.helper.load(Ordering::Acquire) {
                DISMISSED => return,
                RESTING => thread::park(),
                here => {
                    if here == CALLED {
                        // Unless it is sent away again at this moment.
                        let _ = self.to(CALLED, HERE);
                    }
                    self.try_deliver();
                    // Whom it just woke up may need this very core.
                    thread::yield_now();
                }
            }
        }
    }

    fn to(&self, from: u8, to: u8) -> Result<u8, u8> {
        self.helper
            .compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire)
    }
}

/// The second thread, for the first one to call.
pub(super) struct Helper<'scope, 'env, A, I> {
    desk: &'env Desk<'env, A, I>,
    hands: Hands,
    scope: &'scope Scope<'scope, 'env>,
    /// Once it was needed.
    thread: Option<Thread>,
    /// How often in a row something came while it was looked for.
    streak: u32,
}

impl<'scope, 'env, A, I> Helper<'scope, 'env, A, I>
where
    A: Write + AsFd + Send,
    I: Write + AsFd + Send,
{
    pub(super) fn new(
        desk: &'env Desk<'env, A, I>,
        hands: Hands,
        scope: &'scope Scope<'scope, 'env>,
    ) -> Self {
        Self {
            desk,
            hands,
            scope,
            thread: None,
            streak: 0,
        }
    }

    /// Whether it sees to what is handed over.
    pub(super) fn is_here(&self) -> bool {
        self.desk.helper.load(Ordering::Acquire) == HERE
    }

    #[cfg(test)]
    fn is_wanted(&self) -> bool {
        matches!(self.desk.helper.load(Ordering::Acquire), CALLED | HERE)
    }

    /// Something came while it was looked for.
    pub(super) fn count(&mut self) {
        self.streak = self.streak.saturating_add(1);
        if self.streak == STEADY && self.hands == Hands::Two {
            self.desk.helper.store(CALLED, Ordering::Release);
            self.wake();
        }
    }

    fn wake(&mut self) {
        if let Some(thread) = &self.thread {
            thread.unpark();
            return;
        }
        let desk = self.desk;
        let started = thread::Builder::new().spawn_scoped(self.scope, || desk.help());
        // Where no thread can be had it never comes, and whoever called does it all.
        self.thread = started.ok().map(|handle| handle.thread().clone());
    }

    /// Nothing came for a while.
    pub(super) fn rest(&mut self) {
        if self.streak >= STEADY {
            self.desk.helper.store(RESTING, Ordering::Release);
        }
        self.streak = 0;
    }
}

impl<A, I> Drop for Helper<'_, '_, A, I> {
    fn drop(&mut self) {
        self.desk.helper.store(DISMISSED, Ordering::Release);
        if let Some(thread) = &self.thread {
            thread.unpark();
        }
    }
}

#[cfg(test)]
#[path = "helper_tests.rs"]
mod tests;
