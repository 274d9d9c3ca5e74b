//! Requests to a model's API and its answers, as proxies and programs log them.

use std::borrow::Cow;

use unstuck_json::JsonRef;

use crate::{
    elements::{End, Raw},
    history::Histories,
    message::Message,
    sink::Sink,
    transcript::Origin,
    values::{Place, Values},
};

/// What tells one API from the others.
pub(crate) trait Api {
    /// The member of a request that has its history.
    const HISTORY: &'static str;

    /// Is this the answer to a request?
    fn is_answer(body: Raw<'_>) -> bool;

    /// Is this one element of a history?
    fn is_element(element: Raw<'_>) -> bool;

    /// Reads one element of a history, which begins on the line `number`. Several of them can be one message.
    fn element(element: JsonRef<'_>, number: u64, messages: &mut Vec<Message>);

    /// What the model answered.
    fn answer(body: JsonRef<'_>) -> Option<Message>;

    /// The history of a request.
    fn history(body: Raw<'_>) -> Option<Raw<'_>> {
        body.get(Self::HISTORY)
    }

    /// The answer that a log keeps beside the history of its request.
    fn answer_beside(body: Raw<'_>) -> Option<Raw<'_>> {
        let answers = ["response", "response_body", "response_obj"];
        answers
            .iter()
            .filter_map(|name| body.get(name))
            .find(|answer| Self::is_answer(*answer))
    }

    /// The session that a body names.
    fn session(body: Raw<'_>) -> Option<Cow<'_, str>> {
        let _ = body;
        None
    }
}

/// A file of bodies of one API.
pub(crate) struct Bodies<A> {
    histories: Histories,
    api: std::marker::PhantomData<A>,
}

impl<A: Api> Bodies<A> {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            histories: Histories::new(&origin.session),
            api: std::marker::PhantomData,
        }
    }

    fn body(&mut self, place: Place, body: Raw<'_>, sink: &mut dyn Sink) {
        let session = A::session(body).filter(|session| !session.is_empty());
        let history = A::history(body);
        if let Some(history) = history {
            self.history(place, session.as_deref(), history, sink);
        }
        let beside = history.and_then(|_| A::answer_beside(body));
        let Some(answer) = beside.or(A::is_answer(body).then_some(body)) else {
            return;
        };
        match answer.json() {
            Ok(json) => {
                if let Some(mut message) = A::answer(json.view()) {
                    message.number = place.line(answer);
                    let histories = &mut self.histories;
                    match beside {
                        Some(_) => histories.answer(session.as_deref(), message, sink),
                        None => histories.append(session.as_deref(), message, sink),
                    }
                }
            }
            Err(error) if answer.has_end() => place.problem(answer, "answer", &error, sink),
            Err(_) => {}
        }
    }

    /// A message, or a request or answer in whatever a log wraps around it.
    fn single(&mut self, place: Place, value: Raw<'_>, sink: &mut dyn Sink) {
        let found = bodies::<A>(value);
        if found.is_empty() && A::is_element(value) {
            let mut messages = Vec::new();
            match value.json() {
                Ok(json) => A::element(json.view(), place.line(value), &mut messages),
                Err(error) if value.has_end() => place.problem(value, "message", &error, sink),
                Err(_) => {}
            }
            for message in messages {
                self.histories.append(None, message, sink);
            }
        }
        for body in found {
            self.body(place, body, sink);
        }
    }

    fn history(
        &mut self,
        place: Place,
        session: Option<&str>,
        history: Raw<'_>,
        sink: &mut dyn Sink,
    ) {
        let messages = read_elements(place, history, A::element, sink);
        self.histories.request(session, messages, sink);
    }
}

impl<A: Api> Values for Bodies<A> {
    fn value(&mut self, place: Place, value: Raw<'_>, sink: &mut dyn Sink) {
        if !value.is_array() {
            return self.single(place, value, sink);
        }
        let mut elements = value.elements();
        if elements.next().is_some_and(A::is_element) {
            return self.history(place, None, value, sink);
        }
        for element in value.elements() {
            self.single(place, element, sink);
        }
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.histories.end(sink);
    }
}

/// The messages of a list. What cannot be read is reported and skipped.
pub(crate) fn read_elements(
    place: Place,
    list: Raw<'_>,
    read: fn(JsonRef<'_>, u64, &mut Vec<Message>),
    sink: &mut dyn Sink,
) -> Vec<Message> {
    let mut messages = Vec::new();
    // A history of one message may be written as its text.
    if !list.is_array() {
        if let Some(text) = list.string() {
            let mut message = Message {
                number: place.line(list),
                ..Message::default()
            };
            message.ask(&text);
            messages.push(message);
        }
        return messages;
    }
    for element in list.elements() {
        match element.json() {
            Ok(json) => read(json.view(), place.line(element), &mut messages),
            Err(error) if element.has_end() => {
                place.problem(element, "message", &error, sink);
            }
            // What is cut off is reported once, for the whole document.
            Err(_) => {}
        }
    }
    messages
}

/// The requests and answers in a value: itself, or what a log wraps around them.
fn bodies<A: Api>(value: Raw<'_>) -> Vec<Raw<'_>> {
    const WRAPPERS: [&str; 12] = [
        "request",
        "request_body",
        "body",
        "payload",
        "kwargs",
        "values",
        "state",
        "inputs",
        "outputs",
        "response",
        "response_body",
        "response_obj",
    ];
    let is_body = |value: &Raw<'_>| A::history(*value).is_some() || A::is_answer(*value);
    if is_body(&value) {
        return vec![value];
    }
    let mut found = Vec::new();
    for wrapper in WRAPPERS {
        let Some(inner) = value.get(wrapper) else {
            continue;
        };
        let inner = if is_body(&inner) {
            Some(inner)
        } else {
            inner.get("body").filter(is_body)
        };
        found.extend(inner);
    }
    found
}

/// What a recording begins with.
pub(crate) struct Sample<'a> {
    /// The request or answer, unless the messages stand alone.
    pub(crate) body: Option<Raw<'a>>,
    /// Its first messages.
    pub(crate) elements: Vec<Raw<'a>>,
}

/// What a recording of this API begins with; `None` if it is none.
pub(crate) fn sample<A: Api>(text: &str) -> Option<Sample<'_>> {
    /// How many messages are looked at.
    const MESSAGES: usize = 24;
    let (first, rest) = Raw::first(text)?;
    let body = if first.is_array() {
        let inside = first.elements().next()?;
        bodies::<A>(inside).first().copied()
    } else {
        bodies::<A>(first).first().copied()
    };
    let elements: Vec<Raw<'_>> = if let Some(body) = body {
        let list = A::history(body).into_iter();
        list.flat_map(Raw::elements).take(MESSAGES).collect()
    } else if first.is_array() {
        first.elements().take(MESSAGES).collect()
    } else {
        let mut rest = rest;
        let lines = std::iter::from_fn(|| {
            let (value, behind) = Raw::first(rest)?;
            rest = behind;
            Some(value)
        });
        std::iter::once(first).chain(lines).take(MESSAGES).collect()
    };
    let elements: Vec<Raw<'_>> = elements
        .into_iter()
        .filter(|element| element.end == End::Whole)
        .collect();
    let are_messages = elements.iter().all(|element| A::is_element(*element));
    (are_messages && (body.is_some() || !elements.is_empty())).then_some(Sample { body, elements })
}
