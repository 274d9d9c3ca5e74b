//! Vocabulary: the words by which tools, arguments and results are recognised, each in one table.
//!
//! | table | holds |
//! |---|---|
//! | [`acknowledgements`] | words of results that say no more than that something was done |
//! | [`arguments`] | names of arguments and what they are used for |
//! | [`common_words`] | words that say little about the subject |
//! | [`members`] | names of members in results |
//! | [`phrases`] | phrases of hosts, libraries and services, with examples |
//! | [`tools`] | words in the names of tools, and tools that run a shell |
//!
//! Programs of a shell are in the crate `unstuck-shell`.

pub(crate) mod acknowledgements;
pub(crate) mod arguments;
pub(crate) mod common_words;
mod letters;
pub(crate) mod members;
pub(crate) mod phrases;
pub(crate) mod tools;
