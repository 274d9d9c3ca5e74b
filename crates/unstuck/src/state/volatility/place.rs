//! One place in an answer that changes from time to time.

use serde::{Deserialize, Serialize};

use super::token::{Sort, Token};

/// Comparisons in a row that a place must have changed in, and all else not.
const CHANGES: u8 = 2;

/// Shorter tokens are counters and flags.
const SHORTEST: u8 = 5;

/// Shorter numbers are counts and measured values.
const SHORTEST_NUMBER: u8 = 8;

/// Letters alone are a word, unless they are many and stand where something random stood.
const LONG_WORD: u8 = 8;

/// Numbers that are drawn lie further apart than this part of the larger one.
const LEAP: u64 = 16;

/// A place that changes, and what its values have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) slot: u16,
    /// Comparisons in a row in which it changed.
    changes: u8,
    /// The last values, newest first.
    held: [u32; 3],
    /// How long all its values are.
    length: u8,
    letters: u32,
    number: Option<u64>,
    /// What has been seen of its values.
    traits: ValueTraits,
    uses: Uses,
    pub(super) standing: Standing,
}

/// What a place was seen to do since it began to change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ValueTraits {
    /// A value that no one would make up.
    drawn: bool,
    /// Not only digits changed.
    letters: bool,
    course: Course,
}

/// Where numbers go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Course {
    #[default]
    Unknown,
    Rises,
    Falls,
    /// Up and down, and far each time.
    Leaps,
    /// A number followed a number close by.
    Creeps,
}

impl Course {
    fn go(self, before: u64, now: u64) -> Self {
        let close = now.abs_diff(before) <= now.max(before) / LEAP;
        match (self, now > before) {
            _ if close => Self::Creeps,
            (Self::Creeps | Self::Leaps, _) => self,
            (Self::Unknown | Self::Rises, true) => Self::Rises,
            (Self::Unknown | Self::Falls, false) => Self::Falls,
            (Self::Rises, false) | (Self::Falls, true) => Self::Leaps,
        }
    }
}

/// Whether a value of the place was taken up by a later call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Uses {
    None,
    Used,
}

/// What a place counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Standing {
    News,
    Noise,
}

impl Place {
    pub(super) fn new(slot: u16, before: u32, token: &Token<'_>) -> Self {
        Self {
            slot,
            changes: 1,
            held: [token.hash(), before, before],
            length: length(token),
            letters: token.letters(),
            number: token.number(),
            traits: ValueTraits {
                drawn: token.looks_drawn(),
                ..ValueTraits::default()
            },
            uses: Uses::None,
            standing: Standing::News,
        }
    }

    /// Another value stands there now.
    pub(super) fn change(&mut self, token: &Token<'_>) {
        let noise = self.standing == Standing::Noise;
        let word = token.sort() == Sort::Word && length(token) < LONG_WORD;
        // Of another length, come back, or a word where there was none: whatever it was, it says something now.
        if length(token) != self.length || self.has_held(token.hash()) || (noise && word) {
            *self = Self {
                uses: self.uses,
                ..Self::new(self.slot, self.held[0], token)
            };
            return;
        }
        self.traits.drawn |= token.looks_drawn();
        self.traits.letters |= token.letters() != self.letters;
        if let (Some(before), Some(now)) = (self.number, token.number()) {
            self.traits.course = self.traits.course.go(before, now);
        }
        self.changes = self.changes.saturating_add(1);
        self.held = [token.hash(), self.held[0], self.held[1]];
        self.letters = token.letters();
        self.number = token.number();
    }

    /// Nothing changed in the answer but places like this one.
    pub(super) fn settle(&mut self) {
        if self.changes >= CHANGES && self.looks_drawn() {
            self.standing = Standing::Noise;
        }
    }

    /// Something else changed in the answer: what is not known yet has to show itself again.
    pub(super) fn wait(&mut self) {
        if self.standing == Standing::News {
            self.changes = self.changes.min(1);
        }
    }

    /// A later call took up what stood here.
    pub(super) fn use_up(&mut self) {
        self.uses = Uses::Used;
        self.standing = Standing::News;
    }

    pub(super) fn has_held(&self, value: u32) -> bool {
        self.held.contains(&value)
    }

    /// Do the values look drawn at random, and does nobody use them?
    pub(super) fn looks_drawn(&self) -> bool {
        let ValueTraits {
            drawn,
            letters,
            course,
        } = self.traits;
        let token = drawn && letters && self.length >= SHORTEST;
        let number = self.number.is_some()
            && self.length >= SHORTEST_NUMBER
            && !letters
            && course == Course::Leaps;
        self.uses == Uses::None && (token || number)
    }
}

fn length(token: &Token<'_>) -> u8 {
    u8::try_from(token.bytes.len()).unwrap_or(u8::MAX)
}
