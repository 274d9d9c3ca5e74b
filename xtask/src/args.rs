//! Command lines, without a dependency: flags, flags with a value (`--flag value` or `--flag=value`), words.

use std::collections::VecDeque;

use anyhow::{Context, Result, bail};

/// What is left of a command line.
#[derive(Debug)]
pub(crate) struct Args {
    words: VecDeque<String>,
    /// The part after `=` of the flag returned last, until someone takes it.
    attached: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arg {
    /// With its dashes.
    Flag(String),
    Word(String),
}

impl Args {
    pub(crate) fn new(words: Vec<String>) -> Self {
        Self {
            words: words.into(),
            attached: None,
        }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Arg>> {
        if let Some(value) = self.attached.take() {
            bail!("the value `{value}` belongs to a flag that takes none");
        }
        let Some(word) = self.words.pop_front() else {
            return Ok(None);
        };
        if !word.starts_with('-') {
            return Ok(Some(Arg::Word(word)));
        }
        if let Some((flag, value)) = word.split_once('=') {
            self.attached = Some(value.to_owned());
            return Ok(Some(Arg::Flag(flag.to_owned())));
        }
        Ok(Some(Arg::Flag(word)))
    }

    /// The value of the flag returned last.
    pub(crate) fn value(&mut self, flag: &str) -> Result<String> {
        self.attached
            .take()
            .or_else(|| self.words.pop_front())
            .with_context(|| format!("`{flag}` needs a value"))
    }
}

/// The error for an argument a command does not know.
pub(crate) fn unexpected<T>(command: &str, arg: &Arg) -> Result<T> {
    let (Arg::Flag(text) | Arg::Word(text)) = arg;
    bail!("`{command}` does not take `{text}`; see `cargo xtask help`")
}

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
