//! Bytes of messages that are held at once: bodies that are read, and messages that wait to be written.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};

/// A message up to this size may use all of the memory; longer ones leave an eighth of it free for these.
const SMALL: usize = 64 << 10;

/// The number of bytes that all messages together may take.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Pool>);

#[derive(Debug)]
struct Pool {
    most: usize,
    held: AtomicUsize,
}

/// The smallest size of a pool for messages of this length: one of them, and a copy of it while it is judged.
pub fn least(longest: usize) -> usize {
    longest.saturating_mul(2).div_ceil(7).saturating_mul(8)
}

impl Memory {
    /// A pool of so many bytes.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Pool {
            most,
            held: AtomicUsize::new(0),
        }))
    }

    /// Bytes that may wait for one peer, unless it is a single message.
    pub fn share(&self) -> usize {
        self.0.most / 6
    }

    /// Takes so many bytes whether there are as many or not, for the few bytes of the proxy's own messages.
    pub fn hold_anyway(&self, bytes: usize) -> Held {
        self.0.held.fetch_add(bytes, Ordering::Relaxed);
        Held {
            memory: self.clone(),
            bytes,
        }
    }

    /// Holds nothing yet.
    pub fn nothing(&self) -> Held {
        Held {
            memory: self.clone(),
            bytes: 0,
        }
    }
}

/// Bytes that were taken. They are free again when this is dropped.
#[derive(Debug)]
pub struct Held {
    memory: Memory,
    bytes: usize,
}

impl Held {
    /// Number of bytes that are held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes so many more bytes, if there are as many.
    pub fn grow(&mut self, more: usize) -> bool {
        let pool = &self.memory.0;
        let kept_free = if self.bytes.saturating_add(more) <= SMALL {
            0
        } else {
            pool.most / 8
        };
        let most = pool.most - kept_free;
        let taken = pool
            .held
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
                held.checked_add(more).filter(|held| *held <= most)
            });
        if taken.is_ok() {
            self.bytes += more;
        }
        taken.is_ok()
    }

    /// Gives all but so many bytes back.
    pub fn shrink_to(&mut self, bytes: usize) {
        drop(self.split(self.bytes.saturating_sub(bytes)));
    }

    /// Divides what is held; the new part has at most so many bytes.
    #[must_use]
    pub fn split(&mut self, bytes: usize) -> Self {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        Self {
            memory: self.memory.clone(),
            bytes,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.memory.0.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A message with the memory that it takes.
#[derive(Debug)]
pub struct Loaded<B = Vec<u8>> {
    /// The message.
    pub bytes: B,
    /// Its memory.
    pub held: Held,
}

impl Loaded {
    /// A short message of the proxy's own.
    pub fn own(bytes: Vec<u8>, memory: &Memory) -> Self {
        let held = memory.hold_anyway(bytes.len());
        Self { bytes, held }
    }
}

impl<B: AsRef<[u8]> + Send + 'static> Loaded<B> {
    /// The message as it is sent; its memory is free again when the last of it is written.
    pub fn into_bytes(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

impl<B: AsRef<[u8]>> AsRef<[u8]> for Loaded<B> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It has more bytes than allowed.
    TooLong,
    /// The connection ended within it.
    BrokenOff,
    /// Other messages use all memory.
    NoMemory,
}

/// Reads a body. Memory is taken as it arrives: a length that is only announced must not keep others out. The system
/// gives out the pages of a buffer when they are written, so an announced length costs nothing either.
pub async fn collect(
    mut body: Incoming,
    longest: usize,
    memory: &Memory,
) -> Result<Loaded, Unread> {
    let expected = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if expected > longest {
        return Err(Unread::TooLong);
    }
    let mut held = memory.nothing();
    let mut bytes = Vec::with_capacity(expected);
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Unread::BrokenOff)?.into_data() else {
            continue;
        };
        let length = bytes.len() + data.len();
        if length > longest {
            return Err(Unread::TooLong);
        }
        let needed = if length > bytes.capacity() {
            // As a vector grows by itself, but not beyond what may be needed.
            (bytes.capacity() * 2).clamp(length, longest.max(length))
        } else {
            length
        };
        if !held.grow(needed.saturating_sub(held.bytes())) {
            return Err(Unread::NoMemory);
        }
        if needed > bytes.capacity() {
            bytes.reserve_exact(needed - bytes.len());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Loaded { bytes, held })
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
