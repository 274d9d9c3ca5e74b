//! Which files there are to read.

use std::{
    collections::BTreeSet,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use unstuck_report::ScanError;

use super::since::milliseconds;

/// Deeper directories are not looked into.
const DEEPEST: usize = 64;

/// What was found to read, in the order it is reported in.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) files: Vec<Candidate>,
    pub(crate) errors: Vec<ScanError>,
}

/// A file that may be a transcript.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) source: Source,
    /// What it is called in reports.
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
    pub(crate) asked: Asked,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    File(PathBuf),
    StandardInput,
}

/// How a file came to be read. Whoever names a file wants to know when it is no transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    ByName,
    InDirectory,
}

impl Candidate {
    /// May it have been written at or after this time, in milliseconds since 1970?
    pub(crate) fn is_newer(&self, since: i64) -> bool {
        self.modified
            .is_none_or(|modified| milliseconds(modified) >= since)
    }
}

impl Found {
    /// Looks at the files that are known again. Those that are gone are forgotten.
    pub(crate) fn refresh(&mut self) {
        self.files.retain_mut(|file| {
            let Source::File(path) = &file.source else {
                return true;
            };
            let Ok(metadata) = fs::metadata(path) else {
                return false;
            };
            file.size = metadata.len();
            file.modified = metadata.modified().ok();
            true
        });
    }
}

/// Looks through files and directories, each file once. `-` is standard input.
pub(crate) fn find(paths: &[PathBuf]) -> Found {
    let mut search = Search::default();
    for path in paths {
        if path == Path::new("-") {
            search.found.files.push(Candidate {
                source: Source::StandardInput,
                name: "standard input".to_owned(),
                size: 0,
                modified: None,
                asked: Asked::ByName,
            });
            continue;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => search.directory(path, 0),
            Ok(metadata) => search.file(path, &metadata, Asked::ByName),
            Err(error) => search.error(path, "cannot open it", &error),
        }
    }
    search.found
}

#[derive(Default)]
struct Search {
    found: Found,
    /// Files and directories that were met, by their real paths: links may lead to one of them again.
    met: BTreeSet<PathBuf>,
}

impl Search {
    fn directory(&mut self, path: &Path, depth: usize) {
        if depth > DEEPEST || !self.is_new(path) {
            return;
        }
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.error(path, "cannot look into it", &error),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            // A link that leads nowhere, or a file that was removed meanwhile, is nothing to read.
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                self.directory(&path, depth + 1);
            } else if metadata.is_file() {
                self.file(&path, &metadata, Asked::InDirectory);
            }
        }
    }

    fn file(&mut self, path: &Path, metadata: &Metadata, asked: Asked) {
        if !self.is_new(path) {
            return;
        }
        self.found.files.push(Candidate {
            source: Source::File(path.to_owned()),
            name: path.display().to_string(),
            size: metadata.len(),
            modified: metadata.modified().ok(),
            asked,
        });
    }

    fn error(&mut self, path: &Path, what: &str, error: &io::Error) {
        self.found.errors.push(ScanError {
            path: path.display().to_string(),
            error: format!("{what}: {error}"),
            ..ScanError::default()
        });
    }

    fn is_new(&mut self, path: &Path) -> bool {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        self.met.insert(real)
    }
}
