//! Files of recorded runs, one JSON object a line, plain or compressed with xz or zstd.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use lzma_rust2::XzReader;
use ruzstd::decoding::StreamingDecoder;

use crate::trajectory::Trajectory;

/// What is wrong with a corpus, and where.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file cannot be opened.
    #[error("cannot open {path}")]
    Open {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be read to its end.
    #[error("{path}: cannot read behind line {line}")]
    Read {
        /// The file.
        path: String,
        /// The last line that was read.
        line: usize,
        /// Why.
        source: io::Error,
    },
    /// A line is not a run.
    #[error("{path}:{line}: {message}")]
    Line {
        /// The file.
        path: String,
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
}

/// Gives every run a name of its own.
#[derive(Default)]
pub(crate) struct Runs {
    seen: HashMap<String, usize>,
}

impl Runs {
    /// The run, with `#2` and so on behind its id where an earlier run has the same.
    pub(crate) fn name(&mut self, mut run: Trajectory) -> Trajectory {
        let times = self.seen.entry(run.id.clone()).or_default();
        *times += 1;
        if *times > 1 {
            run.id = format!("{}#{times}", run.id);
        }
        run
    }
}

/// Reads all runs of these files; with `sets`, only the runs of those sets.
pub fn load(paths: &[PathBuf], sets: &[String]) -> Result<Vec<Trajectory>, CorpusError> {
    let mut runs = Vec::new();
    let mut names = Runs::default();
    for path in paths {
        let mut read = |run: Trajectory| {
            if sets.is_empty() || sets.contains(&run.set) {
                runs.push(names.name(run));
            }
        };
        read_lines(&path.display().to_string(), open(path)?, &mut read)?;
    }
    Ok(runs)
}

/// Opens a file and unpacks it by the ending of its name. Of zstd, the first frame is read.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, CorpusError> {
    let failed = |source| CorpusError::Open {
        path: path.display().to_string(),
        source,
    };
    let file = File::open(path).map_err(failed)?;
    let file = BufReader::with_capacity(1 << 16, file);
    let ending = path.extension().and_then(|extension| extension.to_str());
    Ok(match ending {
        Some("xz") => Box::new(XzReader::new(file, true)),
        Some("zst") => {
            let reader = StreamingDecoder::new(file);
            Box::new(reader.map_err(|error| failed(io::Error::other(error)))?)
        }
        _ => Box::new(file),
    })
}

/// Reads runs from lines; `name` stands for the source in errors.
pub(crate) fn read_lines(
    name: &str,
    input: impl Read,
    take: &mut impl FnMut(Trajectory),
) -> Result<(), CorpusError> {
    let mut input = BufReader::with_capacity(1 << 18, input);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        let length = read.map_err(|source| CorpusError::Read {
            path: name.to_owned(),
            line: number - 1,
            source,
        })?;
        if length == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let run = Trajectory::parse(&line).map_err(|message| CorpusError::Line {
            path: name.to_owned(),
            line: number,
            message,
        })?;
        take(run);
    }
    Ok(())
}
