//! Files of recorded runs, one JSON object a line, plain or compressed with xz.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use lzma_rust2::XzReader;

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
    /// A line is no run.
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

/// Reads all runs of these files; with `sets`, only the runs of those sets.
pub fn load(paths: &[PathBuf], sets: &[String]) -> Result<Vec<Trajectory>, CorpusError> {
    let mut runs = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for path in paths {
        let mut read = |mut run: Trajectory| {
            if !sets.is_empty() && !sets.contains(&run.set) {
                return;
            }
            let times = seen.entry(run.id.clone()).or_default();
            *times += 1;
            if *times > 1 {
                run.id = format!("{}#{times}", run.id);
            }
            runs.push(run);
        };
        read_file(path, &mut read)?;
    }
    Ok(runs)
}

fn read_file(path: &Path, take: &mut impl FnMut(Trajectory)) -> Result<(), CorpusError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| CorpusError::Open {
        path: name.clone(),
        source,
    })?;
    let file = BufReader::with_capacity(1 << 16, file);
    if path.extension().is_some_and(|extension| extension == "xz") {
        read_lines(&name, XzReader::new(file, true), take)
    } else {
        read_lines(&name, file, take)
    }
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
