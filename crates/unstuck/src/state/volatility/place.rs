//! One place in a result that changes from call to call.

use serde::{Deserialize, Serialize};

use super::token::{Sort, Token};

/// Number of comparisons in a row in which only volatile places must have changed.
const CHANGES: u8 = 2;

/// Minimum length of a volatile token: shorter ones are counters and flags.
const SHORTEST: u8 = 5;

/// Minimum length of a volatile number: shorter ones are counts and measurements.
const SHORTEST_NUMBER: u8 = 8;

/// Minimum length of letters alone that may be random, in a place that held a random value.
const LONG_WORD: u8 = 8;

/// Random numbers differ by more than the larger one divided by this.
const LEAP: u64 = 16;

/// A place that changes, and what its values have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) slot: u16,
    /// Comparisons in a row in which it changed.
    changes: u8,
    /// The last values, newest first.
    held: [u32; 3],
    /// Length that all its values have.
    length: u8,
    letters: u32,
    number: Option<u64>,
    /// Observed properties of its values.
    traits: ValueTraits,
    uses: Uses,
    pub(super) standing: Standing,
}

/// Observed properties of the values of a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ValueTraits {
    /// Whether a value looks random.
    drawn: bool,
    /// Whether more than digits changed.
    letters: bool,
    course: Course,
}

/// Direction of successive numbers.
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

/// Whether a later call used a value of the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Uses {
    None,
    Used,
}

/// Classification of a place.
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

    /// Records another value.
    pub(super) fn change(&mut self, token: &Token<'_>) {
        let noise = self.standing == Standing::Noise;
        let word = token.sort() == Sort::Word && length(token) < LONG_WORD;
        // A value of another length, a recurring one, or a word has a meaning.
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

    /// Records that only volatile places changed.
    pub(super) fn settle(&mut self) {
        if self.changes >= CHANGES && self.looks_drawn() {
            self.standing = Standing::Noise;
        }
    }

    /// Records that something else changed too: a place that is not classified yet starts again.
    pub(super) fn wait(&mut self) {
        if self.standing == Standing::News {
            self.changes = self.changes.min(1);
        }
    }

    /// Records that a later call used a value of this place.
    pub(super) fn use_up(&mut self) {
        self.uses = Uses::Used;
        self.standing = Standing::News;
    }

    pub(super) fn has_held(&self, value: u32) -> bool {
        self.held.contains(&value)
    }

    /// Whether the values look random and no call used them.
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
