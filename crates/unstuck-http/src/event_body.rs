//! A server's stream of events on its way to a client: each is looked at and passed on as it comes.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming};

use crate::{
    memory::{Held, Loaded, Memory},
    reply::Failure,
    sse::{Event, Events},
};

/// Decides about the events of a stream.
pub trait EventFilter: Send + Unpin + 'static {
    /// What the client gets for an event, as [`Event::write`] writes it; `None` for nothing.
    fn event(&mut self, event: &Event) -> Option<Vec<u8>>;

    /// The server sends nothing more, or nothing more of it is read.
    fn ended(&mut self);

    /// What the client gets last where the stream is not read to its end. [`Self::ended`] was called before.
    fn stopped(&mut self, why: Stopped) -> Option<Vec<u8>>;
}

/// Why a stream is not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// An event is longer than may be read.
    TooLong,
    /// Other messages use all memory.
    NoMemory,
}

/// A server's stream of events, filtered.
///
/// The client reads as fast as it likes, and nothing is read from the server that the client has not asked for. When
/// the client goes, this is dropped, and the connection to the server with it.
pub struct EventBody<F> {
    server: Incoming,
    events: Events,
    filter: F,
    end: End,
    /// Memory for what was read and not yet passed on.
    held: Held,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    NotYet,
    Reached,
}

impl<F: EventFilter> EventBody<F> {
    /// Filters this stream, whose events have at most so many bytes.
    pub fn new(server: Incoming, filter: F, longest: usize, memory: &Memory) -> Self {
        Self {
            server,
            events: Events::new(longest),
            filter,
            end: End::NotYet,
            held: memory.nothing(),
        }
    }

    /// The next event for the client, if it has arrived.
    fn next(&mut self) -> Option<Bytes> {
        loop {
            let Ok(event) = self.events.next_event() else {
                return self.stop(Stopped::TooLong);
            };
            let Some(event) = event else {
                let unread = self.events.unread();
                self.held.shrink_to(unread);
                if !self.held.grow(unread - self.held.bytes()) {
                    return self.stop(Stopped::NoMemory);
                }
                return None;
            };
            if let Some(bytes) = self.filter.event(&event) {
                // Its memory is free again when it is written.
                let held = self.held.split(bytes.len());
                return Some(Loaded { bytes, held }.into_bytes());
            }
        }
    }

    /// Ends the stream.
    fn stop(&mut self, why: Stopped) -> Option<Bytes> {
        self.end = End::Reached;
        self.filter.ended();
        self.filter.stopped(why).map(Bytes::from)
    }
}

impl<F: EventFilter> Body for EventBody<F> {
    type Data = Bytes;
    type Error = Failure;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Failure>>> {
        let this = self.get_mut();
        loop {
            if this.end == End::Reached {
                return Poll::Ready(None);
            }
            if let Some(event) = this.next() {
                return Poll::Ready(Some(Ok(Frame::data(event))));
            }
            if this.end == End::Reached {
                return Poll::Ready(None);
            }
            match ready!(Pin::new(&mut this.server).poll_frame(context)) {
                Some(Ok(frame)) => {
                    if let Ok(bytes) = frame.into_data() {
                        this.events.push(&bytes);
                    }
                }
                Some(Err(error)) => {
                    this.filter.ended();
                    return Poll::Ready(Some(Err(error.into())));
                }
                // What is left is not a whole event, and clients would throw it away.
                None => {
                    this.filter.ended();
                    this.end = End::Reached;
                }
            }
        }
    }
}
