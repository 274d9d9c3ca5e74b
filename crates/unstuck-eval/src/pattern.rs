//! Regular expressions that are compiled once.

use std::{borrow::Cow, sync::OnceLock};

use regex::{Captures, Regex};

/// A regular expression, compiled when it is first used. An invalid one matches nothing; a test compiles all of them.
pub(crate) struct Pattern {
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    pub(crate) const fn new(text: &'static str) -> Self {
        Self {
            text,
            compiled: OnceLock::new(),
        }
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    pub(crate) fn replaced<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        match self.regex() {
            Some(regex) => regex.replace_all(text, with),
            None => text.into(),
        }
    }

    pub(crate) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.regex()?.captures(text)
    }

    /// All matches of the pattern, or of its first group if it has one.
    pub(crate) fn all<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let found = self.regex().map(|regex| regex.captures_iter(text));
        found
            .into_iter()
            .flatten()
            .filter_map(|found| found.get(1).or_else(|| found.get(0)))
            .map(|found| found.as_str())
    }

    fn regex(&self) -> Option<&Regex> {
        let compile = || Regex::new(self.text).ok();
        self.compiled.get_or_init(compile).as_ref()
    }

    #[cfg(test)]
    pub(crate) fn is_valid(&self) -> bool {
        self.regex().is_some()
    }
}
