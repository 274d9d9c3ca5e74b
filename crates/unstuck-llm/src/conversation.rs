//! One conversation between an agent and its model.

mod chained;

use std::{collections::HashMap, num::NonZeroUsize, ops::Range};

use unstuck::{Call, Decision, Engine, Settings};
use unstuck_transcript::{Message, Part, Reported, Rewritten, Speaker, Summary};

use crate::{
    collapse::left_out,
    feed::{Feed, denial},
    form::shared::quoted,
    known::{Known, New, Notes, Parted, end_of, insertions, part, part_key},
    request::{List, Request, Unreadable},
    span::Edits,
};

pub use chained::Answered;

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
const MOST_REPORTED: usize = 1 << 15;

/// Texts that are put back into a history.
const MOST_NOTES: usize = 4_096;

/// What was seen of one conversation.
///
/// Its memory is bounded: about 100 bytes for each element of the last request, half a megabyte for what was reported before,
/// the texts that were inserted, and the engine.
pub struct Conversation {
    feed: Feed,
    known: Vec<Known>,
    reported: Reported,
    notes: Notes,
    replay: Replay,
    /// Number of laps from which on the repeats are left out of requests.
    collapse: Option<NonZeroUsize>,
    /// What the model answered last, where the provider keeps the history: the agent sends only what is new.
    answered: Answered,
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
            feed: Feed::new(engine, session, agent),
            known: Vec::new(),
            reported: Reported::new(part_key, MOST_REPORTED),
            notes: HashMap::new(),
            replay: Replay::default(),
            collapse: None,
            answered: Answered::default(),
            chained: None,
        }
    }

    /// Bounds what is read of a history that was not seen before.
    #[must_use]
    pub fn with_replay(mut self, replay: Replay) -> Self {
        self.replay = replay;
        self
    }

    /// Leaves repeats out of requests: of so many laps in a row with the same calls and results the first one stays.
    #[must_use]
    pub fn with_collapse(mut self, laps: Option<NonZeroUsize>) -> Self {
        self.collapse = laps;
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
            if let Some(laps) = self.collapse.filter(|_| !is_chained(request)) {
                self.leave_out(laps, request, start, &mut edits);
            }
        }
        Ok(Judged {
            edits,
            halt: self.feed.halted().cloned().map(Box::new),
            decisions: self.feed.take_decisions(),
            person: self.feed.take_spoke(),
            new,
        })
    }

    /// Judges a call that the model has just made. Its decision, and the text in its place if it must not run.
    pub fn check(&self, call: &Call) -> (Decision, Option<String>) {
        let decision = self.feed.check(call);
        let text = denial(&decision, call);
        (decision, text)
    }

    /// Remembers what the model answered, for an agent that sends only what is new.
    pub fn answered(&mut self, answered: Answered) {
        self.answered = answered;
    }

    /// Clears what is held against the agent.
    pub fn reset(&mut self) {
        self.feed.reset();
    }

    /// The decision that halted the agent, while it is halted.
    pub fn halted(&self) -> Option<&Decision> {
        self.feed.halted()
    }

    /// Takes repeats out of the history, with the texts in them. The last of these texts goes on in their place.
    fn leave_out(
        &self,
        laps: NonZeroUsize,
        request: &Request<'_>,
        start: usize,
        edits: &mut Edits,
    ) {
        let parts = self.known.iter().map(|known| known.step);
        let found = left_out(parts, laps);
        let (mut end, mut passed) = (start, 0);
        for one in found {
            let Range {
                start: first,
                end: last,
            } = one.elements.clone();
            let before: usize = self.known[passed..first].iter().map(Known::length).sum();
            let begin = end + before;
            let length: usize = self.known[one.elements.clone()]
                .iter()
                .map(Known::length)
                .sum();
            end = begin + length;
            passed = last;
            // A lap follows a step, so there is an element before it.
            let Some(stays) = first.checked_sub(1).and_then(|at| self.known.get(at)) else {
                continue;
            };
            let texts = self.known[first - 1..last].iter();
            let note = texts.rev().find_map(|known| self.notes.get(&known.key));
            let text = match note {
                Some(note) => format!("{}\n\n{note}", one.text()),
                None => one.text(),
            };
            let from = stays.begin(begin);
            let Some(insertion) = (request.form.spec().note)(&request.text[from..begin], &text)
            else {
                continue;
            };
            let place = from + insertion.at;
            edits.remove_within(from..end);
            edits.replace(place..place, insertion.text);
            edits.cut(begin..end);
        }
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
        self.feed.reset();
        if let Some(message) = halt.message() {
            self.note(request, judged, message);
        }
    }

    /// Puts a text for the model behind the last element of the history, in this request and in later ones.
    pub fn note(&mut self, request: &Request<'_>, judged: &mut Judged, message: &str) {
        let List::Array(start) = request.list else {
            return;
        };
        let end = end_of(&self.known, start);
        let Some(last) = self.known.last_mut() else {
            return;
        };
        let begin = last.begin(end);
        let before = last.note.take().map(|note| begin + note.at);
        let text = match self.notes.get(&last.key) {
            Some(known) => format!("{known}\n\n{message}"),
            None => message.to_owned(),
        };
        last.write(request.form, &request.text[begin..end], &text);
        self.notes.insert(last.key, text.into());
        if let Some(note) = &last.note {
            let at = begin + note.at;
            if let Some(before) = before {
                judged.edits.remove(before);
            }
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
        let history = Rewritten {
            common,
            before: self.known.len(),
            now: same + new.len(),
        };
        if is_rewritten && self.reported.is_compacted(history, parts(&new[alike..])) {
            self.feed.compaction();
            summary = Summary::Expected;
        }
        self.known.truncate(same);
        if is_rewritten {
            self.reported.bound(parts(&new));
        }
        let skipped = if is_first {
            self.skipped(request.text.len(), &new)
        } else {
            0
        };
        let mut count = 0;
        for (place, mut one) in new.drain(..).enumerate() {
            let messages = std::mem::take(&mut one.messages);
            let is_known = place < alike || place < skipped;
            if is_known {
                self.remember(&messages);
            } else {
                count += 1;
                self.report(messages, is_rewritten, &mut summary);
            }
            self.place(one, request, is_known);
        }
        count
    }

    /// Adds an element to what is known, with the text that belongs to it.
    fn place(&mut self, one: New, request: &Request<'_>, is_known: bool) {
        let New {
            mut known, span, ..
        } = one;
        if !is_known && let Some(text) = self.feed.take_note() {
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

    fn report(&mut self, messages: Vec<Message>, is_rewritten: bool, summary: &mut Summary) {
        for mut message in messages {
            if is_rewritten {
                self.reported.keep_new(&mut message, summary);
                if message.parts.is_empty() {
                    continue;
                }
            }
            self.remember(std::slice::from_ref(&message));
            self.feed.message(message);
        }
    }

    fn remember(&mut self, messages: &[Message]) {
        let parts = messages.iter().flat_map(|message| &message.parts);
        self.reported.add(parts);
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
}

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation")
            .field("elements", &self.known.len())
            .field("notes", &self.notes.len())
            .finish_non_exhaustive()
    }
}

/// Everything that is said in elements of a history.
fn parts(new: &[New]) -> impl Iterator<Item = &Part> {
    let messages = new.iter().flat_map(|one| &one.messages);
    messages.flat_map(|message| &message.parts)
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
