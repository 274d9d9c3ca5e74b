//! What a swarm compares a call by.

use crate::fingerprint::{Domain, Fingerprint, Fingerprinter, action_text};
use unstuck_json::Json;

/// Bytes of the longest text that is kept until its fingerprint is asked for.
const LONGEST: usize = 256;

/// What a swarm compares a call by: a fingerprint, made when a rule asks for it. Most calls are never asked about, and to
/// hash a small call takes as long as to parse it.
#[derive(Clone, Debug, Default)]
pub(crate) enum SwarmKey {
    /// No rule asks.
    #[default]
    None,
    /// The text that the fingerprint is of.
    Text(String),
    Fingerprint(Fingerprint),
}

impl SwarmKey {
    /// The key of a call that is compared by a part of it.
    pub(super) fn of_text(prints: &Fingerprinter, mut text: String) -> Self {
        if text.len() > LONGEST {
            return Self::Fingerprint(prints.canonical(Domain::Action, text.as_bytes()));
        }
        if text.capacity() > LONGEST {
            text.shrink_to_fit();
        }
        Self::Text(text)
    }

    /// The key of a call that is compared by all of it.
    pub(super) fn of_call(prints: &Fingerprinter, tool: &str, args: &Json) -> Self {
        if args.as_str().len() + tool.len() > LONGEST {
            return Self::Fingerprint(prints.action(tool, args));
        }
        Self::of_text(prints, action_text(tool, args))
    }

    pub(super) fn fingerprint(&self, prints: &Fingerprinter) -> Option<Fingerprint> {
        match self {
            Self::None => None,
            Self::Text(text) => Some(prints.canonical(Domain::Action, text.as_bytes())),
            Self::Fingerprint(known) => Some(*known),
        }
    }
}

impl From<Option<Fingerprint>> for SwarmKey {
    fn from(known: Option<Fingerprint>) -> Self {
        known.map_or(Self::None, Self::Fingerprint)
    }
}
