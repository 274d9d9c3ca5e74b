//! A streamed answer on its way to the client.

use std::{
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming};
use unstuck::Call;
use unstuck_http::Failure;
use unstuck_llm::{AnswerStream, Form};

use crate::guard::{Guard, Talk, lock};

/// A streamed answer. The client reads as fast as it likes, and nothing is read from the API that the client has not asked
/// for. When the client goes, this is dropped, and the connection to the API with it.
pub(crate) struct JudgedBody {
    /// `None` when nothing more is read.
    api: Option<Incoming>,
    answer: Box<AnswerStream>,
    judge: Judge,
    is_stored: bool,
}

/// What judges the calls of an answer.
#[derive(Clone)]
pub(crate) struct Judge {
    pub(crate) guard: Arc<Guard>,
    pub(crate) talk: Arc<Mutex<Talk>>,
    pub(crate) denied: Vec<(Box<str>, Box<str>)>,
}

impl Judge {
    pub(crate) fn new(guard: &Arc<Guard>, talk: &Arc<Mutex<Talk>>) -> Self {
        Self {
            guard: Arc::clone(guard),
            talk: Arc::clone(talk),
            denied: Vec::new(),
        }
    }

    pub(crate) fn check(&mut self, call: &Call) -> Option<String> {
        let text = self.guard.check(&self.talk, call)?;
        self.denied.push((call.id.clone(), text.as_str().into()));
        Some(text)
    }
}

impl JudgedBody {
    pub(crate) fn new(api: Incoming, form: Form, judge: Judge, is_stored: bool) -> Self {
        let answer = AnswerStream::new(form, judge.guard.settings());
        Self {
            api: Some(api),
            answer: Box::new(answer),
            judge,
            is_stored,
        }
    }

    /// The answer is over.
    fn finish(&mut self) -> Vec<u8> {
        self.api = None;
        let rest = self.answer.end();
        let judge = &mut self.judge;
        if self.answer.cut().is_some_and(|cut| cut.is_enforced) {
            lock(&judge.talk).tally.cuts += 1;
        }
        if self.is_stored
            && let Some(id) = self.answer.id().map(str::to_owned)
        {
            let parts = self.answer.take_parts();
            let denied = std::mem::take(&mut judge.denied);
            judge.guard.answered(&judge.talk, &id, parts, denied);
        }
        rest
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
            let Some(api) = &mut this.api else {
                return Poll::Ready(None);
            };
            let out = match ready!(Pin::new(api).poll_frame(context)) {
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
                None => this.finish(),
            };
            if !out.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(out.into()))));
            }
        }
    }
}
