//! Answers that say that nothing was changed.

use super::opening::{Opening, Phrases};
use crate::vocab::phrases::{replies, texts};
use unstuck_json::Json;

/// A longer answer tells what was done.
const LONGEST: usize = 600;

/// How soon it has to be said.
const SOON: usize = 160;

const UNCHANGED: Phrases = Phrases::new(&texts(&replies::UNCHANGED));

/// Whether the answer to a call that was to change something says that nothing changed.
pub(super) fn says_unchanged(output: Option<&Json>) -> bool {
    output.is_some_and(|output| {
        let canonical = output.as_str();
        canonical.len() <= LONGEST && UNCHANGED.are_in(Opening::at_most(SOON, canonical).as_bytes())
    })
}
