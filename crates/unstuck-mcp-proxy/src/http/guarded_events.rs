//! A server's stream of events on its way to a client: each is judged and passed on as it comes.

use http_body_util::BodyExt as _;
use hyper::{HeaderMap, body::Incoming};
use unstuck_http::{Body, Event, EventBody, EventFilter, Stopped, event};
use unstuck_mcp::ToClient;

use super::{
    exchange::{Came, Exchange},
    reply::fault,
};

/// The events of a server, judged.
pub(super) fn guarded_events(server: Incoming, exchange: Exchange, back: HeaderMap) -> Body {
    let longest = exchange.server.longest;
    let memory = exchange.server.memory.clone();
    let filter = GuardedEvents { exchange, back };
    EventBody::new(server, filter, longest, &memory).boxed_unsync()
}

struct GuardedEvents {
    exchange: Exchange,
    /// The headers of messages to the server in the client's place.
    back: HeaderMap,
}

impl EventFilter for GuardedEvents {
    fn event(&mut self, event: &Event) -> Option<Vec<u8>> {
        if event.has_id() {
            self.exchange.may_come_later();
        }
        let Some(message) = event.message() else {
            return Some(event.write(None));
        };
        match self.exchange.judge(message, Came::OnStream) {
            ToClient::Forward => Some(event.write(Some(message))),
            ToClient::Replace(message) => Some(event.write(Some(&message))),
            ToClient::Answer(refusal) => {
                self.exchange.server.tell(&self.back, refusal);
                None
            }
            // The audit has it.
            _ => None,
        }
    }

    fn ended(&mut self) {
        self.exchange.server_is_done();
    }

    fn stopped(&mut self, why: Stopped) -> Option<Vec<u8>> {
        let why = match why {
            Stopped::TooLong => "the server's answer was longer than may be read",
            Stopped::NoMemory => {
                "the server's answer was not read, because other messages use all memory"
            }
        };
        let id = self.exchange.raw_id()?;
        Some(event(&fault(Some(id), why)))
    }
}
