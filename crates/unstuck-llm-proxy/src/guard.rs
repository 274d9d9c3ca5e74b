//! The conversations of a proxy: found by their names or their histories, judged, and counted.

use std::{
    collections::VecDeque,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use unstuck::{Call, Decision, Mode, Settings, Verdict};
use unstuck_llm::{Conversation, Form, Judged, Names, Request};

use crate::options::{GuardOptions, OnHalt};

/// Answers of a provider that keeps histories, by which requests find their conversation.
const MOST_ANSWERS: usize = 1_024;

/// The conversations of a proxy. The one used last stands last.
pub struct Guard {
    options: GuardOptions,
    key: [u8; 16],
    book: Mutex<Book>,
}

#[derive(Default)]
struct Book {
    entries: VecDeque<Entry>,
    /// Ids of answers, each with its conversation.
    answers: VecDeque<(Box<str>, Arc<Mutex<Talk>>)>,
}

struct Entry {
    key: Key,
    talk: Arc<Mutex<Talk>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    form: Form,
    session: Box<str>,
    agent: Box<str>,
    /// Requests without tools are helpers of an agent: titles, summaries, classifiers.
    has_tools: bool,
}

/// One conversation, with what was done in it.
pub(crate) struct Talk {
    pub(crate) conversation: Conversation,
    pub(crate) tally: Tally,
    /// Whether another model was asked since a person last spoke.
    has_escalated: bool,
}

/// What was done in a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Requests.
    pub requests: u64,
    /// Texts that were given to the model.
    pub nudges: u64,
    /// Calls that did not run.
    pub denials: u64,
    /// Times the run was ended.
    pub halts: u64,
    /// Answers that were ended because their text repeated itself.
    pub cuts: u64,
}

/// A conversation, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Session {
    /// The wire form.
    pub form: Form,
    /// The session.
    pub session: Box<str>,
    /// The agent within the session.
    pub agent: Box<str>,
    /// What was done.
    pub tally: Tally,
    /// The rule that halted it, while it is halted.
    pub halted: Option<unstuck::RuleName>,
}

/// What becomes of a request.
pub(crate) struct Ruling {
    /// The body that goes to the model, where it is not the client's.
    pub(crate) body: Option<Vec<u8>>,
    /// The path that it goes to, where it is not the client's.
    pub(crate) path: Option<String>,
    /// What the client gets in place of the model's answer.
    pub(crate) halt: Option<Halt>,
    pub(crate) talk: Arc<Mutex<Talk>>,
    pub(crate) is_stored: bool,
}

/// An answer in place of the model's.
pub(crate) struct Halt {
    pub(crate) text: String,
    pub(crate) model: String,
    pub(crate) shape: unstuck_llm::Shape,
    pub(crate) is_error: bool,
    pub(crate) id: String,
}

impl Guard {
    /// A guard without conversations.
    pub fn new(options: GuardOptions) -> Self {
        let mut key = [0; 16];
        // Without random bytes lookups are as right, and can be made slow by chosen names.
        let _ = getrandom::fill(&mut key);
        Self {
            options,
            key,
            book: Mutex::default(),
        }
    }

    /// The settings that requests are judged by.
    pub fn settings(&self) -> &Settings {
        &self.options.settings
    }

    /// The conversations, the one used last first.
    pub fn sessions(&self) -> Vec<Session> {
        let book = lock(&self.book);
        let entries = book.entries.iter().rev();
        let session = |entry: &Entry| {
            let talk = lock(&entry.talk);
            Session {
                form: entry.key.form,
                session: entry.key.session.clone(),
                agent: entry.key.agent.clone(),
                tally: talk.tally,
                halted: talk.conversation.halted().and_then(Decision::rule),
            }
        };
        entries.map(session).collect()
    }

    /// Clears what is held against the agents of sessions whose names begin so, and returns how many there are.
    pub fn reset(&self, session: &str) -> usize {
        let book = lock(&self.book);
        let of_session = book
            .entries
            .iter()
            .filter(|entry| entry.key.session.starts_with(session));
        of_session
            .map(|entry| lock(&entry.talk).conversation.reset())
            .count()
    }

    /// Judges a request. `None` for one that cannot be read, or is not to be judged: it passes as it is.
    pub(crate) fn judge(
        &self,
        form: Form,
        names: Names,
        body: &[u8],
        path: &str,
    ) -> Option<Ruling> {
        if self.options.settings.mode == Mode::Off {
            return None;
        }
        // A fault in here must not keep an agent from its model.
        let judged = AssertUnwindSafe(|| self.judge_read(form, names, body, path));
        panic::catch_unwind(judged).ok()?
    }

    fn judge_read(&self, form: Form, names: Names, body: &[u8], path: &str) -> Option<Ruling> {
        let mut request = Request::read(form, body).ok()?;
        let talk = self.find(names, &request, body);
        let mut held = lock(&talk);
        let mut judged = held.conversation.judge(&mut request).ok()?;
        held.tally.requests += 1;
        for decision in &judged.decisions {
            (self.options.decided)(decision);
            match decision.verdict {
                Verdict::Nudge => held.tally.nudges += 1,
                Verdict::Halt => held.tally.halts += 1,
                Verdict::Allow | Verdict::Deny => {}
            }
        }
        if judged.person {
            held.has_escalated = false;
        }
        let (halt, to_path) = self.halt(&mut held, &mut judged, &request, path);
        let is_stored = request.is_stored();
        drop(held);
        Some(Ruling {
            body: if halt.is_some() {
                None
            } else {
                judged.edited(body)
            },
            path: to_path,
            halt,
            talk,
            is_stored,
        })
    }

    /// What a halted agent gets, or the path of another model that is asked in its place.
    fn halt(
        &self,
        talk: &mut Talk,
        judged: &mut Judged,
        request: &Request<'_>,
        path: &str,
    ) -> (Option<Halt>, Option<String>) {
        let Some(decision) = &judged.halt else {
            return (None, None);
        };
        if let OnHalt::Escalate(model) = &self.options.on_halt
            && !talk.has_escalated
        {
            talk.has_escalated = true;
            talk.conversation.go_on_after_halt(request, judged);
            judged.set_model(request, model);
            let form = request.form();
            return (None, form.path_for_model(path, model));
        }
        let message = decision
            .message()
            .unwrap_or("[unstuck] The run was halted.");
        let halt = Halt {
            text: format!("{message}\n{GO_ON}"),
            model: request.model().unwrap_or_default(),
            shape: request.shape(path),
            is_error: self.options.on_halt == OnHalt::Error,
            id: format!("unstuck{}", talk.tally.requests),
        };
        (Some(halt), None)
    }

    /// The conversation that a request belongs to.
    fn find(&self, names: Names, request: &Request<'_>, body: &[u8]) -> Arc<Mutex<Talk>> {
        let mut book = lock(&self.book);
        if let Some(previous) = request.previous()
            && let Some((_, talk)) = book.answers.iter().rfind(|(id, _)| **id == *previous)
        {
            return Arc::clone(talk);
        }
        let is_named = names.are_given(request);
        let names = names.complete(request);
        let key = Key {
            form: request.form(),
            session: names.session.unwrap_or_default().into(),
            agent: names.agent.unwrap_or_else(|| "main".to_owned()).into(),
            has_tools: memchr::memmem::find(body, b"\"tools\"").is_some(),
        };
        let alike = book
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.key == key);
        let found = if is_named {
            alike.map(|(at, _)| at).next_back()
        } else {
            alike
                .filter_map(|(at, entry)| Some((goes_on(&entry.talk, request)?, at)))
                .max()
                .map(|(_, at)| at)
        };
        if let Some(entry) = found.and_then(|at| book.entries.remove(at)) {
            let talk = Arc::clone(&entry.talk);
            book.entries.push_back(entry);
            return talk;
        }
        if book.entries.len() >= self.options.conversations {
            book.entries.pop_front();
        }
        let settings = self.options.settings.clone();
        let talk = Arc::new(Mutex::new(Talk {
            conversation: Conversation::new(settings, self.key, &key.session, &key.agent),
            tally: Tally::default(),
            has_escalated: false,
        }));
        book.entries.push_back(Entry {
            key,
            talk: Arc::clone(&talk),
        });
        talk
    }

    /// Judges a call of an answer: the text in its place, if it must not run.
    pub(crate) fn check(&self, talk: &Mutex<Talk>, call: &Call) -> Option<String> {
        let check = AssertUnwindSafe(|| {
            let mut talk = lock(talk);
            let (decision, text) = talk.conversation.check(call);
            if text.is_some() {
                talk.tally.denials += 1;
                (self.options.decided)(&decision);
            }
            text
        });
        panic::catch_unwind(check).unwrap_or(None)
    }

    /// Remembers an answer that a later request may go on from.
    pub(crate) fn answered(
        &self,
        talk: &Arc<Mutex<Talk>>,
        id: &str,
        parts: Vec<unstuck_llm::Part>,
        denied: Vec<(Box<str>, Box<str>)>,
    ) {
        lock(talk).conversation.answered(parts, denied);
        let mut book = lock(&self.book);
        if book.answers.len() >= MOST_ANSWERS {
            book.answers.pop_front();
        }
        book.answers.push_back((id.into(), Arc::clone(talk)));
    }
}

/// Stands below the reason of a halt, for the person who reads it.
const GO_ON: &str =
    "The run was stopped here. A person's next message lets it go on; `continue` alone does not.";

/// How many elements a request shares with a conversation that it goes on with. One that begins with the same words, and says
/// nothing else, begins a conversation of its own.
fn goes_on(talk: &Mutex<Talk>, request: &Request<'_>) -> Option<usize> {
    let alike = lock(talk).conversation.compare(request).ok()?;
    let begins = alike.elements <= 1 && alike.known > alike.elements;
    (alike.common > 0 && !begins).then_some(alike.common)
}

/// Waits for the lock of a value that is whole between two steps of the work on it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").finish_non_exhaustive()
    }
}
