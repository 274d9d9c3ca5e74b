//! The formats, and which one some bytes are in.

mod claude_code;
mod events;

use std::{fmt, str::FromStr};

use crate::{
    head::Head,
    transcript::{Document, Lines, Origin},
};

/// How the bytes of a format are to be handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Line by line, in any amount.
    Lines,
    /// As a whole.
    Document,
}

/// What wrote a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// Events as `unstuck check` reads them.
    Events,

    /// Sessions and sub-agents of Claude Code, and its `stream-json` output.
    ClaudeCode,
}

/// What turns a format's bytes into events.
pub(crate) enum Reader {
    Lines(Box<dyn Lines>),
    Document(Document),
}

impl Format {
    /// All of them, in the order they are tried.
    pub const ALL: &'static [Self] = &[
        Self::Events,
        // Agents that code.
        Self::ClaudeCode,
    ];

    /// The format of a transcript, by its first bytes: the beginning of the file, at least the first line where that
    /// is not too long.
    pub fn detect(head: &[u8]) -> Option<Self> {
        let head = Head::new(head);
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.is_that_of(&head))
    }

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Events => "events",

            Self::ClaudeCode => "claude-code",
        }
    }

    /// The agent or tool, as its makers write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Events => "unstuck events",

            Self::ClaudeCode => "Claude Code",
        }
    }

    /// Lines or a document.
    pub fn layout(self) -> Layout {
        match self {
            Self::Events => Layout::Lines,

            Self::ClaudeCode => Layout::Lines,
        }
    }

    /// Can a transcript that begins like this be in this format?
    pub fn recognises(self, head: &[u8]) -> bool {
        self.is_that_of(&Head::new(head))
    }

    fn is_that_of(self, head: &Head<'_>) -> bool {
        match self {
            Self::Events => events::recognises(head),

            Self::ClaudeCode => claude_code::recognises(head),
        }
    }

    pub(crate) fn reader(self, origin: &Origin) -> Reader {
        match self {
            Self::Events => Reader::Lines(Box::new(events::Reader::new(origin))),

            Self::ClaudeCode => Reader::Lines(Box::new(claude_code::Reader::new(origin))),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No format of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(Box<str>);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no transcript format is called `{}`", self.0)
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(name.into()))
    }
}
