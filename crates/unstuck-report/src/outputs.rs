//! Registry of outputs: one file for each output, and one row here.
//!
//! To add an output, write its file in `outputs/` with a constant `OUTPUT`, and add it below: its module and its row.
//! The command reads names, help and file endings from the rows.

mod html;
mod json;
mod jsonl;
mod junit;
mod markdown;
mod parquet;
mod sarif;
mod terminal;

use std::fmt;

pub use json::json_schema;
pub use jsonl::json_lines_schema;

use crate::{error::RenderError, report::Report};

/// All outputs, in the order of the help.
static OUTPUTS: &[&Output] = &[
    &terminal::OUTPUT,
    &json::OUTPUT,
    &jsonl::OUTPUT,
    &sarif::OUTPUT,
    &markdown::OUTPUT,
    &junit::OUTPUT,
    &html::OUTPUT,
    &parquet::OUTPUT,
];

/// An output: what a report can be rendered as.
///
/// ```
/// use unstuck_report::{Output, RenderOptions, Report};
///
/// let html = Output::of_ending("html").expect("an output");
/// assert_eq!(html.name(), "html");
/// let page = html.render(&Report::default(), &RenderOptions::default())?;
/// assert!(page.starts_with("<!doctype html>"));
/// # Ok::<(), unstuck_report::RenderError>(())
/// ```
pub struct Output {
    name: &'static str,
    aliases: &'static [&'static str],
    help: &'static str,
    endings: &'static [&'static str],
    also: &'static [&'static str],
    kind: OutputKind,
    render: fn(&Report, &RenderOptions) -> Result<String, RenderError>,
}

/// What the text of an output is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputKind {
    /// Text for a person, with colours and lines that fit the terminal.
    Terminal,
    /// A document for a program or a service.
    Document,
    /// JSON, one value on each line.
    Lines,
    /// A page that shows the calls of every loop: reports for it are made with excerpts.
    Page,
    /// Files of columns, which [`Table`](crate::Table) and [`parquet`](crate::parquet()) make; there is no text.
    Tables,
}

/// How a report is rendered. An output ignores what does not concern it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderOptions {
    /// Columns of the terminal.
    pub width: usize,
    /// Runs in the table of the worst, on a terminal.
    pub runs: usize,
    /// Loops that are shown in full, on a terminal.
    pub loops: usize,
    /// The paths that were scanned, for the commands that are suggested; empty for the places where agents keep their
    /// transcripts.
    pub paths: Vec<String>,
    /// When the output is made, in milliseconds since 1970.
    pub now: Option<i64>,
}

impl Output {
    /// Returns all outputs, in the order of the help.
    pub fn all() -> &'static [&'static Self] {
        OUTPUTS
    }

    /// Returns the output of this name or alias.
    pub fn named(name: &str) -> Option<&'static Self> {
        let is_it = |output: &&Self| output.name == name || output.aliases.contains(&name);
        OUTPUTS.iter().copied().find(is_it)
    }

    /// Returns the first output of this kind.
    pub fn of_kind(kind: OutputKind) -> Option<&'static Self> {
        OUTPUTS.iter().copied().find(|output| output.kind == kind)
    }

    /// Returns the output that is meant where a file with this ending is written and no output is named.
    pub fn of_ending(ending: &str) -> Option<&'static Self> {
        let mut all = OUTPUTS.iter().copied();
        all.find(|output| output.endings.contains(&ending))
    }

    /// Returns the ending of a file's name that an output has, without its dot. Of several the longest is returned.
    pub fn ending(file_name: &str) -> Option<&'static str> {
        let name = file_name.to_lowercase();
        let endings = OUTPUTS.iter().flat_map(|output| output.endings);
        let found = endings.filter(|ending| {
            let stem = name.strip_suffix(**ending);
            stem.is_some_and(|stem| stem.ends_with('.'))
        });
        found.max_by_key(|ending| ending.len()).copied()
    }

    /// Name of the output, as it is written on the command line.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Other names that are accepted on the command line.
    pub fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    /// What the output is for, as a sentence.
    pub fn help(&self) -> &'static str {
        self.help
    }

    /// What the text of the output is for.
    pub fn kind(&self) -> OutputKind {
        self.kind
    }

    /// Whether files with this ending may hold the output.
    pub fn fits(&self, ending: &str) -> bool {
        self.endings.contains(&ending) || self.also.contains(&ending)
    }

    /// Renders a report.
    pub fn render(&self, report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
        (self.render)(report, options)
    }
}

impl PartialEq for Output {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Output {}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Output").field(&self.name).finish()
    }
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            width: 80,
            runs: 10,
            loops: 8,
            paths: Vec::new(),
            now: None,
        }
    }
}

impl RenderOptions {
    /// For a terminal with this many columns.
    pub fn of_width(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// For a report on these paths.
    #[must_use]
    pub fn about(mut self, paths: Vec<String>) -> Self {
        self.paths = paths;
        self
    }

    /// For an output made at this time, in milliseconds since 1970.
    #[must_use]
    pub fn made_at(mut self, now: i64) -> Self {
        self.now = Some(now);
        self
    }
}

#[cfg(test)]
#[path = "outputs_tests.rs"]
mod tests;
