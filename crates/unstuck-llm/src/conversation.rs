//! One conversation between an agent and its model.

use std::collections::{HashMap, HashSet};

use unstuck::{Call, Decision, Engine, Outcome, Settings, Status};
use unstuck_transcript::{Message, Part, Speaker};

use crate::{
    form::shared::quoted,
    known::{Known, New, Notes, Parted, end_of, insertions, part, part_key},
    request::{List, Request, Unreadable},
    span::Edits,
    telling::{Telling, denial},
};

/// Bounds on what is read of a history that was not seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replay {
    /// Elements, the last ones.
    pub elements: usize,
    /// Bytes of these elements.
    pub bytes: usize,
}

impl Default for Replay {
    fn default() -> Self {
        Self {
            elements: 4_096,
            bytes: 16 << 20,
        }
    }
}

/// Parts that are remembered as reported, for a history that is rewritten.
const MOST_TOLD: usize = 1 << 15;

/// Texts that are put back into a history.
const MOST_NOTES: usize = 4_096;

/// What was seen of one conversation.
///
/// Its memory is bounded: about 100 bytes for each element of the last request, half a megabyte for what was reported before,
/// the texts that were inserted, and the engine.
pub struct Conversation {
    telling: Telling,
    known: Vec<Known>,
    told: HashSet<u64>,
    notes: Notes,
    replay: Replay,
    /// What the model answered last, where the provider keeps the history: the agent sends only what is new.
    answered: Vec<Part>,
    /// Calls of that answer that were denied, with the texts in their place. The provider waits for their results.
    owed: Vec<(Box<str>, Box<str>)>,
    /// The last request of that kind, to tell a retry from a new one.
    chained: Option<u64>,
}

/// How much a request has in common with the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alike {
    /// How many of the first elements of both say the same.
    pub common: usize,
    /// The elements of this request.
    pub elements: usize,
    /// The elements of the one before.
    pub known: usize,
}

/// What is to be done with a request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Judged {
    edits: Edits,
    /// The decision that ends the run: the model is not to be asked.
    pub halt: Option<Box<Decision>>,
    /// New decisions that say more than `allow`, in their order.
    pub decisions: Vec<Decision>,
    /// Whether a person spoke in what is new.
    pub person: bool,
    /// How many elements of the history were not reported before.
    pub new: usize,
}

impl Judged {
    /// The body with what is inserted. `None` if nothing is.
    pub fn edited(self, body: &[u8]) -> Option<Vec<u8>> {
        (!self.edits.is_empty()).then(|| self.edits.apply(body))
    }

    /// Names another model in the request.
    pub fn set_model(&mut self, request: &Request<'_>, model: &str) {
        if let Some(span) = request.model_span() {
            self.edits.replace(span, quoted(model));
        }
    }
}

impl Conversation {
    /// A conversation that begins. Lookups of its engine are keyed by `key`.
    pub fn new(settings: Settings, key: [u8; 16], session: &str, agent: &str) -> Self {
        let engine = Engine::with_index_key(settings, key);
        Self {
            telling: Telling::new(engine, session, agent),
            known: Vec::new(),
            told: HashSet::new(),
            notes: HashMap::new(),
            replay: Replay::default(),
            answered: Vec::new(),
            owed: Vec::new(),
            chained: None,
        }
    }

    /// Bounds what is read of a history that was not seen before.
    #[must_use]
    pub fn with_replay(mut self, replay: Replay) -> Self {
        self.replay = replay;
        self
    }

    /// Takes a request: the engine gets what is new in its history, once.
    pub fn judge(&mut self, request: &mut Request<'_>) -> Result<Judged, Unreadable> {
        let is_chained = |request: &Request<'_>| request.members.previous.is_some();
        let new = if is_chained(request) {
            self.go_on_from_answer(request)?
        } else {
            let parted = part(&self.known, request)?;
            if is_chained(request) {
                // The member stood behind the history.
                self.go_on_from_answer(request)?
            } else {
                self.go_on(parted, request)
            }
        };
        let mut edits = Edits::default();
        if let List::Array(start) = request.list {
            if is_chained(request) {
                let owed = self.results_owed(self.known.is_empty());
                edits.replace(start..start, owed);
            }
            for (at, text) in insertions(&self.known, start) {
                edits.replace(at..at, text.to_owned());
            }
        }
        Ok(Judged {
            edits,
            halt: self.telling.halted().cloned().map(Box::new),
            decisions: self.telling.take_decisions(),
            person: self.telling.take_spoke(),
            new,
        })
    }

    /// Judges a call that the model has just made. Its decision, and the text in its place if it must not run.
    pub fn check(&self, call: &Call) -> (Decision, Option<String>) {
        let decision = self.telling.check(call);
        let text = denial(&decision, call);
        (decision, text)
    }

    /// Remembers what the model answered, for an agent that sends only what is new: the answer with all its calls, and those
    /// of them that were denied, each with the text in its place.
    pub fn answered(&mut self, parts: Vec<Part>, denied: Vec<(Box<str>, Box<str>)>) {
        self.answered = parts;
        self.owed = denied;
    }

    /// Clears what is held against the agent.
    pub fn reset(&mut self) {
        self.telling.reset();
    }

    /// The decision that halted the agent, while it is halted.
    pub fn halted(&self) -> Option<&Decision> {
        self.telling.halted()
    }

    /// Compares a request with the last one.
    pub fn compare(&self, request: &Request<'_>) -> Result<Alike, Unreadable> {
        let mut request = request.clone();
        let Parted { same, new } = part(&self.known, &mut request)?;
        let more = self.known[same..].iter().zip(&new);
        let alike = more.take_while(|(known, new)| known.mark == new.known.mark);
        Ok(Alike {
            common: same + alike.count(),
            elements: same + new.len(),
            known: self.known.len(),
        })
    }

    /// Lets a halted agent go on: what is held against it is cleared, and a message to the model says why behind the last element of
    /// the history, in this request and in later ones.
    pub fn go_on_after_halt(&mut self, request: &Request<'_>, judged: &mut Judged) {
        let Some(halt) = judged.halt.take() else {
            return;
        };
        self.telling.reset();
        let List::Array(start) = request.list else {
            return;
        };
        let end = end_of(&self.known, start);
        let (Some(last), Some(message)) = (self.known.last_mut(), halt.message()) else {
            return;
        };
        let begin = last.begin(end);
        last.write(request.form, &request.text[begin..end], message);
        self.notes.insert(last.key, message.into());
        if let Some(note) = &last.note {
            let at = begin + note.at;
            judged.edits.replace(at..at, note.text.clone());
        }
    }

    /// What is new in a history that is sent as a whole.
    fn go_on(&mut self, parted: Parted, request: &Request<'_>) -> usize {
        let Parted { same, mut new } = parted;
        // Bytes may change where nothing is said, as with marks for the provider's cache.
        let more = self.known[same..].iter().zip(&new);
        let alike = more
            .take_while(|(known, new)| known.mark == new.known.mark)
            .count();
        let common = same + alike;
        let is_rewritten = common < self.known.len();
        let is_first = self.known.is_empty();
        let mut summary = Summary::None;
        if is_rewritten && self.is_compacted(common, same, &new) {
            self.telling.compaction();
            summary = Summary::Expected;
        }
        self.known.truncate(same);
        if is_rewritten {
            self.forget_told(&new);
        }
        let skipped = if is_first {
            self.skipped(request.text.len(), &new)
        } else {
            0
        };
        let mut told = 0;
        for (place, mut one) in new.drain(..).enumerate() {
            let messages = std::mem::take(&mut one.messages);
            let is_known = place < alike || place < skipped;
            if is_known {
                self.remember(&messages);
            } else {
                told += 1;
                self.tell(messages, is_rewritten, &mut summary);
            }
            self.place(one, request, is_known);
        }
        told
    }

    /// Adds an element to what is known, with the text that belongs to it.
    fn place(&mut self, one: New, request: &Request<'_>, is_known: bool) {
        let New {
            mut known, span, ..
        } = one;
        if !is_known && let Some(text) = self.telling.take_note() {
            if self.notes.len() >= MOST_NOTES {
                self.notes.clear();
            }
            self.notes.insert(known.key, text);
        }
        if let Some(text) = self.notes.get(&known.key) {
            known.write(request.form, &request.text[span], text);
        }
        self.known.push(known);
    }

    fn tell(&mut self, messages: Vec<Message>, is_rewritten: bool, summary: &mut Summary) {
        for mut message in messages {
            if is_rewritten {
                self.keep_new(&mut message, summary);
                if message.parts.is_empty() {
                    continue;
                }
            }
            self.remember(std::slice::from_ref(&message));
            self.telling.message(message);
        }
    }

    fn remember(&mut self, messages: &[Message]) {
        let parts = messages.iter().flat_map(|message| &message.parts);
        self.told.extend(parts.filter_map(part_key));
    }

    /// Leaves out of a message what was reported before the history was rewritten.
    fn keep_new(&self, message: &mut Message, summary: &mut Summary) {
        let told = |part: &Part| part_key(part).is_some_and(|key| self.told.contains(&key));
        // A model thinks before it speaks: its thoughts were reported with its words.
        if message.parts.iter().any(told) {
            message
                .parts
                .retain(|part| !matches!(part, Part::Thought(_)) && !told(part));
        }
        // A compacted history begins with a summary, which is not a person's message.
        if *summary == Summary::Expected
            && let Some(at) = message
                .parts
                .iter()
                .position(|part| matches!(part, Part::Asked(_)))
        {
            message.parts.remove(at);
            *summary = Summary::None;
        }
    }

    /// Whether the beginning of the history was replaced, or something taken out of its middle. Otherwise it goes on from an
    /// earlier point in another way.
    fn is_compacted(&self, common: usize, same: usize, new: &[New]) -> bool {
        let rest = new.iter().skip(common - same);
        let parts = rest
            .flat_map(|one| &one.messages)
            .flat_map(|message| &message.parts);
        let mut told = parts.map(|part| part_key(part).is_some_and(|key| self.told.contains(&key)));
        common == 0 || (same + new.len() < self.known.len() && told.any(|told| told))
    }

    /// Keeps what was reported within its bound: what the present history has stays.
    fn forget_told(&mut self, new: &[New]) {
        if self.told.len() <= MOST_TOLD {
            return;
        }
        let parts = new
            .iter()
            .flat_map(|one| &one.messages)
            .flat_map(|message| &message.parts);
        let current: HashSet<u64> = parts.filter_map(part_key).collect();
        self.told.retain(|key| current.contains(key));
    }

    /// How many of the first elements of a long history are not reported.
    fn skipped(&self, bytes: usize, new: &[New]) -> usize {
        let by_count = new.len().saturating_sub(self.replay.elements);
        if bytes <= self.replay.bytes && by_count == 0 {
            return 0;
        }
        let mut left = self.replay.bytes;
        let within = new.iter().rev().take_while(|one| {
            let length = one.span.len();
            let fits = length <= left;
            left = left.saturating_sub(length);
            fits
        });
        let first = by_count.max(new.len() - within.count());
        // A step is reported as a whole.
        let begins = |one: &New| {
            one.messages
                .iter()
                .any(|message| message.speaker == Speaker::Model)
        };
        let rest = new.get(first..).unwrap_or_default();
        first + rest.iter().position(begins).unwrap_or(0)
    }

    /// The results of calls that were denied, for a provider that keeps the history and waits for them.
    fn results_owed(&self, is_all: bool) -> String {
        let results = self.owed.iter().map(|(id, text)| {
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
    fn go_on_from_answer(&mut self, request: &mut Request<'_>) -> Result<usize, Unreadable> {
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
        if !is_retry && !self.answered.is_empty() {
            self.telling.message(Message {
                speaker: Speaker::Model,
                parts: std::mem::take(&mut self.answered),
                ..Message::default()
            });
            if !self.owed.is_empty() {
                self.telling.message(Message {
                    parts: self.owed.iter().map(|(id, _)| refused(id)).collect(),
                    ..Message::default()
                });
            }
        }
        let count = new.len();
        for mut one in new {
            let messages = std::mem::take(&mut one.messages);
            if !is_retry {
                self.tell(messages, false, &mut Summary::None);
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

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation")
            .field("elements", &self.known.len())
            .field("notes", &self.notes.len())
            .finish_non_exhaustive()
    }
}

/// Whether what comes next in a compacted history is the summary of what was taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Summary {
    Expected,
    None,
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
