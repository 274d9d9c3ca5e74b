//! Learned volatility: parts of a result that change with every equal call and have no meaning.
//!
//! [`normalize`](crate::normalize) recognises volatile values by their form. This module learns the rest: if the results
//! of equal calls differ in a few places only, and the values there look random, those places stop counting as change.
//! A value that rises or falls, recurs, is a word or a measurement, or is used in a later call is never learned.

use std::num::NonZeroU32;

mod place;
mod token;

use serde::{Deserialize, Serialize};

use crate::{
    fingerprint::Mark,
    hash::{Key, Tag},
    memory::{Recent, memories},
    options::nonzero,
};
use place::{Place, Standing};
use token::{Token, tokens};

/// Number of calls with examined results; the one with the oldest result is forgotten.
const CALLS: NonZeroU32 = nonzero!(16);

/// Maximum number of tokens of an examined result. Longer results are compared unchanged.
const TOKENS: usize = 128;

/// Maximum length of an examined result in bytes.
const BYTES: usize = 4_096;

/// Minimum number of tokens of an examined result.
const FEWEST: usize = 4;

/// Maximum number of volatile places in one result.
const PLACES: usize = 8;

/// Placeholder for a removed value: canonical JSON never contains it, and the normaliser uses others.
const LEFT_OUT: u8 = 0x1f;

/// Results of calls that were made more than once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Volatility {
    calls: Recent<Skeleton>,
}

/// The last answer to a call, token by token, and the places that change in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredSkeleton", into = "StoredSkeleton")]
struct Skeleton {
    /// Hash of everything between the tokens.
    between: u64,
    tokens: Box<[u32]>,
    /// Places that change, in order of position.
    places: Vec<Place>,
}

#[derive(Serialize, Deserialize)]
struct StoredSkeleton {
    between: u64,
    tokens: Box<[u32]>,
    places: Vec<Place>,
}

impl Volatility {
    pub(crate) fn new(key: Key) -> Self {
        Self {
            calls: Recent::new(CALLS, key),
        }
    }

    /// Whether the results of this call are examined.
    pub(crate) fn tracks(&self, call: Mark) -> bool {
        self.calls.get(call).is_some()
    }

    /// Records a result. Returns it without the places that are known to be volatile, if there are any.
    pub(crate) fn observe(&mut self, call: Mark, answer: &[u8]) -> Option<Vec<u8>> {
        let skeleton = self.calls.entry(call, Skeleton::default);
        let Some(answer) = AnswerTokens::read(answer) else {
            *skeleton = Skeleton::default();
            return None;
        };
        skeleton.compare(&answer);
        skeleton.leave_out(&answer)
    }

    /// Records the arguments of a call: a value that they use has a meaning.
    pub(crate) fn used_in(&mut self, args: &str) {
        let watched = |skeleton: &Skeleton| !skeleton.places.is_empty();
        if !self.calls.iter().any(|(_, skeleton)| watched(skeleton)) {
            return;
        }
        let mut used = Vec::new();
        for token in tokens(args.as_bytes()).take(TOKENS) {
            let hash = token.hash();
            let places = self.calls.iter().flat_map(|(call, skeleton)| {
                let places = skeleton.places.iter();
                places.map(move |place| (call, place))
            });
            let taken = places.filter(|(_, place)| place.has_held(hash));
            used.extend(taken.map(|(call, place)| (call, place.slot)));
        }
        for (call, slot) in used {
            self.calls.update(call, |skeleton| {
                let places = skeleton.places.iter_mut();
                for place in places.filter(|place| place.slot == slot) {
                    place.use_up();
                }
            });
        }
    }
}

memories!(Volatility {
    per_turn: [calls],
    lasting: [],
    plain: [],
});

/// The tokens of a result that is short enough to be examined.
struct AnswerTokens<'a> {
    bytes: &'a [u8],
    between: u64,
    tokens: Vec<Token<'a>>,
}

impl<'a> AnswerTokens<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() > BYTES {
            return None;
        }
        let tokens: Vec<_> = tokens(bytes).take(TOKENS + 1).collect();
        if !(FEWEST..=TOKENS).contains(&tokens.len()) {
            return None;
        }
        let mut from = 0;
        let mut between = Tag::EMPTY;
        for token in &tokens {
            between = between.and(bytes[from..token.start].iter().copied());
            // The boundaries between tokens are part of the hash.
            between = between.and([0_u8]);
            from = token.end();
        }
        Some(Self {
            between: between.and(bytes[from..].iter().copied()).0,
            bytes,
            tokens,
        })
    }
}

impl Skeleton {
    fn of(answer: &AnswerTokens<'_>) -> Self {
        Self {
            between: answer.between,
            tokens: answer.tokens.iter().map(Token::hash).collect(),
            places: Vec::new(),
        }
    }

    fn compare(&mut self, answer: &AnswerTokens<'_>) {
        if self.between != answer.between || self.tokens.len() != answer.tokens.len() {
            *self = Self::of(answer);
            return;
        }
        let pairs = self.tokens.iter().zip(&answer.tokens).enumerate();
        let changed: Vec<u16> = pairs
            .filter(|(_, (old, new))| **old != new.hash())
            .map(|(slot, _)| slot as u16)
            .collect();
        if changed.len() > PLACES || changed.len() * 2 > self.tokens.len() {
            *self = Self::of(answer);
            return;
        }
        // A value that changed once and then stayed is a real change.
        self.places
            .retain(|place| place.standing == Standing::Noise || changed.contains(&place.slot));
        let mut quiet = true;
        for slot in changed {
            let Some(token) = answer.tokens.get(usize::from(slot)) else {
                continue;
            };
            let before = self.tokens[usize::from(slot)];
            match self.places.binary_search_by_key(&slot, |place| place.slot) {
                Ok(at) => {
                    self.places[at].change(token);
                    quiet &= self.places[at].looks_drawn();
                }
                Err(at) => {
                    quiet = false;
                    self.places.insert(at, Place::new(slot, before, token));
                }
            }
            self.tokens[usize::from(slot)] = token.hash();
        }
        if self.places.len() > PLACES {
            self.places.clear();
        }
        // A change with a possible meaning: the whole result counts as changed.
        let judge = if quiet { Place::settle } else { Place::wait };
        self.places.iter_mut().for_each(judge);
    }

    fn leave_out(&self, answer: &AnswerTokens<'_>) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut from = 0;
        for place in &self.places {
            if place.standing == Standing::Noise
                && let Some(token) = answer.tokens.get(usize::from(place.slot))
            {
                out.extend_from_slice(&answer.bytes[from..token.start]);
                out.push(LEFT_OUT);
                from = token.end();
            }
        }
        if from == 0 {
            return None;
        }
        out.extend_from_slice(&answer.bytes[from..]);
        Some(out)
    }
}

impl From<Skeleton> for StoredSkeleton {
    fn from(skeleton: Skeleton) -> Self {
        Self {
            between: skeleton.between,
            tokens: skeleton.tokens,
            places: skeleton.places,
        }
    }
}

impl TryFrom<StoredSkeleton> for Skeleton {
    type Error = &'static str;

    fn try_from(stored: StoredSkeleton) -> Result<Self, Self::Error> {
        let inside = |place: &Place| usize::from(place.slot) < stored.tokens.len();
        let sorted = stored.places.is_sorted_by(|a, b| a.slot < b.slot);
        if stored.tokens.len() > TOKENS
            || stored.places.len() > PLACES
            || !sorted
            || !stored.places.iter().all(inside)
        {
            return Err("an answer that was looked at is out of bounds");
        }
        Ok(Self {
            between: stored.between,
            tokens: stored.tokens,
            places: stored.places,
        })
    }
}

#[cfg(test)]
#[path = "volatility_tests.rs"]
mod tests;
