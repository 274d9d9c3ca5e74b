//! Which files there are to read.

use std::{
    collections::BTreeSet,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use unstuck_report::{ScanError, SkipReason};

use super::since::milliseconds;

/// Deeper directories are not looked into.
const DEEPEST: usize = 64;

/// What was found to read, in the order it is reported in.
#[derive(Default)]
pub struct Found {
    pub files: Vec<Candidate>,
    pub errors: Vec<ScanError>,
    pub skipped: Skipped,
}

/// Entries of directories that were not looked at, and why.
#[derive(Default)]
pub struct Skipped {
    pub entries: Vec<(SkipReason, String)>,
}

/// Whether links in directories that lead out of the places named are followed. A place may itself be a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    Follow,
    StayInside,
}

/// A file that may be a transcript.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub source: Source,
    /// What it is called in reports.
    pub name: String,
    pub size: u64,
    pub modified: Option<SystemTime>,
    pub asked: Asked,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    File(PathBuf),
    /// A pipe or a device that was named: it can be read once, and may keep its reader waiting.
    Pipe(PathBuf),
    StandardInput,
}

/// How a file came to be read. A file that was named is reported when it is not a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    ByName,
    InDirectory,
}

impl Candidate {
    /// Whether it may have been written at or after this time, in milliseconds since 1970.
    pub fn is_newer(&self, since: i64) -> bool {
        self.modified
            .is_none_or(|modified| milliseconds(modified) >= since)
    }
}

impl Found {
    /// Looks at the files that are known again. Those that are gone are forgotten.
    pub fn refresh(&mut self) {
        self.files.retain_mut(|file| {
            let Source::File(path) = &file.source else {
                return true;
            };
            let Ok(metadata) = fs::metadata(path) else {
                return false;
            };
            if !metadata.is_file() {
                return false;
            }
            file.size = metadata.len();
            file.modified = metadata.modified().ok();
            true
        });
    }
}

impl Skipped {
    fn push(&mut self, reason: SkipReason, path: &Path) {
        self.entries.push((reason, path.display().to_string()));
    }
}

/// Looks through files and directories, each file once. `-` is standard input.
pub fn find(paths: &[PathBuf], links: Links) -> Found {
    let roots = match links {
        Links::Follow => None,
        Links::StayInside => Some(paths.iter().filter_map(|path| path.canonicalize().ok())),
    };
    let mut search = Search {
        roots: roots.map(Iterator::collect),
        found: Found::default(),
        met: BTreeSet::new(),
    };
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

struct Search {
    found: Found,
    /// Real paths that links may lead into; `None` where they may lead anywhere.
    roots: Option<Vec<PathBuf>>,
    /// Files and directories that were met, by their real paths: links may lead to one of them again.
    met: BTreeSet<PathBuf>,
}

impl Search {
    fn directory(&mut self, path: &Path, depth: usize) {
        if !self.is_new(path) {
            return;
        }
        if depth > DEEPEST {
            return self.found.skipped.push(SkipReason::Deep, path);
        }
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.error(path, "cannot look into it", &error),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let metadata = match fs::metadata(&path) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    // A file that was removed meanwhile is nothing to read.
                    if is_link {
                        self.found.skipped.push(SkipReason::DeadLink, &path);
                    }
                    continue;
                }
                Err(error) => {
                    self.error(&path, "cannot open it", &error);
                    continue;
                }
            };
            if is_link && !self.is_inside(&path) {
                self.found.skipped.push(SkipReason::Link, &path);
            } else if metadata.is_dir() {
                self.directory(&path, depth + 1);
            } else if metadata.is_file() {
                self.file(&path, &metadata, Asked::InDirectory);
            } else {
                self.found.skipped.push(SkipReason::Special, &path);
            }
        }
    }

    fn file(&mut self, path: &Path, metadata: &Metadata, asked: Asked) {
        if !self.is_new(path) {
            return;
        }
        let source = if metadata.is_file() {
            Source::File(path.to_owned())
        } else {
            Source::Pipe(path.to_owned())
        };
        self.found.files.push(Candidate {
            source,
            name: path.display().to_string(),
            size: metadata.len(),
            modified: metadata.modified().ok(),
            asked,
        });
    }

    /// Whether a link leads to something in one of the places that were named.
    fn is_inside(&self, link: &Path) -> bool {
        let Some(roots) = &self.roots else {
            return true;
        };
        let target = link.canonicalize();
        target.is_ok_and(|target| roots.iter().any(|root| target.starts_with(root)))
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
