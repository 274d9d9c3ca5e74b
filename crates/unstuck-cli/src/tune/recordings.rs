//! Recordings: files of events, read as often as needed.

use std::{
    fs::{self, File},
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use unstuck::{Event, EventError};

use crate::events::Events;

/// The files that are looked for in directories.
const EXTENSION: &str = "jsonl";

/// Standard input comes only once, and is held in memory for the replays. More should be a file.
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
    File(PathBuf),
    Held(Vec<u8>),
}

impl Recordings {
    /// The files named, and all recordings in the directories named; `-` is standard input.
    pub(crate) fn find(paths: &[PathBuf]) -> Result<Self> {
        let mut recordings: Vec<Recording> = Vec::new();
        for path in paths {
            if path == Path::new("-") {
                recordings.push(hold(io::stdin().lock())?);
                continue;
            }
            let name = path.display();
            let found = fs::metadata(path).with_context(|| format!("cannot open {name}"))?;
            if !found.is_dir() {
                recordings.push(Recording::file(path.clone()));
                continue;
            }
            let mut files = Vec::new();
            walk(path, &mut files)?;
            if files.is_empty() {
                bail!("no *.{EXTENSION} file in {name} or the directories in it");
            }
            files.sort();
            recordings.extend(files.into_iter().map(Recording::file));
        }
        // A file that was named twice is still one recording.
        let mut names = std::collections::BTreeSet::new();
        recordings.retain(|recording| names.insert(recording.name.clone()));
        Ok(Self { recordings })
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
    fn file(path: PathBuf) -> Self {
        Self {
            name: path.display().to_string(),
            source: Source::File(path),
        }
    }

    /// Reads it from its start: every event, and every line that is none.
    pub(crate) fn replay(
        &self,
        mut each: impl FnMut(u64, Result<Event, EventError>),
    ) -> Result<()> {
        match &self.source {
            Source::File(path) => {
                let file =
                    File::open(path).with_context(|| format!("cannot open {}", self.name))?;
                self.read(file, &mut each)
            }
            Source::Held(bytes) => self.read(Cursor::new(bytes), &mut each),
        }
    }

    fn read(
        &self,
        input: impl Read,
        each: &mut impl FnMut(u64, Result<Event, EventError>),
    ) -> Result<()> {
        let mut events = Events::after_line(0, input);
        loop {
            let next = events.next();
            match next.with_context(|| format!("cannot read {}", self.name))? {
                Some(entry) => each(entry.line, entry.event),
                None => return Ok(()),
            }
        }
    }
}

fn hold(input: impl Read) -> Result<Recording> {
    let mut bytes = Vec::new();
    input
        .take(MAX_HELD + 1)
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    if bytes.len() as u64 > MAX_HELD {
        bail!(
            "standard input is over {} MiB: write it to a file, and name that",
            MAX_HELD >> 20
        );
    }
    Ok(Recording {
        name: "standard input".to_owned(),
        source: Source::Held(bytes),
    })
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let name = directory.display();
    let cannot = || format!("cannot look into {name}");
    for entry in fs::read_dir(directory).with_context(cannot)? {
        let entry = entry.with_context(cannot)?;
        let kind = entry.file_type().with_context(cannot)?;
        let path = entry.path();
        if kind.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|found| found == EXTENSION) && path.is_file() {
            // A link to a file is followed, one to a directory is not: it could lead back here.
            files.push(path);
        }
    }
    Ok(())
}
