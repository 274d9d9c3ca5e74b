//! Recordings: files of events and transcripts of agents, read as often as needed.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use unstuck::Event;
use unstuck_transcript::{Format, Origin, Problem, Sink, Transcript, Usage};

use crate::{
    events::Events,
    regular,
    scan::{self, Asked, Candidate, Ending, Links, Meter, Skipped, find, read},
};

/// Files of this kind in directories are recordings, even if nothing in them looks like it.
const EXTENSION: &str = "jsonl";

/// Standard input and pipes can be read only once, and are held in memory for the replays. More should be a file.
const MAX_HELD: u64 = 256 << 20;

/// Everything that is replayed, in the order in which it is.
pub(crate) struct Recordings {
    recordings: Vec<Recording>,
}

/// One stream of events. Its lines and sessions are its own.
pub(crate) struct Recording {
    pub(crate) name: String,
    source: Source,
}

enum Source {
    File(Candidate),
    Held(Vec<u8>),
}

/// Something in a recording that is no event.
pub(crate) struct Broken {
    pub(crate) line: Option<u64>,
    pub(crate) error: String,
}

impl Recordings {
    /// The files named, and all recordings in the directories named; `-` is standard input.
    /// What was skipped is returned as well.
    pub(crate) fn find(paths: &[PathBuf], links: Links) -> Result<(Self, Skipped)> {
        let mut recordings: Vec<Recording> = Vec::new();
        let mut skipped = Skipped::default();
        for path in paths {
            if path == Path::new("-") {
                let name = "standard input".to_owned();
                recordings.push(hold(name, io::stdin().lock())?);
                continue;
            }
            let found = find(std::slice::from_ref(path), links);
            skipped.add(found.skipped);
            if let Some(error) = found.errors.first() {
                bail!("{}: {}", error.path, error.error);
            }
            let before = recordings.len();
            for file in found.files {
                if let scan::Source::Pipe(path) = &file.source {
                    let opened = File::open(path);
                    let pipe = opened.with_context(|| format!("cannot open {}", file.name))?;
                    recordings.push(hold(file.name, pipe)?);
                } else if is_recording(&file) {
                    recordings.push(Recording::file(file));
                }
            }
            if recordings.len() == before {
                bail!(
                    "no recording in {} or the directories in it",
                    path.display()
                );
            }
        }
        // A file that was named twice is still one recording.
        let mut names = std::collections::BTreeSet::new();
        recordings.retain(|recording| names.insert(recording.name.clone()));
        Ok((Self { recordings }, skipped))
    }

    #[cfg(test)]
    pub(crate) fn of_texts(texts: &[(&str, String)]) -> Self {
        let recordings = texts.iter().map(|(name, text)| Recording {
            name: (*name).to_owned(),
            source: Source::Held(text.clone().into_bytes()),
        });
        Self {
            recordings: recordings.collect(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Recording> {
        self.recordings.iter()
    }
}

impl Recording {
    fn file(candidate: Candidate) -> Self {
        Self {
            name: candidate.name.clone(),
            source: Source::File(candidate),
        }
    }

    /// Reads it from its start: every event, and everything that is none.
    pub(crate) fn replay(&self, mut each: impl FnMut(Result<Event, Broken>)) -> Result<()> {
        match &self.source {
            Source::File(candidate) => {
                let mut sink = Each(&mut each);
                match read(candidate, &is_of_an_agent, &Meter::default(), &mut sink) {
                    Ending::Read(_) => Ok(()),
                    Ending::Failed(_, error) => bail!("{}: {error}", self.name),
                    Ending::Unwanted(_) | Ending::Unknown(_) => {
                        let opened = match &candidate.source {
                            scan::Source::File(path) => regular::open(path),
                            // These are held in memory.
                            scan::Source::Pipe(_) | scan::Source::StandardInput => return Ok(()),
                        };
                        let file = opened.with_context(|| format!("cannot open {}", self.name))?;
                        self.events(file, &mut each)
                    }
                }
            }
            Source::Held(bytes) => match Format::detect(bytes).filter(|it| is_of_an_agent(*it)) {
                Some(format) => {
                    let mut transcript = Transcript::new(format, &Origin::default());
                    let mut sink = Each(&mut each);
                    transcript.document(bytes, &mut sink);
                    transcript.end(&mut sink);
                    Ok(())
                }
                None => self.events(Cursor::new(bytes), &mut each),
            },
        }
    }

    fn events(&self, input: impl Read, each: &mut impl FnMut(Result<Event, Broken>)) -> Result<()> {
        let mut events = Events::after_line(0, input);
        loop {
            let next = events.next();
            let Some(entry) = next.with_context(|| format!("cannot read {}", self.name))? else {
                return Ok(());
            };
            each(entry.event.map_err(|error| Broken {
                line: Some(entry.line),
                error: error.to_string(),
            }));
        }
    }
}

/// Our own events are read more strictly than by a scan: every line that is none is told.
fn is_of_an_agent(format: Format) -> bool {
    format != Format::Events
}

fn is_recording(candidate: &Candidate) -> bool {
    let scan::Source::File(path) = &candidate.source else {
        return true;
    };
    if candidate.asked == Asked::ByName || path.extension().is_some_and(|it| it == EXTENSION) {
        return true;
    }
    let nobody = |_: Format| false;
    let mut sink = Each(&mut |_| {});
    let ending = read(candidate, &nobody, &Meter::default(), &mut sink);
    matches!(ending, Ending::Unwanted(_))
}

/// Passes on what a transcript tells.
struct Each<'a, F>(&'a mut F);

impl<F: FnMut(Result<Event, Broken>)> Sink for Each<'_, F> {
    fn event(&mut self, event: Event) {
        (self.0)(Ok(event));
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, problem: Problem) {
        (self.0)(Err(Broken {
            line: problem.line,
            error: problem.message.into(),
        }));
    }
}

fn hold(name: String, input: impl Read) -> Result<Recording> {
    let mut bytes = Vec::new();
    input
        .take(MAX_HELD + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > MAX_HELD {
        bail!(
            "{name} is over {} MiB: write it to a file, and name that",
            MAX_HELD >> 20
        );
    }
    Ok(Recording {
        name,
        source: Source::Held(bytes),
    })
}
