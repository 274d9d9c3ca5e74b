//! What a process says, and who is to hear it.

use unstuck_mcp::{Codec, Id, Message, Refusal, ToClient, member};

use super::{
    exchange::ClientScope,
    process::{Process, Route},
    queue::{ForClient, NotSent, Sender},
    reply::fault,
    server::Server,
    waiter::called_off,
};

/// Where messages of the stateless era say which request they belong to.
const TOKEN: [&str; 2] = ["params", "progressToken"];
const SUBSCRIPTION: [&str; 3] = ["params", "_meta", "io.modelcontextprotocol/subscriptionId"];

impl Process {
    /// A process of one session: everything it says is for that session, and passes as it is.
    pub(super) fn take_from_session_child(
        &self,
        whose: &ClientScope,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
        server: &Server,
    ) {
        let answers = match &message {
            Ok(Message::Response(response)) => response
                .id
                .as_ref()
                .map(|id| (id.key.as_str().to_owned(), None)),
            Ok(_) => None,
            Err(refusal) => unreadable(refusal),
        };
        let token = progress_token(&message, line);
        let is_answer = answers.is_some() || message.is_err();
        // The request that began the session was of none yet.
        let asked = answers.as_ref().and_then(|(key, _)| {
            let routes = self.routes();
            routes.waiting.get(key).map(|route| route.whose.clone())
        });
        let whose = asked.as_ref().unwrap_or(whose);
        let said = server.shared.judge_server(whose.origin(), message, line);
        let (said, unread) = match said {
            ToClient::Forward => (Some(line.to_vec()), false),
            ToClient::Replace(said) => (Some(said), false),
            ToClient::Answer(said) => {
                self.send_own(said);
                (None, true)
            }
            _ => (None, true),
        };
        if !is_answer {
            let Some(said) = said.and_then(|said| self.load(said, None)) else {
                return;
            };
            let to = token.and_then(|token| {
                let is_its = |route: &&Route| route.token.as_deref() == Some(&*token);
                let routes = self.routes();
                let route = routes.waiting.values().find(is_its);
                route.map(|route| route.to.clone())
            });
            match to {
                // A client that is gone misses it.
                Some(to) => drop(self.deliver(&to, ForClient::Message(said))),
                None => self.tell(said),
            }
            return;
        }
        let Some((key, why)) = answers else {
            server.shared.note_dropped();
            return;
        };
        // Two answers to one request: the second is dropped.
        let route = self.routes().waiting.remove(&key);
        let Some(route) = route else {
            if unread {
                server.shared.note_dropped();
            }
            return;
        };
        let said = said.unwrap_or_else(|| {
            let why = why.as_deref().unwrap_or("the request was called off");
            fault(Some(&route.id), why)
        });
        if let Some(said) = self.load(said, Some(&route.id)) {
            let _ = self.deliver(&route.to, ForClient::Answer(said));
        }
    }

    /// A process that all clients of the stateless era share: what it says carries the number of the request that it
    /// belongs to.
    pub(super) fn take_from_common_child(
        &self,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
        server: &Server,
    ) {
        match message {
            Ok(Message::Response(response)) => {
                let Some(id) = &response.id else { return };
                let route = self.routes().waiting.remove(id.key.as_str());
                let Some(route) = route else {
                    server.shared.unasked(line.len());
                    return;
                };
                let Some(line) = with(line, &["id"], &route.id) else {
                    return;
                };
                let mut codec = Codec::with_limit(server.longest);
                let said =
                    server
                        .shared
                        .judge_server(route.whose.origin(), codec.read(&line), &line);
                let said = match said {
                    ToClient::Forward => line,
                    ToClient::Replace(said) => said,
                    _ => fault(Some(&route.id), "the server's answer could not be read"),
                };
                self.answer_common(&route, said);
            }
            Ok(Message::Notification(_)) => self.pass_notification(line),
            Ok(Message::Request(request)) => {
                // There are none in this era, and none of the clients could be told from the others.
                let id = request.id.raw;
                self.send_own(
                    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"clients of this protocol take no requests"}}}}"#)
                        .into_bytes(),
                );
            }
            Ok(_) => {}
            Err(refusal) => {
                let answered = unreadable(&refusal)
                    .and_then(|(key, why)| Some((self.routes().waiting.remove(&key)?, why)));
                let Some((route, why)) = answered else {
                    server.shared.note_dropped();
                    return;
                };
                let why = fault(Some(&route.id), &why.unwrap_or_default());
                self.answer_common(&route, why);
            }
        }
    }

    fn answer_common(&self, route: &Route, said: Vec<u8>) {
        if let Some(said) = self.load(said, Some(&route.id)) {
            // A client that does not read is disconnected soon, and then knows that its request failed.
            let _ = self.deliver(&route.to, ForClient::Answer(said));
        }
    }

    fn pass_notification(&self, line: &[u8]) {
        let Some((key, to, said)) = self.addressee(line) else {
            return;
        };
        let Some(said) = self.load(said, None) else {
            return;
        };
        let sent = self.deliver(&to, ForClient::Message(said));
        // The other clients do not wait for one that does not read: its stream ends, and its request is called off.
        if let Err(NotSent::Full(_)) = sent
            && self.routes().waiting.remove(&key).is_some()
        {
            self.send_own(called_off(&key));
        }
    }

    /// The request that a notification belongs to, and the notification as its client knows it.
    fn addressee(&self, line: &[u8]) -> Option<(String, Sender, Vec<u8>)> {
        let text = std::str::from_utf8(line).ok()?;
        let routes = self.routes();
        for path in [&TOKEN[..], &SUBSCRIPTION[..]] {
            let Some(found) = member(text, path) else {
                continue;
            };
            // A server may write the number as a string.
            let key = text[found].trim_matches('"');
            let route = routes.waiting.get(key)?;
            let spelled = if path == TOKEN {
                route.token.as_deref().unwrap_or(&route.id)
            } else {
                &route.id
            };
            let line = with(line, path, spelled)?;
            return Some((key.to_owned(), route.to.clone(), line));
        }
        // Whose it is does not show; with one client there is no doubt.
        let mut open = routes.waiting.iter();
        match (open.next(), open.next()) {
            (Some((key, route)), None) => Some((key.clone(), route.to.clone(), line.to_vec())),
            _ => None,
        }
    }
}

/// Whose answer it seems to be that cannot be read, and what to tell them.
fn unreadable(refusal: &Refusal) -> Option<(String, Option<String>)> {
    let id = refusal.id.as_deref()?;
    let id = Id::of(id).ok()?;
    let why = format!("the server's answer was {refusal}");
    Some((id.key.as_str().to_owned(), Some(why)))
}

fn progress_token(message: &Result<Message<'_>, Refusal>, line: &[u8]) -> Option<Box<str>> {
    let Ok(Message::Notification(note)) = message else {
        return None;
    };
    if note.method != "notifications/progress" {
        return None;
    }
    let text = std::str::from_utf8(line).ok()?;
    Some(text[member(text, &TOKEN)?].into())
}

/// The message with another value for one member.
pub(super) fn with(line: &[u8], path: &[&str], value: &str) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(line).ok()?;
    let found = member(text, path)?;
    let mut out = Vec::with_capacity(line.len() + value.len());
    out.extend_from_slice(&line[..found.start]);
    out.extend_from_slice(value.as_bytes());
    out.extend_from_slice(&line[found.end..]);
    Some(out)
}
