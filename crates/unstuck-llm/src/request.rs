//! A request to a model: where its history stands, and what else is needed of it.

use std::ops::Range;

use unstuck_json::{Json, Scratch};
use unstuck_transcript::Speaker;

use crate::{
    form::{Form, Shape, shared::escaped},
    span::{Cursor, Edits, string},
};

/// A request that was read up to its history.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub(crate) form: Form,
    pub(crate) text: &'a str,
    /// Where the history begins.
    pub(crate) list: List,
    /// Members outside the history.
    pub(crate) members: Members,
}

/// Where a history stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// Behind the bracket that opens it.
    Array(usize),
    /// It is one string, from here.
    Text(usize),
}

/// What is needed of a request beside its history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Members {
    pub(crate) model: Option<Range<usize>>,
    pub(crate) is_streamed: bool,
    pub(crate) has_tools: bool,
    /// Whether the provider is asked not to keep the answer.
    pub(crate) is_forgotten: bool,
    pub(crate) previous: Option<String>,
    pub(crate) conversation: Option<String>,
    pub(crate) session: Option<String>,
}

/// A request that cannot be read. It is passed on as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl<'a> Request<'a> {
    /// Reads a body up to its history.
    pub fn read(form: Form, body: &'a [u8]) -> Result<Self, Unreadable> {
        let text = simdutf8::basic::from_utf8(body).map_err(|_| Unreadable)?;
        let mut scratch = Scratch::default();
        let mut cursor = Cursor::new(text, 0, &mut scratch);
        if !cursor.take(b'{') {
            return Err(Unreadable);
        }
        let mut members = Members::default();
        while let Some(name) = cursor.key().map_err(|_| Unreadable)? {
            if name == form.spec().history {
                let list = match cursor.peek() {
                    Some(b'[') => List::Array(cursor.at() + 1),
                    Some(b'"') => List::Text(cursor.at()),
                    _ => return Err(Unreadable),
                };
                if form == Form::Responses && members.previous.is_none() {
                    members.previous = previous(text);
                }
                return Ok(Self {
                    form,
                    text,
                    list,
                    members,
                });
            }
            let value = cursor.value().map_err(|_| Unreadable)?;
            members.take(&name, text, value);
        }
        Err(Unreadable)
    }

    /// Its form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The first element of its history, or the history where it is one text.
    pub(crate) fn first(&self) -> Option<&'a str> {
        let mut scratch = Scratch::default();
        let span = match self.list {
            List::Array(at) => Cursor::new(self.text, at, &mut scratch).element().ok()??,
            List::Text(at) => Cursor::new(self.text, at, &mut scratch).value().ok()?,
        };
        Some(&self.text[span])
    }

    /// Reads the members behind the history, which ends at `at`.
    pub(crate) fn read_rest(&mut self, at: usize) -> Result<(), Unreadable> {
        let mut scratch = Scratch::default();
        let mut cursor = Cursor::new(self.text, at, &mut scratch);
        while let Some(name) = cursor.key().map_err(|_| Unreadable)? {
            let value = cursor.value().map_err(|_| Unreadable)?;
            self.members.take(&name, self.text, value);
        }
        if cursor.peek().is_some() {
            return Err(Unreadable);
        }
        Ok(())
    }

    /// The model that it names. Complete after it was judged.
    pub fn model(&self) -> Option<String> {
        string(self.text, self.members.model.clone()?)
    }

    /// Whether it has tools. Complete after it was judged.
    pub fn has_tools(&self) -> bool {
        self.members.has_tools
    }

    /// How its answer comes. Complete after it was judged.
    pub fn shape(&self, path_and_query: &str) -> Shape {
        self.form.shape(path_and_query, self.members.is_streamed)
    }

    /// Where the model is named, to name another one. Complete after it was judged.
    pub fn model_span(&self) -> Option<Range<usize>> {
        self.members.model.clone()
    }

    /// Whether the provider keeps the answer, so that a later request may go on from it. Complete after it was judged.
    pub fn is_stored(&self) -> bool {
        self.form == Form::Responses && !self.members.is_forgotten
    }

    /// The answer that it goes on from, where the provider keeps the history.
    pub fn previous(&self) -> Option<&str> {
        self.members.previous.as_deref()
    }
}

/// A request with a text behind the last element of its history, to ask the model again after its calls were denied. `None` if
/// the last word is the model's own, or the body cannot be read.
pub fn ask_again(form: Form, body: &[u8], text: &str) -> Option<Vec<u8>> {
    let request = Request::read(form, body).ok()?;
    let mut scratch = Scratch::default();
    let mut edits = Edits::default();
    match request.list {
        List::Text(start) => {
            let span = Cursor::new(request.text, start, &mut scratch)
                .value()
                .ok()?;
            let end = span.end.checked_sub(1)?;
            edits.replace(end..end, escaped(&format!("\n\n{text}")));
        }
        List::Array(start) => {
            let mut cursor = Cursor::new(request.text, start, &mut scratch);
            let mut last = None;
            while let Some(span) = cursor.element().ok()? {
                last = Some(span);
            }
            let span = last?;
            let element = &request.text[span.clone()];
            let mut messages = Vec::new();
            let json = Json::lossy(element.as_bytes()).ok()?;
            form.api().element(json.view(), &mut messages);
            if messages
                .last()
                .is_some_and(|message| message.speaker == Speaker::Model)
            {
                return None;
            }
            let note = (form.spec().note)(element, text)?;
            let place = span.start + note.at;
            edits.replace(place..place, note.text);
        }
    }
    Some(edits.apply(body))
}

/// The answer that a request goes on from, wherever it is named.
fn previous(text: &str) -> Option<String> {
    const NAME: &str = "previous_response_id";
    // Looking for a member costs more than looking for a word.
    memchr::memmem::find(text.as_bytes(), NAME.as_bytes())?;
    let span = crate::span::at(text, crate::span::whole(text), &[NAME])?;
    string(text, span).filter(|text| !text.is_empty())
}

impl Members {
    fn take(&mut self, name: &str, text: &str, value: Range<usize>) {
        let words = |span: Range<usize>| string(text, span).filter(|text| !text.is_empty());
        match name {
            "model" => self.model = Some(value),
            "stream" => self.is_streamed = &text[value] == "true",
            "store" => self.is_forgotten = &text[value] == "false",
            "tools" => self.has_tools = !matches!(&text[value], "[]" | "null"),
            "previous_response_id" => self.previous = words(value),
            "conversation" => {
                let id = crate::span::at(text, value.clone(), &["id"]);
                self.conversation = words(id.unwrap_or(value));
            }
            "prompt_cache_key" | "session_id" => self.session = words(value),
            "metadata" => {
                let session = session_of_metadata(&text[value]);
                self.session = session.or_else(|| self.session.take());
            }
            _ => {}
        }
    }
}

/// The session that the metadata of a request names. Claude Code puts it into the id of the user, as JSON or behind
/// `_session_`.
fn session_of_metadata(metadata: &str) -> Option<String> {
    let json = Json::lossy(metadata.as_bytes()).ok()?;
    let value = json.view();
    for name in ["session_id", "conversation_id", "thread_id"] {
        if let Some(session) = value.get(name).and_then(unstuck_json::JsonRef::text) {
            return Some(session.into_owned());
        }
    }
    let user = value.get("user_id")?.text()?;
    if let Ok(inner) = Json::parse(&user)
        && let Some(session) = inner.view().get("session_id")
    {
        return Some(session.text()?.into_owned());
    }
    let (_, session) = user.rsplit_once("_session_")?;
    Some(session.to_owned())
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
