//! Checks a log from its first line to its head.

use std::{
    fs::{self, File},
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
};

use super::{
    chain::{Broken, Head, Reading},
    file::{head_path, numbered},
};

/// What a log that is whole has in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// How far it goes; kept elsewhere, it shows later that nothing was cut off.
    pub head: Head,
    /// The first line that is there; not 1 where older files are gone.
    pub first_line: u64,
    /// The files, the oldest first.
    pub files: Vec<PathBuf>,
    /// Lines in all of them.
    pub lines: u64,
}

/// Why a log is not whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A file cannot be read.
    #[error("{path} cannot be read")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line breaks the chain.
    #[error("{path}:{line}: {broken}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line in the file, counted from 1.
        line: u64,
        /// What is wrong.
        broken: Broken,
    },
    /// The last line has no end, or is not the last of those that were written with it.
    #[error("{path}:{line}: the log is cut off here")]
    CutOff {
        /// The file.
        path: PathBuf,
        /// The line in the file, counted from 1.
        line: u64,
    },
    /// Lines at the end are gone.
    #[error("{path} ends with line {found}, but line {expected} was written")]
    Short {
        /// The file.
        path: PathBuf,
        /// The last line that was written.
        expected: u64,
        /// The last line that is there.
        found: u64,
    },
    /// Another log than the one the head was taken of.
    #[error("line {line} is not the one that was written")]
    OtherHead {
        /// The line.
        line: u64,
    },
    /// It is not known how far the log went.
    #[error(
        "{path} is missing or damaged, so lines cut off at the end would not be noticed; give the head with --head"
    )]
    NoHead {
        /// The file that says so.
        path: PathBuf,
    },
    /// The file begins in the middle.
    #[error("{path} begins with line {line}, and the file with the lines before is not here")]
    NoStart {
        /// The file.
        path: PathBuf,
        /// Its first line.
        line: u64,
    },
}

/// Checks every line of a log, through all its files, and that it goes as far as it was written.
///
/// `known` is a head that was noted earlier; without it, the one kept beside the log counts. `each` sees every line,
/// once it is known to be the one that was written.
pub fn verify(
    path: &Path,
    known: Option<Head>,
    start: Start,
    mut each: impl FnMut(&[u8]),
) -> Result<Verified, VerifyError> {
    let expected = match known {
        Some(head) => head,
        None => kept_head(path)?,
    };
    let files = log_files(path);
    let mut reading: Option<Reading> = None;
    let mut first_line = 1;
    let mut met = expected.line == 0;
    for file in &files {
        let read = |source| VerifyError::Read {
            path: file.clone(),
            source,
        };
        let mut reader = BufReader::with_capacity(1 << 16, File::open(file).map_err(read)?);
        let mut line = Vec::new();
        let mut number = 0;
        let cut_off = |line| VerifyError::CutOff {
            path: file.clone(),
            line,
        };
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(read)? == 0 {
                break;
            }
            number += 1;
            if !line.ends_with(b"\n") {
                return Err(cut_off(number));
            }
            let reading = match &mut reading {
                Some(reading) => reading,
                none => {
                    let before = beginning(&line);
                    first_line = before.line + 1;
                    if first_line > 1 && start == Start::First {
                        return Err(VerifyError::NoStart {
                            path: file.clone(),
                            line: first_line,
                        });
                    }
                    none.insert(Reading::after(before))
                }
            };
            let followed = reading.follow(&line, &mut each);
            followed.map_err(|broken| VerifyError::Broken {
                path: file.clone(),
                line: number,
                broken,
            })?;
            if reading.head.line == expected.line {
                if reading.head.hash != expected.hash {
                    return Err(VerifyError::OtherHead {
                        line: expected.line,
                    });
                }
                met = true;
            }
        }
        // No file ends amid lines that were written together.
        if reading
            .as_ref()
            .is_some_and(|reading| reading.unsealed() > 0)
        {
            return Err(cut_off(number));
        }
    }
    let head = reading.map_or(Head::START, |reading| reading.head);
    if !met {
        return Err(VerifyError::Short {
            path: path.to_owned(),
            expected: expected.line,
            found: head.line,
        });
    }
    let lines = head.line + 1 - first_line;
    Ok(Verified {
        head,
        first_line,
        files,
        lines,
    })
}

/// Which line a log has to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Start {
    /// The first that was ever written.
    #[default]
    First,
    /// The first of any file; older files may be gone.
    AnyFile,
}

/// The files of a log, the oldest first; the last is the one that is written to, `path` itself.
pub fn log_files(path: &Path) -> Vec<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let directory = path.parent().filter(|parent| *parent != Path::new(""));
    let entries = fs::read_dir(directory.unwrap_or(Path::new("."))).into_iter();
    let mut numbers: Vec<u32> = entries
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().to_string_lossy().into_owned();
            file.strip_prefix(&*name)?.strip_prefix('.')?.parse().ok()
        })
        .collect();
    numbers.sort_unstable();
    let full = numbers.into_iter().map(|number| numbered(path, number));
    full.chain([path.to_owned()]).collect()
}

pub(super) fn kept_head(path: &Path) -> Result<Head, VerifyError> {
    let head_path = head_path(path);
    let text = fs::read_to_string(&head_path).ok();
    text.as_deref()
        .and_then(Head::parse)
        .ok_or(VerifyError::NoHead { path: head_path })
}

/// What stands before the first line that is there. Only the first line of a file says what came before it.
fn beginning(line: &[u8]) -> Head {
    let said = || {
        let line = std::str::from_utf8(line).ok()?;
        let line = serde_json::from_str::<serde_json::Value>(line).ok()?;
        if line["event"] != "continues" {
            return None;
        }
        let number = line["line"].as_u64()?.checked_sub(1)?;
        Head::parse(&format!("{number} {}", line["previous"].as_str()?))
    };
    said().unwrap_or(Head::START)
}

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
