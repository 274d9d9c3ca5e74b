//! Gives the memory of long messages back to the system.
//!
//! The allocator keeps what was freed for a second, and after that gives it back only when much else is freed or a thread
//! ends. A proxy that has passed on one long message and many short ones would keep several times its length. A thread
//! that takes memory, gives it back and ends is the way to ask for it without unsafe code.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use unstuck_session::sync::lock;

/// A message from this size on is long.
const LONG: usize = 1 << 20;

/// When memory is given back after a long message, in seconds. The allocator waits for one second, and a client or server
/// that reads slowly holds its message for longer.
const DELAYS: [u64; 6] = [2, 3, 5, 8, 15, 30];

/// Bytes that are taken and given back at once, which makes the allocator look at what else was freed.
const WAKE: usize = 16 << 20;

/// Remembers that long messages have passed.
#[derive(Debug, Default)]
pub(super) struct Release {
    has_passed: AtomicBool,
    /// When memory is given back next.
    due: Mutex<Vec<Instant>>,
}

impl Release {
    /// A message of this size has passed.
    pub(super) fn passed(&self, bytes: usize) {
        if bytes >= LONG {
            self.has_passed.store(true, Ordering::Relaxed);
        }
    }

    /// Gives memory back if it is time for that. To be called often.
    pub(super) fn tick(&self) {
        let now = Instant::now();
        if self.has_passed.swap(false, Ordering::Relaxed) {
            *lock(&self.due) = DELAYS
                .iter()
                .rev()
                .map(|delay| now + Duration::from_secs(*delay))
                .collect();
        }
        let is_due = {
            let mut due = lock(&self.due);
            due.pop_if(|due| *due <= now).is_some()
        };
        if is_due {
            // Where no thread can be had, memory comes back later.
            let _ = thread::Builder::new()
                .spawn(|| drop(std::hint::black_box(Vec::<u8>::with_capacity(WAKE))));
        }
    }
}
