//! A part of the agents: an engine, its journal, and what people want to know.

use std::{collections::BTreeMap, io, path::Path};

use serde::{Deserialize, Serialize};
use unstuck::{
    Begun, Call, Decision, Engine, Event, Mode, Question, Settings, Timestamp,
    swarm::{Delta, Tally},
};
use unstuck_session::index_key;

use crate::{
    books::Books,
    events::bound_names,
    journal::{Journal, Record, records},
};

/// A part of the agents. It is used by one request at a time.
pub(crate) struct Shard {
    engine: Engine,
    journal: Option<Journal>,
    books: Books,
    /// Questions that wait for their tally, by number.
    open: BTreeMap<u64, Question>,
    /// Number of the next question.
    next: u64,
}

/// What comes of an event.
pub(crate) enum Step {
    Decided(Decision),
    /// A tally has to be asked for first, with this number.
    Asks(u64, Delta),
}

/// Everything that a shard has to remember.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    agents: Vec<(Box<str>, Box<str>, Vec<u8>)>,
    books: Books,
    next: u64,
}

impl Shard {
    /// A shard without agents, which keeps nothing on disk.
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            engine: Engine::with_index_key(settings, index_key::random()).without_first_arguments(),
            journal: None,
            books: Books::default(),
            open: BTreeMap::new(),
            next: 0,
        }
    }

    /// A shard that goes on from its files.
    pub(crate) fn open(settings: Settings, directory: &Path, number: usize) -> io::Result<Self> {
        let found = Journal::open(directory, number)?;
        let mut shard = Self::new(settings);
        if let Some(snapshot) = found.snapshot
            && let Ok(snapshot) = postcard::from_bytes::<Snapshot>(&snapshot)
        {
            for (session, agent, state) in &snapshot.agents {
                // State of another version starts afresh.
                let _ = shard.engine.restore(session, agent, state);
            }
            shard.books = snapshot.books;
            shard.next = snapshot.next;
        }
        for record in records(&found.records) {
            match record {
                Record::Event { text, at } => {
                    if let Ok(mut event) = Event::parse(text.as_bytes()) {
                        bound_names(&mut event);
                        event.at = event.at.or(at.map(Timestamp));
                        shard.take(event);
                    }
                }
                Record::Tally { question, tally } => {
                    shard.answer(question, tally.as_ref());
                }
            }
        }
        // They were not answered before the end of the process.
        shard.open.clear();
        shard.journal = Some(found.journal);
        Ok(shard)
    }

    /// Takes an event in that has this JSON. An event without a time gets this one, in milliseconds.
    pub(crate) fn begin(&mut self, mut event: Event, text: &str, now: i64) -> Step {
        let at = event.at.is_none().then_some(now);
        event.at = event.at.or(at.map(Timestamp));
        if let Some(journal) = &mut self.journal {
            journal.add(&Record::Event { text, at });
        }
        self.take(event)
    }

    /// Answers the event of a question. `None` if there is no such question.
    pub(crate) fn finish(&mut self, question: u64, tally: Option<&Tally>) -> Option<Decision> {
        if let Some(journal) = &mut self.journal {
            let tally = tally.cloned();
            journal.add(&Record::Tally { question, tally });
        }
        self.answer(question, tally)
    }

    /// Makes what was observed outlive this process. Beyond `most` bytes of journal, the state is written as a whole.
    pub(crate) fn flush(&mut self, most: u64) -> io::Result<()> {
        self.books.tidy(&self.engine);
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        journal.flush()?;
        if journal.length() > most && self.open.is_empty() {
            return self.write_whole();
        }
        Ok(())
    }

    /// Writes the state as a whole, unless a question is open: its answer belongs to the journal that has the question.
    pub(crate) fn write_whole(&mut self) -> io::Result<()> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        journal.flush()?;
        if !self.open.is_empty() {
            return Ok(());
        }
        let snapshot = Snapshot {
            agents: agents_of(&self.engine),
            books: self.books.clone(),
            next: self.next,
        };
        let snapshot = postcard::to_allocvec(&snapshot).map_err(io::Error::other)?;
        journal.restart(&snapshot)
    }

    /// Changes the mode of all agents, which keep their state.
    pub(crate) fn set_mode(&mut self, mode: Mode) -> io::Result<()> {
        let mut settings = self.engine.settings().clone();
        settings.mode = mode;
        let mut engine =
            Engine::with_index_key(settings, index_key::random()).without_first_arguments();
        for (session, agent, state) in agents_of(&self.engine) {
            let _ = engine.restore(&session, &agent, &state);
        }
        self.engine = engine;
        // The journal before the change was made by another mode.
        self.write_whole()
    }

    pub(crate) fn check(&self, session: &str, agent: &str, call: &Call) -> Decision {
        self.engine.check(session, agent, call)
    }

    pub(crate) fn books(&self) -> &Books {
        &self.books
    }

    /// Bytes of the journal.
    pub(crate) fn journal_bytes(&self) -> u64 {
        self.journal.as_ref().map_or(0, Journal::length)
    }

    fn take(&mut self, event: Event) -> Step {
        let at = event.at.map_or(0, |at| at.0);
        match self.engine.begin(event) {
            Begun::Decided(decision) => {
                self.books.record(&decision, at);
                Step::Decided(decision)
            }
            Begun::Asks(question) => {
                let number = self.next;
                self.next += 1;
                let delta = question.delta().clone();
                self.open.insert(number, question);
                Step::Asks(number, delta)
            }
        }
    }

    fn answer(&mut self, question: u64, tally: Option<&Tally>) -> Option<Decision> {
        let question = self.open.remove(&question)?;
        let decision = self.engine.finish(question, tally);
        self.books.record(&decision, 0);
        Some(decision)
    }
}

/// The agents of an engine with their state.
fn agents_of(engine: &Engine) -> Vec<(Box<str>, Box<str>, Vec<u8>)> {
    let agents = engine.agents();
    agents
        .filter_map(|(session, agent)| {
            let state = engine.snapshot(session, agent)?;
            Some((session.into(), agent.into(), state))
        })
        .collect()
}
