//! What a process says, and who is to hear it.

use unstuck_mcp::{Codec, Id, Message, Refusal, ToClient, member};

use super::{
    exchange::Whose,
    process::{Heard, Process, Route},
    reply::fault,
    server::Server,
};

/// Where messages of the stateless era say which request they belong to.
const TOKEN: [&str; 2] = ["params", "progressToken"];
const SUBSCRIPTION: [&str; 3] = ["params", "_meta", "io.modelcontextprotocol/subscriptionId"];

impl Process {
    /// A process of one session: everything it says is for that session, and passes as it is.
    pub(super) fn hear_session(
        &self,
        whose: &Whose,
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
                // A server that reads too slowly does without.
                self.send(said);
                (None, true)
            }
            _ => (None, true),
        };
        let mut routes = self.routes();
        if !is_answer {
            let Some(said) = said else { return };
            let key = token.and_then(|token| {
                let is_its = |route: &&Route| route.token.as_deref() == Some(&*token);
                routes
                    .waiting
                    .values()
                    .find(is_its)
                    .map(|route| route.to.clone())
            });
            match key {
                // Whoever is gone, or reads too slowly, misses it.
                Some(to) => drop(to.try_send(Heard::Message(said))),
                None => routes.tell(said),
            }
            return;
        }
        let Some((key, why)) = answers else {
            server.shared.note_dropped();
            return;
        };
        // Two answers to one request: the second is for nobody.
        let Some(route) = routes.waiting.remove(&key) else {
            if unread {
                server.shared.note_dropped();
            }
            return;
        };
        let said = said.unwrap_or_else(|| {
            let why = why.as_deref().unwrap_or("the request was called off");
            fault(Some(&route.id), why)
        });
        let _ = route.to.try_send(Heard::Answer(said));
    }

    /// A process that all clients of the stateless era share: what it says carries the number of the request that it
    /// belongs to.
    pub(super) fn hear_common(
        &self,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
        server: &Server,
    ) {
        match message {
            Ok(Message::Response(response)) => {
                let Some(id) = &response.id else { return };
                let Some(route) = self.routes().waiting.remove(id.key.as_str()) else {
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
                let _ = route.to.try_send(Heard::Answer(said));
            }
            Ok(Message::Notification(_)) => self.pass_notification(line),
            Ok(Message::Request(request)) => {
                // There are none in this era, and none of the clients could be told from the others.
                let id = request.id.raw;
                self.send(
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
                let _ = route.to.try_send(Heard::Answer(why));
            }
        }
    }

    fn pass_notification(&self, line: &[u8]) {
        let Ok(text) = std::str::from_utf8(line) else {
            return;
        };
        let routes = self.routes();
        for path in [&TOKEN[..], &SUBSCRIPTION[..]] {
            let Some(found) = member(text, path) else {
                continue;
            };
            // A server may say the number as a text.
            let Some(route) = routes.waiting.get(text[found].trim_matches('"')) else {
                return;
            };
            let spelled = if path == TOKEN {
                route.token.as_deref().unwrap_or(&route.id)
            } else {
                &route.id
            };
            if let Some(line) = with(line, path, spelled) {
                let _ = route.to.try_send(Heard::Message(line));
            }
            return;
        }
        // Whose it is does not show; with one client there is no doubt.
        let mut open = routes.waiting.values();
        if let (Some(route), None) = (open.next(), open.next()) {
            let _ = route.to.try_send(Heard::Message(line.to_vec()));
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
