//! Recordings: what `unstuck scan` finds and reads, read as often as needed.

use std::{
    fs::File,
    io::{self, Read},
    path::PathBuf,
};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use unstuck::Event;
use unstuck_transcript::{Problem, Sink, Usage};

use unstuck_report::SkipReason;

use crate::{
    Asked, Candidate, Found, Job, Meter, Source,
    once::{KeepMarks, Once, Plan},
    read::{Ending, read},
    work::Share,
};

/// Most bytes of standard input or of a pipe. They are copied to a file for the replays.
const MAX_COPIED: u64 = 1 << 30;

/// Everything that is replayed, in the order in which it is.
pub struct Recordings {
    all: Vec<Recording>,
    /// Files that are equal to others: name, and the other file in words.
    pub equal: Vec<(String, String)>,
    /// Directories that could not be looked into: `path: why`.
    pub errors: Vec<String>,
    /// Copies of standard input and pipes, removed with this.
    _copies: Vec<TempDir>,
}

/// One stream of events. Its lines and sessions are its own.
pub struct Recording {
    pub name: String,
    candidate: Candidate,
    /// What is left out because another recording has it.
    plan: Plan,
    /// The recording that has it, in words.
    pub elsewhere: Option<String>,
}

/// A place in a recording that could not be read.
pub struct Broken {
    pub line: Option<u64>,
    pub error: String,
}

/// How a replay ended.
pub enum Replayed {
    /// The recording was read to its end.
    Whole,
    /// The file is not a transcript, for this reason and with this detail.
    Skipped(SkipReason, &'static str),
    /// It could not be read, or not to its end.
    Failed(String),
}

impl Recordings {
    /// Takes over what a scan would read and count. A path of the user that cannot be opened is an error.
    pub fn of(found: Found, paths: &[PathBuf], job: &Job<'_>) -> Result<Self> {
        let mut errors = Vec::new();
        for error in found.errors {
            let text = format!("{}: {}", error.path, error.error);
            let is_named = |path: &PathBuf| path.display().to_string() == error.path;
            if paths.iter().any(is_named) {
                bail!(text);
            }
            errors.push(text);
        }
        let mut copies = Vec::new();
        let mut files = found.files;
        for candidate in &mut files {
            let name = &candidate.name;
            let copied = match &candidate.source {
                Source::File(_) => None,
                Source::StandardInput => Some(copy(name, io::stdin().lock())?),
                Source::Pipe(path) => {
                    let pipe = File::open(path).with_context(|| format!("cannot open {name}"))?;
                    Some(copy(name, pipe)?)
                }
            };
            if let Some((directory, path)) = copied {
                candidate.source = Source::File(path);
                copies.push(directory);
            }
        }
        let shares = job.shares(&files, &Meter::default());
        let (mut all, mut equal) = (Vec::new(), Vec::new());
        for (candidate, share) in files.into_iter().zip(shares) {
            let name = candidate.name.clone();
            let (plan, elsewhere) = match share {
                Share::Whole => (Plan::new(), None),
                Share::Part(plan, elsewhere) => (plan, Some(elsewhere)),
                Share::Nothing(original) => {
                    equal.push((name, original));
                    continue;
                }
            };
            all.push(Recording {
                name,
                candidate,
                plan,
                elsewhere,
            });
        }
        Ok(Self {
            all,
            equal,
            errors,
            _copies: copies,
        })
    }

    #[cfg(test)]
    pub fn of_texts(texts: &[(&str, String)]) -> Self {
        let (recordings, copies) = texts
            .iter()
            .map(|(name, text)| {
                let (directory, path) = copy(name, text.as_bytes()).expect("a copy");
                let candidate = Candidate {
                    source: Source::File(path),
                    name: (*name).to_owned(),
                    size: text.len() as u64,
                    modified: None,
                    asked: Asked::ByName,
                };
                let recording = Recording {
                    name: (*name).to_owned(),
                    candidate,
                    plan: Plan::new(),
                    elsewhere: None,
                };
                (recording, directory)
            })
            .unzip();
        Self {
            all: recordings,
            equal: Vec::new(),
            errors: Vec::new(),
            _copies: copies,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Recording> {
        self.all.iter()
    }
}

impl Recording {
    /// Reads it from its start: every event once, and everything that could not be read. Returns how it ended, and the
    /// number of calls and texts that were left out because they are recorded more than once.
    pub fn replay(&self, mut each: impl FnMut(Result<Event, Broken>)) -> (Replayed, u64) {
        let mut sink = Each {
            once: Once::new(self.plan.clone(), KeepMarks::No),
            each: &mut each,
        };
        let ending = read(&self.candidate, &|_| true, &Meter::default(), &mut sink);
        let replayed = match ending {
            Ending::Read(_) => Replayed::Whole,
            Ending::Failed(_, error) => Replayed::Failed(error),
            Ending::Unwanted(format) => Replayed::Skipped(SkipReason::NotAsked, format.name()),
            // A file that was named was meant to be read.
            Ending::Unknown(content) if self.candidate.asked == Asked::ByName => {
                Replayed::Failed(content.sentence())
            }
            Ending::Unknown(content) => Replayed::Skipped(content.reason(), content.detail()),
        };
        (replayed, sink.once.repeated())
    }
}

/// Passes on what a transcript contains.
struct Each<'a, F> {
    once: Once,
    each: &'a mut F,
}

impl<F: FnMut(Result<Event, Broken>)> Sink for Each<'_, F> {
    fn event(&mut self, event: Event) {
        if self.once.admits(&event) {
            (self.each)(Ok(event));
        }
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, problem: Problem) {
        (self.each)(Err(Broken {
            line: problem.line,
            error: problem.message.into(),
        }));
    }
}

/// Copies a stream to a file of its own.
fn copy(name: &str, input: impl Read) -> Result<(TempDir, PathBuf)> {
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    // A session without a name is called by the name of its file.
    let path = directory.path().join("standard-input");
    let mut file = File::create_new(&path).context("cannot make a temporary file")?;
    let copied = io::copy(&mut input.take(MAX_COPIED + 1), &mut file)
        .with_context(|| format!("cannot read {name}"))?;
    if copied > MAX_COPIED {
        let most = MAX_COPIED >> 30;
        bail!("{name} is over {most} GiB: write it to a file, and name that file");
    }
    Ok((directory, path))
}
