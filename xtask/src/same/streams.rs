//! The streams of events that are replayed, each as a file that `unstuck check` reads.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use unstuck_dev::{CmdExt as _, Shell};

use self::reference::{Label, Row, Stream as Reference};
use super::make;
use crate::conformance::{self, Purpose};

#[allow(
    dead_code,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "shared with the tests of the engine, which are allowed more and use other parts of it"
)]
#[path = "../../../crates/unstuck/tests/support/stream.rs"]
mod reference;

/// The seed and the number of rows of the reference stream, each a call with its result and a turn.
const REFERENCE_SEED: u64 = 20_261_115;
const REFERENCE_ROWS: usize = 4_000;

/// Fuzz targets whose inputs are streams of events.
const FUZZ_TARGETS: [&str; 1] = ["event_parsing"];

/// Inputs of a fuzz target that go into one stream: a process for each would take hours.
const INPUTS_TOGETHER: usize = 100;

/// Clears the agent that events without a session belong to, which a halt would otherwise silence for good.
const RESET: &[u8] = b"\n{\"event\":\"reset\"}\n";

/// Where a stream comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Vectors,
    Cases,
    Examples,
    Fuzz,
    Reference,
    Corpus,
}

impl Kind {
    /// From quick to slow.
    pub(super) const ALL: [Self; 6] = [
        Self::Vectors,
        Self::Cases,
        Self::Examples,
        Self::Fuzz,
        Self::Reference,
        Self::Corpus,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Vectors => "vectors",
            Self::Cases => "cases",
            Self::Examples => "examples",
            Self::Fuzz => "fuzz",
            Self::Reference => "reference",
            Self::Corpus => "corpus",
        }
    }
}

/// A file of events.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Lines that get an answer.
    pub(super) events: u64,
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind.name(), self.name)
    }
}

/// Writes the streams of these kinds under `place`.
pub(super) fn gather(
    shell: &Shell,
    place: &Path,
    kinds: &[Kind],
    corpus: &[PathBuf],
) -> Result<Vec<Stream>> {
    let mut gathered = Gathered {
        place: place.join("streams"),
        streams: Vec::new(),
    };
    for kind in kinds {
        match kind {
            Kind::Vectors => gathered.conformance(shell.root(), Purpose::Vectors)?,
            Kind::Cases => gathered.conformance(shell.root(), Purpose::Cases)?,
            Kind::Examples => gathered.examples(&shell.root().join("examples"))?,
            Kind::Fuzz => gathered.fuzz(&shell.root().join("fuzz"))?,
            Kind::Reference => gathered.reference()?,
            Kind::Corpus => gathered.corpus(shell, corpus)?,
        }
    }
    Ok(gathered.streams)
}

struct Gathered {
    place: PathBuf,
    streams: Vec<Stream>,
}

impl Gathered {
    fn conformance(&mut self, root: &Path, wanted: Purpose) -> Result<()> {
        for path in conformance::default_files(root)? {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let (purpose, lines) = conformance::events(&text)
                .with_context(|| format!("{} is not a vector file", path.display()))?;
            if purpose == wanted {
                let kind = match purpose {
                    Purpose::Vectors => Kind::Vectors,
                    Purpose::Cases => Kind::Cases,
                };
                let text = lines.join("\n") + "\n";
                self.add(kind, &stem(&path), text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Every file in a directory called `events`: the others are transcripts.
    fn examples(&mut self, directory: &Path) -> Result<()> {
        for path in files_under(directory)? {
            let parent = path.parent().and_then(Path::file_name);
            if parent.is_some_and(|parent| parent == "events") {
                let bytes = fs::read(&path)?;
                self.add(Kind::Examples, &stem(&path), &bytes)?;
            }
        }
        Ok(())
    }

    fn fuzz(&mut self, home: &Path) -> Result<()> {
        for target in FUZZ_TARGETS {
            for source in ["seeds", "corpus"] {
                let inputs = files_under(&home.join(source).join(target))?;
                for (at, group) in inputs.chunks(INPUTS_TOGETHER).enumerate() {
                    let mut bytes = Vec::new();
                    for input in group {
                        bytes.extend(fs::read(input)?);
                        bytes.extend_from_slice(RESET);
                    }
                    let name = format!("{target}-{source}-{}", at + 1);
                    self.add(Kind::Fuzz, &name, &bytes)?;
                }
            }
        }
        Ok(())
    }

    /// The reference stream twice: as it is, where a halt lasts to the end, and with a reset behind every episode, so that
    /// every preset decides on all of them.
    fn reference(&mut self) -> Result<()> {
        let mut plain = Vec::new();
        let mut cleared = Vec::new();
        let mut last = None;
        for row in Reference::new(REFERENCE_SEED).take(REFERENCE_ROWS) {
            if last.is_some_and(|episode| episode != row.episode) {
                cleared.extend_from_slice(RESET.trim_ascii_start());
            }
            last = (row.label != Label::Fresh).then_some(row.episode);
            let Row {
                call, result, turn, ..
            } = row;
            let lines = format!("{call}\n{result}\n{turn}\n");
            plain.extend_from_slice(lines.as_bytes());
            cleared.extend_from_slice(lines.as_bytes());
        }
        self.add(Kind::Reference, "plain", &plain)?;
        self.add(Kind::Reference, "cleared", &cleared)
    }

    /// Recordings are turned into events by `unstuck-eval`, which unpacks them and knows their form.
    fn corpus(&mut self, shell: &Shell, files: &[PathBuf]) -> Result<()> {
        for file in files {
            let path = self.path(Kind::Corpus, &stem(file))?;
            shell
                .cargo(["run", "--quiet", "--profile", "eval", "--manifest-path"])
                .arg(shell.root().join("Cargo.toml"))
                .args(["--package", "unstuck-eval", "--", "--events"])
                .arg(&path)
                .arg(file)
                .run_where_called()?;
            self.enter(Kind::Corpus, stem(file), path)?;
        }
        Ok(())
    }

    fn add(&mut self, kind: Kind, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path(kind, name)?;
        let context = || format!("cannot write {}", path.display());
        let file = File::create(&path).with_context(context)?;
        let mut out = BufWriter::new(file);
        out.write_all(bytes).with_context(context)?;
        out.flush().with_context(context)?;
        self.enter(kind, name.to_owned(), path)
    }

    fn enter(&mut self, kind: Kind, name: String, path: PathBuf) -> Result<()> {
        let known = |stream: &Stream| stream.kind == kind && stream.name == name;
        if self.streams.iter().any(known) {
            bail!(
                "two streams are called {}/{name}; rename one of the files",
                kind.name()
            );
        }
        let events = count_events(&path)?;
        self.streams.push(Stream {
            kind,
            name,
            path,
            events,
        });
        Ok(())
    }

    fn path(&self, kind: Kind, name: &str) -> Result<PathBuf> {
        let directory = self.place.join(kind.name());
        make(&directory)?;
        Ok(directory.join(format!("{name}.jsonl")))
    }
}

/// The name of a file up to its first dot.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// All files below a directory, in order of their paths; none if it does not exist.
fn files_under(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        if !directory.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&directory)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Lines that get an answer: all but blank ones, and a byte order mark does not count.
fn count_events(path: &Path) -> Result<u64> {
    let mut input = BufReader::with_capacity(1 << 18, File::open(path)?);
    let mut line = Vec::new();
    let (mut events, mut number) = (0, 0_u64);
    while input.read_until(b'\n', &mut line)? > 0 {
        number += 1;
        let text = match line.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if number == 1 => rest,
            _ => line.as_slice(),
        };
        events += u64::from(!text.trim_ascii().is_empty());
        line.clear();
    }
    Ok(events)
}

/// A line of a stream, counted from one, as text.
pub(super) fn line_of(path: &Path, number: u64) -> Result<Option<String>> {
    let mut input = BufReader::with_capacity(1 << 18, File::open(path)?);
    let mut line = Vec::new();
    for _ in 0..number {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
    }
    let text = String::from_utf8_lossy(line.trim_ascii_end());
    Ok(Some(text.into_owned()))
}

#[cfg(test)]
#[path = "streams_tests.rs"]
mod tests;
