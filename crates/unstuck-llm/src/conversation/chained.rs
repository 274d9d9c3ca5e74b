//! Conversations whose history the provider keeps: the agent sends only what is new.

use unstuck::{Outcome, Status};
use unstuck_transcript::{Message, Part, Speaker, Summary};

use super::Conversation;
use crate::{
    form::shared::quoted,
    known::{Parted, part},
    request::{Request, Unreadable},
};

/// What the model answered, where the provider keeps the history.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// The answer with all its calls; of several answers that became one, all of them.
    pub parts: Vec<Part>,
    /// Calls that were denied, as (id, text in its place).
    pub denied: Vec<(Box<str>, Box<str>)>,
    /// The first of them that the provider waits for: it keeps only the last of several answers.
    pub waiting: usize,
}

impl Conversation {
    /// The results of calls that were denied, for a provider that keeps the history and waits for them.
    pub(super) fn results_owed(&self, is_all: bool) -> String {
        let waiting = self.answered.denied.iter().skip(self.answered.waiting);
        let results = waiting.map(|(id, text)| {
            let (id, text) = (quoted(id), quoted(text));
            format!(r#"{{"type":"function_call_output","call_id":{id},"output":{text}}}"#)
        });
        let mut written = results.collect::<Vec<_>>().join(",");
        if !written.is_empty() && !is_all {
            written.push(',');
        }
        written
    }

    /// What is new where the provider keeps the history: what the model answered, and all that is sent.
    pub(super) fn go_on_from_answer(
        &mut self,
        request: &mut Request<'_>,
    ) -> Result<usize, Unreadable> {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let Parted { new, .. } = part(&[], request)?;
        let mut hasher = DefaultHasher::new();
        request.members.previous.hash(&mut hasher);
        for one in &new {
            one.known.mark.hash(&mut hasher);
        }
        let this = hasher.finish();
        let is_retry = self.chained == Some(this);
        self.chained = Some(this);
        self.known.clear();
        if !is_retry && !self.answered.parts.is_empty() {
            self.feed.message(Message {
                speaker: Speaker::Model,
                parts: std::mem::take(&mut self.answered.parts),
                ..Message::default()
            });
            if !self.answered.denied.is_empty() {
                self.feed.message(Message {
                    parts: self
                        .answered
                        .denied
                        .iter()
                        .map(|(id, _)| refused(id))
                        .collect(),
                    ..Message::default()
                });
            }
        }
        let count = new.len();
        for mut one in new {
            let messages = std::mem::take(&mut one.messages);
            if !is_retry {
                self.report(messages, false, &mut Summary::None);
            }
            self.place(one, request, is_retry);
        }
        Ok(if is_retry { 0 } else { count })
    }
}

/// The result of a call that did not run.
fn refused(id: &str) -> Part {
    Part::Returned {
        outcome: Outcome::new(id, Status::Denied),
        tool: Box::default(),
    }
}
