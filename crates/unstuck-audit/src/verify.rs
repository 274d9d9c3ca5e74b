//! Checks a log from its first line to its head.

use std::{
    io::{self, BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
};

use crate::{
    chain::{Broken, Head, Reading, begins_with},
    files::{LONGEST_LINE, head_path, numbered, numbers, open_log},
    kept::{Break, Found, Kept, read_kept},
    log::{BROKEN, CONTINUES, RESUMED},
};

/// Contents of a log that is whole.
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
    /// Broken log that was closed before this one began: the name of its file and its last known line.
    pub resumed: Option<(String, u64)>,
    /// Noted heads of lines before the first line, which cannot be checked.
    pub unchecked_heads: usize,
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
    /// A proxy found the log broken, and recorded that.
    #[error("{}", broken_log(path, *why, *last, *at, *lost))]
    MarkedBroken {
        /// The log.
        path: PathBuf,
        /// Why it is broken.
        why: Break,
        /// Last line that is known to have been written.
        last: Head,
        /// When it was noticed, in milliseconds since 1970.
        at: u64,
        /// Lines that could not be written since.
        lost: u64,
    },
    /// A line of the log says that the log is broken.
    #[error("{path}: line {line} marks the log as broken")]
    BrokenLine {
        /// The file.
        path: PathBuf,
        /// The number of the line.
        line: u64,
    },
    /// A full file between two others is missing.
    #[error("{path} is missing, and older and newer files are here")]
    MissingFile {
        /// The file.
        path: PathBuf,
    },
    /// A head was noted of a line before the first one.
    #[error("a head was noted of line {line}, but the log begins with line {first}")]
    BeforeStart {
        /// The line whose head was noted.
        line: u64,
        /// The first line of the log.
        first: u64,
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

fn broken_log(path: &Path, why: Break, last: Head, at: u64, lost: u64) -> String {
    let lost = match lost {
        0 => String::new(),
        lost => format!(", and {lost} lines could not be written since"),
    };
    format!(
        "{}: {why}; the last known line is {} with hash {}, noticed at {at} ms since 1970{lost}",
        path.display(),
        last.line,
        crate::chain::hex(&last.hash),
    )
}

/// Checks every line of a log, through all its files, and that it goes as far as it was written.
///
/// `known` is a head that was noted earlier; without it, the one kept beside the log applies. `each` gets every line
/// once its hash was checked.
pub fn verify(
    path: &Path,
    known: Option<Head>,
    start: Start,
    each: impl FnMut(&[u8]),
) -> Result<Verified, VerifyError> {
    verify_with_heads(path, known, &[], start, each)
}

/// Does the same as [`verify`], and checks that every one of these heads, which were noted earlier, is on the chain.
pub fn verify_with_heads(
    path: &Path,
    known: Option<Head>,
    heads: &[Head],
    start: Start,
    mut each: impl FnMut(&[u8]),
) -> Result<Verified, VerifyError> {
    let kept = kept(path)?;
    if let Some(Kept {
        head,
        broken: Some(mark),
        ..
    }) = kept
    {
        return Err(VerifyError::MarkedBroken {
            path: path.to_owned(),
            why: mark.why,
            last: head,
            at: mark.at,
            lost: mark.lost,
        });
    }
    let expected = known.or(kept.map(|kept| kept.head));
    let expected = expected.ok_or_else(|| VerifyError::NoHead {
        path: head_path(path),
    })?;
    let mut noted = Noted::new(heads, expected);
    let files = files_between(path, kept)?;
    let mut reading: Option<Reading> = None;
    let mut first_line = 1;
    let mut resumed = None;
    for file in &files {
        let read = |source| VerifyError::Read {
            path: file.clone(),
            source,
        };
        let mut reader = BufReader::with_capacity(1 << 16, open_log(file).map_err(read)?);
        let mut line = Vec::new();
        let mut number = 0;
        let cut_off = |line| VerifyError::CutOff {
            path: file.clone(),
            line,
        };
        let mut marked = false;
        loop {
            line.clear();
            let taken = (&mut reader)
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line);
            if taken.map_err(read)? == 0 {
                break;
            }
            number += 1;
            if !line.ends_with(b"\n") {
                return Err(cut_off(number));
            }
            let reading = match &mut reading {
                Some(reading) => reading,
                none => {
                    let before = before(&line);
                    first_line = before.line + 1;
                    resumed = resumed_after(&line);
                    if first_line > 1 && start == Start::First && resumed.is_none() {
                        return Err(VerifyError::NoStart {
                            path: file.clone(),
                            line: first_line,
                        });
                    }
                    noted.begin(first_line, start)?;
                    none.insert(Reading::after(before))
                }
            };
            let followed = reading.follow(&line, |line| {
                marked |= begins_with(line, BROKEN);
                each(line);
            });
            followed.map_err(|broken| VerifyError::Broken {
                path: file.clone(),
                line: number,
                broken,
            })?;
            if marked {
                return Err(VerifyError::BrokenLine {
                    path: file.clone(),
                    line: reading.head.line,
                });
            }
            noted.check(reading.head)?;
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
    if let Some(missing) = noted.last() {
        return Err(VerifyError::Short {
            path: path.to_owned(),
            expected: missing,
            found: head.line,
        });
    }
    let lines = head.line + 1 - first_line;
    Ok(Verified {
        head,
        first_line,
        files,
        lines,
        resumed,
        unchecked_heads: noted.unchecked,
    })
}

/// Heads that have to be on the chain, by line.
struct Noted {
    heads: Vec<Head>,
    /// Those before were found.
    next: usize,
    unchecked: usize,
}

impl Noted {
    fn new(heads: &[Head], expected: Head) -> Self {
        let mut heads = heads.to_vec();
        heads.push(expected);
        heads.retain(|head| head.line > 0);
        heads.sort_by_key(|head| head.line);
        Self {
            heads,
            next: 0,
            unchecked: 0,
        }
    }

    /// Skips heads of lines before the first one, where older files may be gone.
    fn begin(&mut self, first: u64, start: Start) -> Result<(), VerifyError> {
        let before = self.heads.partition_point(|head| head.line < first);
        if before > 0 && start == Start::First {
            return Err(VerifyError::BeforeStart {
                line: self.heads[before - 1].line,
                first,
            });
        }
        self.next = before;
        self.unchecked = before;
        Ok(())
    }

    /// Compares the heads up to this sealed line.
    fn check(&mut self, sealed: Head) -> Result<(), VerifyError> {
        while let Some(head) = self.heads.get(self.next)
            && head.line <= sealed.line
        {
            if *head != sealed {
                return Err(VerifyError::OtherHead { line: head.line });
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Last line whose head was noted, if it was not found.
    fn last(&self) -> Option<u64> {
        let last = self.heads.last()?;
        (self.next < self.heads.len()).then_some(last.line)
    }
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
    let full = numbers(path).into_iter();
    let full = full.map(|number| numbered(path, number));
    full.chain([path.to_owned()]).collect()
}

/// The same, without files whose number was never used. It is an error if one between two others is missing.
fn files_between(path: &Path, kept: Option<Kept>) -> Result<Vec<PathBuf>, VerifyError> {
    let mut full = numbers(path);
    if let Some(kept) = kept
        && kept.length.is_some()
    {
        // A process that is killed while it rotates has not recorded the number yet.
        full.retain(|number| *number <= kept.files.saturating_add(1));
    }
    let gap = full.windows(2).find(|pair| pair[0] + 1 != pair[1]);
    if let Some(pair) = gap {
        return Err(VerifyError::MissingFile {
            path: numbered(path, pair[0] + 1),
        });
    }
    let full = full.into_iter().map(|number| numbered(path, number));
    Ok(full.chain([path.to_owned()]).collect())
}

/// What the head file of a log says; `None` where it is missing or damaged.
fn kept(path: &Path) -> Result<Option<Kept>, VerifyError> {
    match read_kept(path) {
        Ok(Some(Found::Kept(kept))) => Ok(Some(kept)),
        Ok(_) => Ok(None),
        Err(source) => Err(VerifyError::Read {
            path: head_path(path),
            source,
        }),
    }
}

/// The line before the first line that is there. Only the first line of a file refers to it.
pub(crate) fn before(line: &[u8]) -> Head {
    let said = || {
        let line = first(line)?;
        let number = line["line"].as_u64()?.checked_sub(1)?;
        Head::parse(&format!("{number} {}", line["previous"].as_str()?))
    };
    said().unwrap_or(Head::START)
}

/// Name and last known line of the broken log that was closed before this first line.
fn resumed_after(line: &[u8]) -> Option<(String, u64)> {
    let line = first(line).filter(|line| line["event"] == "resumed")?;
    Some((
        line["file"].as_str()?.to_owned(),
        line["last_line"].as_u64()?,
    ))
}

/// A first line that refers to an earlier one.
fn first(line: &[u8]) -> Option<serde_json::Value> {
    let is_first = |event| begins_with(line, event);
    if !is_first(CONTINUES) && !is_first(RESUMED) {
        return None;
    }
    serde_json::from_slice(line).ok()
}

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
