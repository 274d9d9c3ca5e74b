//! One request: checked here, answered by a handler.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use hyper::{
    Response,
    body::{Frame, Incoming, SizeHint},
    header::TRANSFER_ENCODING,
    http::request::Parts,
};
use tokio::time::timeout;

use crate::{
    attempts::{Answer, Attempts},
    connections::{Answering, Connection},
    framing::Faults,
    gate::Gate,
    memory::{Loaded, Memory, Unread, collect},
    peer::Peer,
    refusal::Refusal,
    reply::{Body, Failure, Reply, last},
};

/// Answers the requests that pass the gate of a listener.
pub trait Handler: Send + Sync + 'static {
    /// Answers a request. A [`Refusal`] is answered by [`Self::refuse`].
    fn answer(&self, request: Request) -> impl Future<Output = Result<Reply, Refusal>> + Send;

    /// The body of a refusal, in the form of the protocol. The listener sets the status and further headers.
    fn refuse(&self, refusal: &Refusal) -> Reply;
}

/// A request that has passed the gate.
pub struct Request {
    /// Its head; [`Peer::of`] finds where it comes from.
    pub head: Parts,
    /// Its body, of which nothing was read yet.
    pub body: RequestBody,
}

/// The body of a request.
pub struct RequestBody {
    body: Incoming,
    visit: Arc<Visit>,
    memory: Memory,
    patience: Duration,
}

impl RequestBody {
    /// Reads the whole body, with bounds on its length, its time and the memory of all bodies.
    pub async fn read(self, longest: usize) -> Result<Loaded, Refusal> {
        let Self {
            body,
            visit,
            memory,
            patience,
        } = self;
        visit.connection.reads_body();
        let read = timeout(patience, collect(body, longest, &memory)).await;
        if !visit.connection.answers() {
            return Err(Refusal::TooManyConnections);
        }
        match read {
            Ok(Ok(body)) => Ok(body),
            Ok(Err(Unread::TooLong)) => Err(Refusal::BodyTooLong(longest)),
            Ok(Err(Unread::NoMemory)) => Err(Refusal::NoMemory),
            Ok(Err(Unread::BrokenOff)) => Err(Refusal::BrokenOff),
            Err(_) => Err(Refusal::Slow),
        }
    }
}

/// Everything that requests need.
pub(crate) struct Front<H> {
    pub(crate) gate: Gate,
    pub(crate) handler: Arc<H>,
    /// How long a body may take to arrive.
    pub(crate) patience: Duration,
    /// What all messages may take.
    pub(crate) memory: Memory,
    /// Requests without the right token.
    pub(crate) attempts: Arc<Attempts>,
}

/// The connection that a request came by.
pub(crate) struct Visit {
    pub(crate) faults: Faults,
    pub(crate) peer: Peer,
    pub(crate) connection: Arc<Connection>,
}

/// The body of an answer. Its connection is idle when this is dropped.
pub(crate) struct Answered {
    body: Body,
    _answering: Answering,
}

impl hyper::body::Body for Answered {
    type Data = Bytes;
    type Error = Failure;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Failure>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<H: Handler> Front<H> {
    pub(crate) async fn answer(
        self: Arc<Self>,
        request: hyper::Request<Incoming>,
        visit: Arc<Visit>,
    ) -> Result<Response<Answered>, Infallible> {
        let (head, body) = request.into_parts();
        let is_coded = head.headers.contains_key(TRANSFER_ENCODING);
        let answered = if visit.connection.answers() {
            self.serve(head, body, &visit).await
        } else {
            Err(Refusal::TooManyConnections)
        };
        let mut reply = match answered {
            Ok(reply) => reply,
            Err(refusal) => refusal.finish(self.handler.refuse(&refusal)),
        };
        if is_coded || visit.faults.get().is_some() {
            // What follows on this connection could be a part of this request to another program.
            reply = last(reply);
        }
        let answering = Answering(Arc::clone(&visit.connection));
        Ok(reply.map(|body| Answered {
            body,
            _answering: answering,
        }))
    }

    async fn serve(
        &self,
        head: Parts,
        body: Incoming,
        visit: &Arc<Visit>,
    ) -> Result<Reply, Refusal> {
        if let Some(fault) = visit.faults.get() {
            return Err(fault.into());
        }
        if let Err(refusal) = self.gate.check(&head) {
            return Err(self.count_failure(refusal, visit.peer));
        }
        visit.connection.set_known();
        let body = RequestBody {
            body,
            visit: Arc::clone(visit),
            memory: self.memory.clone(),
            patience: self.patience,
        };
        self.handler.answer(Request { head, body }).await
    }

    /// Counts a request without the right token. Too many of one peer are answered briefly, and the connection is closed;
    /// a request with the right token is never counted.
    fn count_failure(&self, refusal: Refusal, peer: Peer) -> Refusal {
        if refusal != Refusal::Token {
            return refusal;
        }
        match self.attempts.count(peer, Instant::now()) {
            Answer::Unauthorized => refusal,
            Answer::TooMany => Refusal::TooManyAttempts,
        }
    }
}
