//! A client that waits for an answer of a process, and what the process says to it.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::{
    Response, StatusCode,
    body::{Body, Frame},
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue},
};
use tokio::time::timeout;
use unstuck_http::{EVENTS, Failure, Loaded, Reply, event, loaded};
use unstuck_mcp::{Lost, member};

use super::{
    exchange::{Exchange, RequestId},
    from_child::with,
    process::{ChildMode, MOST_WAITING, NotAdded, Process, Route},
    queue::{ForClient, Receiver, queue},
    reply::{busy, failed, invalid},
};

pub(super) const BUSY: &str = "the server reads too slowly";

/// A client that waits for an answer of a process. If it goes, the process gets a cancellation where the protocol has one.
pub(super) struct Waiter {
    process: Arc<Process>,
    key: String,
    exchange: Exchange,
    heard: Option<Receiver>,
    answered: bool,
}

impl Waiter {
    pub(super) fn add(
        process: Arc<Process>,
        id: &RequestId,
        message: Loaded,
        mut exchange: Exchange,
    ) -> Result<Self, Box<Reply>> {
        let (to, heard) = queue(exchange.server.memory.share());
        let token = token(&message.bytes).map(Box::from);
        let route = Route {
            to,
            id: id.raw.clone(),
            token,
            whose: exchange.whose.clone(),
            number: 0,
        };
        let (key, message) = match &process.talk {
            ChildMode::Session(_) => (id.key.as_str().to_owned(), Some(message)),
            ChildMode::Common => {
                let number = {
                    let mut routes = process.routes();
                    routes.count += 1;
                    routes.count.to_string()
                };
                let mut changed = with(&message.bytes, &["id"], &number);
                if route.token.is_some() {
                    changed = changed.and_then(|line| with(&line, &TOKEN, &number));
                }
                let held = message.held;
                (number, changed.map(|bytes| Loaded { bytes, held }))
            }
        };
        let added = process.routes().add(key.clone(), route);
        if let Err(why) = added {
            exchange.server_is_done();
            return Err(Box::new(not_added(why, &id.raw)));
        }
        let mut waiter = Self {
            process,
            key,
            exchange,
            heard: Some(heard),
            answered: false,
        };
        if message.is_some_and(|message| waiter.process.send(message)) {
            if matches!(waiter.process.talk, ChildMode::Session(_)) {
                // A client that is gone has not called anything off.
                waiter.exchange.may_come_later();
            }
            return Ok(waiter);
        }
        // The call has ended, and its id is free again.
        waiter.exchange.server_is_done();
        waiter.process.routes().waiting.remove(&waiter.key);
        Err(Box::new(busy(Some(&id.raw), BUSY)))
    }

    /// The answer as JSON if it comes first, else everything as events.
    pub(super) async fn reply(mut self, patience: Duration, id: &str) -> Reply {
        let Some(mut heard) = self.heard.take() else {
            return failed(StatusCode::BAD_GATEWAY, Some(id), "the server has ended");
        };
        match timeout(patience, heard.recv()).await {
            Ok(Some(ForClient::Answer(answer))) => {
                self.answered = true;
                loaded(StatusCode::OK, answer)
            }
            Ok(Some(ForClient::Message(first))) => events(heard, Some(first), Some(self)),
            Ok(None) => failed(StatusCode::BAD_GATEWAY, Some(id), "the server has ended"),
            Err(_) => {
                self.give_up();
                failed(
                    StatusCode::GATEWAY_TIMEOUT,
                    Some(id),
                    "the server did not answer in time",
                )
            }
        }
    }

    fn give_up(&mut self) {
        self.exchange.server_is_done();
        if let Some(id) = &self.exchange.id
            && let ChildMode::Session(whose) = &self.process.talk
        {
            let server = &self.exchange.server;
            server.shared.lost(whose.origin(), &id.key, Lost::ByServer);
            self.process.routes().waiting.remove(&self.key);
            self.process.send_own(called_off(&id.raw));
        }
    }
}

const TOKEN: [&str; 3] = ["params", "_meta", "progressToken"];

/// Bytes of a progress token, as it is spelled. It is kept until the answer comes, as the id is.
const LONGEST_TOKEN: usize = 1_024;

/// The progress token of a request, as it is spelled.
fn token(message: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(message).ok()?;
    member(text, &TOKEN).map(|found| &text[found])
}

/// Refuses a request whose progress token is too long.
pub(super) fn check_token(id: &RequestId, message: &[u8]) -> Result<(), Box<Reply>> {
    // The token of a shorter message is shorter.
    let token = (message.len() > LONGEST_TOKEN).then(|| token(message));
    if token
        .flatten()
        .is_none_or(|token| token.len() <= LONGEST_TOKEN)
    {
        return Ok(());
    }
    let why = format!("a progress token has at most {LONGEST_TOKEN} bytes");
    Err(Box::new(invalid(&id.raw, &why)))
}

fn not_added(why: NotAdded, id: &str) -> Reply {
    match why {
        NotAdded::IdInUse => failed(
            StatusCode::BAD_REQUEST,
            Some(id),
            "another request with this id is not yet answered",
        ),
        NotAdded::Ended => failed(StatusCode::BAD_GATEWAY, Some(id), "the server has ended"),
        NotAdded::Full => busy(
            Some(id),
            &format!("{MOST_WAITING} requests wait for answers of the server; try again later"),
        ),
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.process.routes().used = Some(Instant::now());
        if self.answered || !matches!(self.process.talk, ChildMode::Common) {
            return;
        }
        // In this era a client that closes its stream calls its request off.
        if self.process.routes().waiting.remove(&self.key).is_some() {
            self.process.send_own(called_off(&self.key));
        }
    }
}

/// A message to a process: nothing waits for the answer to this id.
pub(super) fn called_off(id: &str) -> Vec<u8> {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
    .into_bytes()
}

/// What a process says, as events.
struct ChildEvents {
    first: Option<Loaded>,
    heard: Receiver,
    waiter: Option<Waiter>,
    over: bool,
}

pub(super) fn events(heard: Receiver, first: Option<Loaded>, waiter: Option<Waiter>) -> Reply {
    let said = ChildEvents {
        first,
        heard,
        waiter,
        over: false,
    };
    let mut reply: Response<unstuck_http::Body> = Response::new(said.boxed_unsync());
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    reply
}

impl Body for ChildEvents {
    type Data = Bytes;
    type Error = Failure;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Failure>>> {
        let this = self.get_mut();
        if this.over {
            return Poll::Ready(None);
        }
        let message = match this.first.take() {
            Some(first) => first,
            None => match std::task::ready!(this.heard.poll_recv(context)) {
                Some(ForClient::Message(message)) => message,
                Some(ForClient::Answer(answer)) => {
                    this.over = true;
                    if let Some(waiter) = &mut this.waiter {
                        waiter.answered = true;
                    }
                    answer
                }
                None => return Poll::Ready(None),
            },
        };
        let event = Loaded {
            bytes: event(&message.bytes),
            held: message.held,
        };
        Poll::Ready(Some(Ok(Frame::data(event.into_bytes()))))
    }
}
