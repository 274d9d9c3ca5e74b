//! Asking the model again, after all calls of its answer were denied.

use std::{future::Future, pin::Pin, sync::Arc};

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, Response, body::Incoming, header::CONTENT_ENCODING, http::uri::PathAndQuery,
};
use unstuck_http::{Loaded, Memory, is_encoded};
use unstuck_llm::{Form, ask_again};

use crate::{decode::decoded, upstreams::Place};

/// A request as it was sent, to be sent again with a text behind its history.
pub(crate) struct Again {
    pub(crate) form: Form,
    pub(crate) place: Arc<Place>,
    pub(crate) path: PathAndQuery,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The most bytes of the body, decoded.
    pub(crate) longest: usize,
    pub(crate) memory: Memory,
    /// How often it may still be sent.
    pub(crate) left: u32,
}

/// Another answer of the model, once it comes. `None` if there is none to go on with.
pub(crate) type Asked = Pin<Box<dyn Future<Output = Option<Response<Incoming>>> + Send>>;

impl Again {
    /// Sends the request again, with the texts in place of calls that were denied so far. `None` if it cannot be sent again.
    pub(crate) fn ask(&mut self, denied: &[(Box<str>, Box<str>)]) -> Option<Asked> {
        self.left = self.left.checked_sub(1)?;
        let body = decoded(&self.headers, &self.body, self.longest, &self.memory)?;
        let mut texts: Vec<&str> = denied.iter().map(|(_, text)| text.trim_end()).collect();
        texts.dedup();
        let body = ask_again(self.form, body.as_ref(), &texts.join("\n\n"))?;
        let mut held = self.memory.nothing();
        let body = held
            .grow(body.len())
            .then_some(Loaded { bytes: body, held })?;
        let mut headers = self.headers.clone();
        headers.remove(CONTENT_ENCODING);
        let (place, path) = (Arc::clone(&self.place), self.path.clone());
        Some(Box::pin(async move {
            let sent = place
                .upstream
                .pass_to(path, Method::POST, headers, body.into_bytes());
            let answer = sent.await.ok()?;
            let is_usable = answer.status().is_success() && !is_encoded(answer.headers());
            is_usable.then_some(answer)
        }))
    }
}
