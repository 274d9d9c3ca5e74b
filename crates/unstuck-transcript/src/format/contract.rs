//! What is known of a format: all that the author of a format's file has to read, beside the traits of its reader.

use crate::{
    head::Head,
    transcript::{Document, Lines, Origin},
};

/// Everything about one format.
pub(crate) struct FormatSpec {
    /// Name on the command line, in kebab-case.
    pub(crate) name: &'static str,
    /// The agent or tool, as its makers write it.
    pub(crate) title: &'static str,
    /// Name of the agent that writes it: that of its hooks, or of the format where it has none.
    pub(crate) agent: &'static str,
    /// Whether a transcript that begins like this can be in this format. No two formats may recognise the same bytes.
    pub(crate) recognises: fn(&Head<'_>) -> bool,
    /// How it is read.
    pub(crate) reading: Reading,
    /// Endings of its files.
    pub(crate) endings: &'static [&'static str],
    /// Names without endings that all its files have: the directory names the session then.
    pub(crate) files_named_alike: &'static [&'static str],
    /// JSON pointers to the directory of the run, in one of the first lines.
    pub(crate) directory: &'static [&'static str],
    /// Where agents write it.
    pub(crate) locations: &'static [Location],
}

/// How a format is read.
pub(crate) enum Reading {
    /// Line by line, in any amount.
    Lines(fn(&Origin) -> Box<dyn Lines>),
    /// As a whole.
    Document(Document),
}

/// A place of recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// What it is relative to.
    pub root: Root,
    /// Under the root: a directory, or one file.
    pub under: &'static str,
    /// The agent that writes there, where it is not the one that the format is named after.
    pub title: Option<&'static str>,
}

/// What a place is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A directory in the user's home, unless this environment variable names another one.
    Home(&'static str, Option<&'static str>),
    /// A directory among the user's data.
    Data(&'static str),
    /// A directory among the user's configuration.
    Configuration(&'static str),
    /// A directory among those where programs with windows keep their data.
    Application(&'static str),
}
