//! The conversations of a proxy: found by their names or their histories, judged, and counted.

mod find;

use std::{
    collections::VecDeque,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use unstuck::{Call, Decision, Mode, Settings, Verdict};
use unstuck_llm::{Answered, Conversation, Form, Judged, Names, Request, Used};
use unstuck_session::clock;

use crate::{
    options::{GuardOptions, OnHalt},
    spending::{Spending, Spent, Standing},
};

/// Bytes of the longest id of an answer that is remembered.
const LONGEST_ANSWER: usize = 256;

/// Answers of a provider that keeps histories, by which requests find their conversation.
const MOST_ANSWERS: usize = 1_024;

/// The conversations of a proxy. The one used last stands last.
pub struct Guard {
    options: GuardOptions,
    /// The settings in effect: those of the options, with the mode that was switched to.
    settings: RwLock<Arc<Settings>>,
    spending: Spending,
    key: [u8; 16],
    book: Mutex<Book>,
    /// Number of changes that commands want to know of soon.
    changes: AtomicU64,
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
    /// Hash of the credentials.
    owner: u64,
    session: Box<str>,
    agent: Box<str>,
    /// Requests without tools are helpers of an agent: titles, summaries, classifiers.
    has_tools: bool,
}

/// One conversation, with what was done in it.
pub(crate) struct Talk {
    pub(crate) conversation: Conversation,
    pub(crate) tally: Tally,
    session: Box<str>,
    agent: Box<str>,
    is_named: bool,
    owner: u64,
    /// The model of the last request.
    model: Box<str>,
    /// Times of the first and of the last request, in milliseconds since 1970.
    first: i64,
    last: i64,
    /// Time of the last answer that was judged, or 0.
    answered: i64,
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
    /// Whether its requests name it.
    pub is_named: bool,
    /// Time of its first request, in milliseconds since 1970.
    pub first: i64,
    /// Time of its last request.
    pub last: i64,
    /// Time of the last answer that was judged, or 0.
    pub answered: i64,
    /// What the session used today, all of its agents together.
    pub spent: Spent,
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
    pub fn new(mut options: GuardOptions) -> Self {
        let mut key = [0; 16];
        // Without random bytes lookups are as right, and can be made slow by chosen names.
        let _ = getrandom::fill(&mut key);
        Self {
            settings: RwLock::new(Arc::new(options.settings.clone())),
            spending: Spending::new(std::mem::take(&mut options.spending)),
            options,
            key,
            book: Mutex::default(),
            changes: AtomicU64::new(0),
        }
    }

    /// How often the model is asked again after all calls of its answer were denied.
    pub(crate) fn asks_again(&self) -> u32 {
        self.options.asks_again
    }

    /// The settings that requests are judged by.
    pub fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Switches the mode, and returns the one before. Conversations are read again from their next requests.
    pub fn set_mode(&self, mode: Mode) -> Mode {
        let before = self.settings();
        if before.mode == mode {
            return mode;
        }
        let mut settings = (*before).clone();
        settings.mode = mode;
        let settings = Arc::new(settings);
        *self
            .settings
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::clone(&settings);
        let mut book = lock(&self.book);
        // What has no name is known by the history that it had so far.
        book.entries.retain(|entry| lock(&entry.talk).is_named);
        for entry in &book.entries {
            let mut talk = lock(&entry.talk);
            talk.conversation = self.conversation(&settings, &talk.session, &talk.agent);
        }
        drop(book);
        self.changed();
        before.mode
    }

    /// Number of changes so far: verdicts, halts, resets.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    fn conversation(&self, settings: &Settings, session: &str, agent: &str) -> Conversation {
        let collapse = self.options.collapse;
        Conversation::new(settings.clone(), self.key, session, agent)
            .with_collapse(collapse.filter(|_| settings.mode == Mode::Enforce))
    }

    /// The APIs that were asked, by the names of their wire forms.
    pub fn apis(&self) -> Vec<String> {
        let book = lock(&self.book);
        let mut forms: Vec<_> = book.entries.iter().map(|entry| entry.key.form).collect();
        forms.sort_unstable();
        forms.dedup();
        forms.iter().map(|form| form.name().to_owned()).collect()
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
                is_named: talk.is_named,
                first: talk.first,
                last: talk.last,
                answered: talk.answered,
                spent: self.spending.of(&entry.key.session),
                tally: talk.tally,
                halted: talk.conversation.halted().and_then(Decision::rule),
            }
        };
        entries.map(session).collect()
    }

    /// Clears what is held against the agents of a session, and returns how many there are.
    pub fn reset(&self, session: &str) -> usize {
        self.reset_where(|key| *key.session == *session)
    }

    /// Clears what is held against all agents.
    pub fn reset_all(&self) -> usize {
        self.reset_where(|_| true)
    }

    fn reset_where(&self, is_meant: impl Fn(&Key) -> bool) -> usize {
        let book = lock(&self.book);
        let meant = book.entries.iter().filter(|entry| is_meant(&entry.key));
        let count = meant
            .map(|entry| lock(&entry.talk).conversation.reset())
            .count();
        self.changed();
        count
    }

    /// Judges a request. `None` for one that cannot be read, or is not to be judged: it passes as it is.
    pub(crate) fn judge(
        &self,
        form: Form,
        names: Names,
        request: (&[u8], &str),
        credentials: &[u8],
    ) -> Option<Ruling> {
        if self.settings().mode == Mode::Off {
            return None;
        }
        // A fault in here must not keep an agent from its model.
        let judged = AssertUnwindSafe(|| self.judge_read(form, names, request, credentials));
        panic::catch_unwind(judged).ok()?
    }

    fn judge_read(
        &self,
        form: Form,
        names: Names,
        (body, path): (&[u8], &str),
        credentials: &[u8],
    ) -> Option<Ruling> {
        let mut request = Request::read(form, body).ok()?;
        let owner = self.owner(credentials);
        let talk = self.find(names, &request, body, owner);
        let mut held = lock(&talk);
        let mut judged = held.conversation.judge(&mut request).ok()?;
        held.tally.requests += 1;
        held.last = clock::now();
        if let Some(model) = request.model() {
            held.model = model.into();
        }
        if !judged.decisions.is_empty() {
            self.changed();
        }
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
        let (mut halt, to_path) = self.halt(&mut held, &mut judged, &request, path);
        if halt.is_none() {
            halt = self.limit(&mut held, &mut judged, &request, path);
        }
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

    /// The answer in place of the model's where a limit of spending is reached. A share of a limit that was passed is a text
    /// for the model.
    fn limit(
        &self,
        talk: &mut Talk,
        judged: &mut Judged,
        request: &Request<'_>,
        path: &str,
    ) -> Option<Halt> {
        let (text, is_over) = match self.spending.standing(&talk.session) {
            Standing::Within => return None,
            Standing::Warned(text) => (text, false),
            Standing::Over(text) => (text, true),
        };
        let is_enforced = self.settings().mode == Mode::Enforce;
        (self.options.spent)(&talk.session, &text, is_enforced);
        self.changed();
        if !is_enforced {
            return None;
        }
        if !is_over {
            talk.conversation.note(request, judged, &text);
            return None;
        }
        Some(Halt {
            text,
            model: request.model().unwrap_or_default(),
            shape: request.shape(path),
            is_error: self.options.on_halt == OnHalt::Error,
            id: format!("unstuck{}", talk.tally.requests),
        })
    }

    /// Counts what an answer used.
    pub(crate) fn spend(&self, talk: &Mutex<Talk>, mut used: Used) {
        let (session, model) = {
            let talk = lock(talk);
            (talk.session.clone(), talk.model.clone())
        };
        if used.model.is_empty() {
            used.model = model;
        }
        if let Some(model) = self.spending.spend(&session, &used) {
            (self.options.unpriced)(&model);
        }
    }

    /// Judges a call of an answer: the text in its place, if it must not run.
    pub(crate) fn check(&self, talk: &Mutex<Talk>, call: &Call) -> Option<String> {
        let check = AssertUnwindSafe(|| {
            let mut talk = lock(talk);
            let (decision, text) = talk.conversation.check(call);
            if text.is_some() {
                talk.tally.denials += 1;
                self.changed();
                (self.options.decided)(&decision);
            }
            text
        });
        panic::catch_unwind(check).unwrap_or(None)
    }

    /// Remembers an answer that a later request may go on from.
    pub(crate) fn answered(&self, talk: &Arc<Mutex<Talk>>, id: &str, answered: Answered) {
        {
            let mut talk = lock(talk);
            talk.conversation.answered(answered);
            talk.answered = clock::now();
        }
        self.changed();
        // Ids of providers are short. A later request that names a longer one is judged by its history alone.
        if id.len() > LONGEST_ANSWER {
            return;
        }
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

/// Waits for the lock of a value that is whole between two steps of the work on it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").finish_non_exhaustive()
    }
}
