//! A streamed answer on its way to the client.

use std::{
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use hyper::{
    Response,
    body::{Body, Frame, Incoming},
};
use unstuck::Call;
use unstuck_http::{Content, Failure};
use unstuck_llm::{AnswerStream, Answered, Form, Part, denied_again, used};

use crate::{
    again::{Again, Asked},
    guard::{Guard, Talk, lock},
};

/// A streamed answer. The client reads as fast as it likes, and nothing is read from the API that the client has not asked
/// for. When the client goes, this is dropped, and the connection to the API with it.
pub(crate) struct JudgedBody {
    source: Source,
    answer: Box<AnswerStream>,
    judge: Judge,
    again: Again,
    is_stored: bool,
}

/// Where the bytes of the answer come from.
enum Source {
    Answer(Incoming),
    /// The model was asked again.
    Asked(Asked),
    /// Nothing more is read.
    Over,
}

/// What judges the calls of an answer.
#[derive(Clone)]
pub(crate) struct Judge {
    pub(crate) guard: Arc<Guard>,
    pub(crate) talk: Arc<Mutex<Talk>>,
    /// Calls that were denied, as (id, text in its place).
    pub(crate) denied: Vec<(Box<str>, Box<str>)>,
    /// The first of them that is of the present answer, where the model was asked again.
    pub(crate) current: usize,
}

impl Judge {
    pub(crate) fn new(guard: &Arc<Guard>, talk: &Arc<Mutex<Talk>>) -> Self {
        Self {
            guard: Arc::clone(guard),
            talk: Arc::clone(talk),
            denied: Vec::new(),
            current: 0,
        }
    }

    pub(crate) fn check(&mut self, call: &Call) -> Option<String> {
        let text = self.guard.check(&self.talk, call)?;
        let is_known = self.denied.iter().any(|(_, known)| **known == *text);
        self.denied.push((call.id.clone(), text.as_str().into()));
        Some(if is_known { denied_again(&text) } else { text })
    }

    /// Counts what a whole answer used.
    pub(crate) fn spend(&self, form: Form, body: &[u8]) {
        let text = std::str::from_utf8(body).unwrap_or_default();
        if let Some(used) = used(form, text) {
            self.guard.spend(&self.talk, used);
        }
    }

    /// Remembers an answer that a later request may go on from.
    pub(crate) fn answered(&mut self, id: &str, parts: Vec<Part>) {
        let answered = Answered {
            parts,
            denied: std::mem::take(&mut self.denied),
            waiting: self.current,
        };
        self.guard.answered(&self.talk, id, answered);
    }
}

impl JudgedBody {
    pub(crate) fn new(api: Incoming, judge: Judge, again: Again, is_stored: bool) -> Self {
        let answer = AnswerStream::new(again.form, &judge.guard.settings());
        Self {
            source: Source::Answer(api),
            answer: Box::new(answer),
            judge,
            again,
            is_stored,
        }
    }

    /// The answer is complete. Where all its calls were denied the model is asked again, within the limit.
    fn complete(&mut self) -> Vec<u8> {
        if self.answer.is_spent()
            && let Some(asked) = self.again.ask(&self.judge.denied)
        {
            self.source = Source::Asked(asked);
            return Vec::new();
        }
        self.finish()
    }

    /// Another answer came, or none that can be read.
    fn go_on(&mut self, answer: Option<Response<Incoming>>) -> Vec<u8> {
        match answer {
            Some(answer) if Content::of(answer.headers()) == Content::Events => {
                self.source = Source::Answer(answer.into_body());
                self.judge.current = self.judge.denied.len();
                self.answer.continue_with_next()
            }
            _ => self.finish(),
        }
    }

    /// Counts what the answer used, as far as it says so.
    fn spend(&self) {
        if let Some(used) = self.answer.used() {
            self.judge.guard.spend(&self.judge.talk, used);
        }
    }

    /// Nothing more comes.
    fn finish(&mut self) -> Vec<u8> {
        self.source = Source::Over;
        let rest = self.answer.end();
        self.spend();
        let judge = &mut self.judge;
        if self.answer.cut().is_some_and(|cut| cut.is_enforced) {
            lock(&judge.talk).tally.cuts += 1;
        }
        if self.is_stored
            && let Some(id) = self.answer.id().map(str::to_owned)
        {
            let parts = self.answer.take_parts();
            judge.answered(&id, parts);
        }
        rest
    }
}

impl Drop for JudgedBody {
    /// A client that leaves has used what the answer said until then.
    fn drop(&mut self) {
        if !matches!(self.source, Source::Over) {
            self.spend();
        }
    }
}

impl Body for JudgedBody {
    type Data = Bytes;
    type Error = Failure;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Failure>>> {
        let this = self.get_mut();
        loop {
            let out = match &mut this.source {
                Source::Over => return Poll::Ready(None),
                Source::Asked(asked) => {
                    let answer = ready!(asked.as_mut().poll(context));
                    this.go_on(answer)
                }
                Source::Answer(api) => match ready!(Pin::new(api).poll_frame(context)) {
                    Some(Ok(frame)) => match frame.into_data() {
                        Ok(bytes) => {
                            let judge = &mut this.judge;
                            let mut out = this.answer.push(&bytes, |call| judge.check(call));
                            if this.answer.is_ended() {
                                out.extend(this.finish());
                            }
                            out
                        }
                        // Trailers belong to the connection.
                        Err(_) => continue,
                    },
                    Some(Err(error)) => {
                        let rest = this.finish();
                        if rest.is_empty() {
                            return Poll::Ready(Some(Err(error.into())));
                        }
                        rest
                    }
                    None => this.complete(),
                },
            };
            if !out.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(out.into()))));
            }
        }
    }
}
