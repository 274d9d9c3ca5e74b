//! A server's stream of events on its way to a client: each is judged and passed on as it comes.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use hyper::{
    HeaderMap,
    body::{Body, Frame, Incoming},
};
use unstuck_mcp::ToClient;

use super::{
    exchange::{Came, Exchange},
    memory::{Held, Loaded},
    reply::{Failure, fault},
    sse::{self, Events},
};

/// The client reads as fast as it likes, and nothing is read from the server that the client has not asked for. When
/// the client goes, this is dropped, and the connection to the server with it.
pub(super) struct Judged {
    server: Incoming,
    events: Events,
    exchange: Exchange,
    /// The headers of what the server is told in the client's place.
    back: HeaderMap,
    end: End,
    /// Memory for what was read and not yet passed on.
    held: Held,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    NotYet,
    Reached,
}

impl Judged {
    pub(super) fn new(server: Incoming, exchange: Exchange, back: HeaderMap) -> Self {
        Self {
            server,
            events: Events::new(exchange.server.longest),
            held: exchange.server.memory.nothing(),
            exchange,
            back,
            end: End::NotYet,
        }
    }

    /// The next event for the client, if it has arrived.
    fn next(&mut self) -> Option<Bytes> {
        loop {
            let Ok(event) = self.events.next() else {
                return self.give_up("the server's answer was longer than may be read");
            };
            let Some(event) = event else {
                let unread = self.events.unread();
                self.held.shrink_to(unread);
                if !self.held.grow(unread - self.held.bytes()) {
                    return self.give_up(
                        "the server's answer was not read, because other messages use all memory",
                    );
                }
                return None;
            };
            if event.has_id() {
                self.exchange.may_come_later();
            }
            let Some(message) = event.message() else {
                return Some(self.loaded(event.write(None)));
            };
            match self.exchange.judge(message, Came::OnStream) {
                ToClient::Forward => return Some(self.loaded(event.write(Some(message)))),
                ToClient::Replace(message) => {
                    return Some(self.loaded(event.write(Some(&message))));
                }
                ToClient::Answer(refusal) => self.exchange.server.tell(&self.back, refusal),
                // The audit has it.
                _ => {}
            }
        }
    }

    /// An event for the client, with memory that is free again when it is written.
    fn loaded(&mut self, bytes: Vec<u8>) -> Bytes {
        let held = self.held.split(bytes.len());
        Loaded { bytes, held }.into_bytes()
    }

    /// Ends the stream with an error for the client.
    fn give_up(&mut self, why: &str) -> Option<Bytes> {
        self.end = End::Reached;
        self.exchange.server_is_done();
        let id = self.exchange.raw_id()?;
        Some(sse::event(&fault(Some(id), why)).into())
    }
}

impl Body for Judged {
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
                    this.exchange.server_is_done();
                    return Poll::Ready(Some(Err(error.into())));
                }
                // What is left is no whole event, and clients would throw it away.
                None => {
                    this.exchange.server_is_done();
                    this.end = End::Reached;
                }
            }
        }
    }
}
