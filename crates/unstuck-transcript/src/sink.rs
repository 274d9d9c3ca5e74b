//! Where the contents of a transcript go.

use unstuck::{Event, Timestamp};

/// Takes what a transcript tells, in the order it tells it.
pub trait Sink {
    /// Something the engine can judge. Its session and agent are those the transcript names. Its `line` is the line of
    /// the file that it begins on, in a document the line of its message, step or span; `None` where lines mean nothing
    /// to a reader of the file, as in a database or an archive.
    fn event(&mut self, event: Event);

    /// What one request to a model used. Told once for each request, however often the transcript repeats it.
    fn usage(&mut self, usage: Usage);

    /// What an agent was asked: by a person, told with each `user` event whose text the transcript has, before the event;
    /// or by the agent that started it, without an event.
    fn asked(&mut self, session: &str, agent: &str, text: &str) {
        let _ = (session, agent, text);
    }

    /// A line or element that could not be read. Reading goes on.
    fn problem(&mut self, problem: Problem);

    /// Everything after some point is missing: the transcript is cut off, broken or too large.
    fn incomplete(&mut self, problem: Problem) {
        self.problem(problem);
    }
}

/// What one request to a model used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// The session it belongs to.
    pub session: Box<str>,
    /// The agent it belongs to.
    pub agent: Box<str>,
    /// The line it was read from, as in events; 0 where there is none.
    pub line: u64,
    /// When.
    pub at: Option<Timestamp>,
    /// The model, by the name the transcript has for it; empty where it has none.
    pub model: Box<str>,
    /// How many tokens.
    pub tokens: Tokens,
    /// What the transcript itself says it cost, in millionths of a dollar.
    pub cost_micros: Option<u64>,
}

/// Tokens, apart by what they cost. No token is in two of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Read by the model, and not from a cache.
    pub input: u64,
    /// Written by the model, its thinking included.
    pub output: u64,
    /// Read from the provider's cache.
    pub cache_read: u64,
    /// Written to the provider's cache.
    pub cache_write: u64,
}

impl Tokens {
    /// All of them.
    pub fn total(self) -> u64 {
        self.input
            .saturating_add(self.output)
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write)
    }
}

/// A part of a transcript that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line of the file; `None` where the whole document is meant.
    pub line: Option<u64>,
    /// What is wrong, in words.
    pub message: Box<str>,
}
