//! Words that say little about the subject.

use super::letters::Table;

/// Words that are in most questions, and say nothing about what is asked.
const IN_QUESTIONS: [(&str, ()); 53] = [
    ("a", ()),
    ("about", ()),
    ("all", ()),
    ("an", ()),
    ("and", ()),
    ("any", ()),
    ("are", ()),
    ("at", ()),
    ("be", ()),
    ("by", ()),
    ("can", ()),
    ("confirm", ()),
    ("could", ()),
    ("do", ()),
    ("does", ()),
    ("explain", ()),
    ("find", ()),
    ("for", ()),
    ("from", ()),
    ("give", ()),
    ("how", ()),
    ("i", ()),
    ("in", ()),
    ("is", ()),
    ("it", ()),
    ("know", ()),
    ("me", ()),
    ("my", ()),
    ("need", ()),
    ("of", ()),
    ("on", ()),
    ("or", ()),
    ("please", ()),
    ("should", ()),
    ("tell", ()),
    ("that", ()),
    ("the", ()),
    ("there", ()),
    ("this", ()),
    ("to", ()),
    ("use", ()),
    ("using", ()),
    ("want", ()),
    ("was", ()),
    ("what", ()),
    ("when", ()),
    ("where", ()),
    ("which", ()),
    ("who", ()),
    ("why", ()),
    ("with", ()),
    ("would", ()),
    ("you", ()),
];

static QUESTIONS: Table<(), 128> = Table::of(&IN_QUESTIONS);

/// Whether a word is in most questions. Capitals do not matter.
pub(crate) fn is_common_in_questions(word: &[u8]) -> bool {
    QUESTIONS.get(word).is_some()
}

/// Words of four letters and more that are in many sentences.
pub(crate) const IN_SENTENCES: [&str; 55] = [
    "about", "after", "again", "also", "anything", "because", "been", "before", "being", "both",
    "cannot", "could", "does", "doing", "done", "each", "else", "first", "from", "going", "have",
    "here", "into", "just", "like", "made", "make", "might", "more", "must", "need", "needs",
    "next", "only", "other", "over", "really", "should", "some", "still", "sure", "than", "that",
    "their", "them", "then", "there", "these", "they", "this", "want", "what", "when", "will",
    "with",
];
