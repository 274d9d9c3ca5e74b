//! `--format` says what is written, `--output` says where.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};

use crate::{notes, output::Sink, style::CODE, style::paint};

/// In which format a result is written, and where.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs<F: ValueEnum + Send + Sync + 'static> {
    /// Format of the result. The first one listed is the default.
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<F>,

    /// File to write the result to, instead of standard output. Only its owner can read a new file.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Old spelling of `--format json`.
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
}

/// For results that have one format.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct FileArgs {
    /// File to write the result to, instead of standard output. Only its owner can read a new file.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

/// Formats of results that are for people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// Text for people.
    Text,
    /// One JSON document for programs.
    Json,
}

impl<F: ValueEnum + Copy + PartialEq + Send + Sync + 'static> OutputArgs<F> {
    /// The format that was asked for, or the first one.
    pub(crate) fn format(&self) -> Result<F> {
        match (self.asked()?, F::value_variants().first()) {
            (Some(asked), _) => Ok(asked),
            (None, Some(first)) => Ok(*first),
            (None, None) => bail!("there are no formats"),
        }
    }

    /// The format that was asked for, in the new spelling or an old one.
    pub(crate) fn asked(&self) -> Result<Option<F>> {
        if self.json {
            let Ok(json) = F::from_str("json", false) else {
                bail!("there is no format `json`");
            };
            notes::note(old("--json", "--format json"));
            return Ok(Some(json));
        }
        if let Some(format) = self.old_format() {
            let name = name(&format);
            let word = format!("--output {name}");
            notes::note(format_args!(
                "{}; a file of that name is `--output ./{name}`",
                old(&word, &format!("--format {name}"))
            ));
            return Ok(Some(format));
        }
        Ok(self.format)
    }

    /// The file to write to.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self.old_format() {
            Some(_) => None,
            None => self.output.as_deref(),
        }
    }

    /// Opens the place where the result goes. Colours are for text.
    pub(crate) fn open(&self) -> Result<Sink> {
        Sink::open(self.file())
    }

    /// `--output` had the format in earlier versions.
    fn old_format(&self) -> Option<F> {
        if self.format.is_some() || self.json {
            return None;
        }
        F::from_str(self.output.as_deref()?.to_str()?, false).ok()
    }
}

impl FileArgs {
    /// Opens the place where the result goes.
    pub(crate) fn open(&self) -> Result<Sink> {
        Sink::open(self.output.as_deref())
    }
}

fn name<F: ValueEnum>(format: &F) -> String {
    let value = format.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// What is said about a spelling that will go.
pub(crate) fn old(old: &str, new: &str) -> String {
    format!(
        "{} is now {}; the old spelling will be removed after the next release",
        paint(CODE, old),
        paint(CODE, new)
    )
}
