//! The words of a query, cut once for everything that reads them.

use super::{Args, query};
use crate::{
    vocab::arguments::ArgumentRole,
    wording::{Nature, Reading, pieces},
};
use unstuck_json::JsonKind;

/// Bytes of the longest query that is cut in advance.
const LONGEST: usize = 600;

/// The words of the query that a call has under the most telling name.
pub(crate) struct CutQuery {
    /// The place of the argument among the members.
    place: usize,
    words: Vec<CutWord>,
}

/// A word of a query.
pub(super) struct CutWord {
    /// The hash of the word.
    pub(super) hash: u32,
    pub(super) nature: Nature,
    /// The hash of the word in a question. `None` if it is in most questions.
    pub(super) in_question: Option<u32>,
}

impl CutQuery {
    /// Cuts the query. `None` if there is none, or if it is long or not a string: what reads it cuts it then.
    pub(super) fn of(args: &Args<'_>) -> Option<Self> {
        let place = args.place(ArgumentRole::Query)?;
        let value = args.members.get(place)?.value;
        if value.kind() != JsonKind::String || value.as_str().len() > LONGEST {
            return None;
        }
        let text = value.text()?;
        let mut words = Vec::with_capacity(text.len() / 6 + 1);
        for word in pieces(&text, Reading::Argument) {
            if word.bare.is_empty() {
                continue;
            }
            let (tag, nature) = word.tagged();
            let hash = tag.stirred();
            let in_question = if word.is_small() {
                query::hash_of_small(word.bare, hash)
            } else {
                query::hash_of(word.bare)
            };
            words.push(CutWord {
                hash,
                nature,
                in_question,
            });
        }
        Some(Self { place, words })
    }

    /// The words, if they are those of the member at `place`.
    pub(super) fn at(cut: Option<&Self>, place: usize) -> Option<&[CutWord]> {
        let cut = cut.filter(|cut| cut.place == place)?;
        Some(&cut.words)
    }
}
