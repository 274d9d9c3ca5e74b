//! Phrases that results are recognised by.
//!
//! Every phrase has its origin and two examples: a text that is recognised by it and a similar one that is
//! not. A test runs all of them through the functions that use the phrases. Examples are about the tool `fetch_page`.

pub(crate) mod bad_arguments;
pub(crate) mod refusals;
pub(crate) mod replies;
pub(crate) mod runners;

/// A phrase, in lower case unless its table is documented otherwise.
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "the origin and the examples are documentation that tests run"
    )
)]
pub(crate) struct Phrase {
    pub(crate) text: &'static str,
    /// The host, library or service that uses it. [`ANY`] if several do.
    pub(crate) origin: &'static str,
    /// A text that is recognised by the phrase.
    pub(crate) matches: &'static str,
    /// A similar text that is not.
    pub(crate) differs: &'static str,
}

/// The origin of phrases that several hosts use.
const ANY: &str = "several";

const fn phrase(
    text: &'static str,
    origin: &'static str,
    matches: &'static str,
    differs: &'static str,
) -> Phrase {
    Phrase {
        text,
        origin,
        matches,
        differs,
    }
}

/// The phrases alone.
pub(crate) const fn texts<const N: usize>(phrases: &[Phrase; N]) -> [&'static str; N] {
    let mut texts = [""; N];
    let mut at = 0;
    while at < N {
        texts[at] = phrases[at].text;
        at += 1;
    }
    texts
}
