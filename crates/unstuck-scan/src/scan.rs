//! A scan: what is read, and how it is reported.

#[cfg(not(target_family = "wasm"))]
use std::io;
use std::{path::PathBuf, sync::Arc, thread};

#[cfg(not(target_family = "wasm"))]
use tempfile::NamedTempFile;
use unstuck::Settings;
use unstuck_report::{Report, SkipReason, SkippedFiles};
use unstuck_transcript::Format;

use super::{
    assemble::{Gathered, assemble},
    filter::Filter,
    find::{Asked, Candidate, Found, Links, Source},
    input::Meter,
    skips::Listed,
    work::{Excerpts, FileReport},
};
#[cfg(not(target_family = "wasm"))]
use super::{error::Error, find::find, input::stream, places::Place};

/// Finds recordings, judges them under some settings, and reports what went in circles.
///
/// ```
/// use unstuck::Settings;
/// use unstuck_scan::Scan;
///
/// let recording = r#"{"event":"call","id":"1","tool":"search","args":{"q":"salt"}}
/// {"event":"result","id":"1","output":"no hits"}
/// "#
/// .repeat(9);
/// let report = Scan::new(Settings::default()).bytes("run.jsonl", recording.as_bytes());
/// assert_eq!((report.totals.runs, report.totals.stuck), (1, 1));
/// assert_eq!(report.runs[0].loops[0].rule, "exact-repeat");
/// ```
#[derive(Clone, Debug)]
pub struct Scan {
    pub(crate) settings: Settings,
    pub(crate) prices: unstuck_config::Prices,
    pub(crate) threads: usize,
    /// All formats where none is named.
    formats: Vec<Format>,
    paths: Vec<PathBuf>,
    #[cfg(not(target_family = "wasm"))]
    places: Vec<Place>,
    links: Links,
    since: Option<i64>,
    filter: Filter,
    listed: Listed,
    secrets: Secrets,
    calls: Calls,
}

/// Whether what looks like a secret is taken out of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// What looks like a password, key or token is taken out.
    Redacted,
    /// Nothing is taken out.
    Kept,
}

/// Whether the report has the calls of loops, as the HTML page shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// Loops have an excerpt of their calls.
    Shown,
    /// Loops are counted and described.
    Counted,
}

/// Files that were read, before they become one report.
#[derive(Debug)]
pub struct Scanned {
    found: Found,
    files: Vec<FileReport>,
    bytes: u64,
    is_stopped: bool,
    since: Option<i64>,
    listed: Listed,
    secrets: Secrets,
}

impl Scan {
    /// A scan under these settings. Without further choices it reads nothing: name paths or places.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            prices: unstuck_config::Prices::default(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            formats: Vec::new(),
            paths: Vec::new(),
            #[cfg(not(target_family = "wasm"))]
            places: Vec::new(),
            links: Links::StayInside,
            since: None,
            filter: Filter::default(),
            listed: Listed::Some,
            secrets: Secrets::Redacted,
            calls: Calls::Counted,
        }
    }

    /// Reads these files, and looks through these directories. `-` is standard input.
    #[must_use]
    pub fn paths<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.paths.extend(paths.into_iter().map(Into::into));
        self
    }

    #[cfg(not(target_family = "wasm"))]
    /// Looks through these places where no path is named.
    #[must_use]
    pub fn places(mut self, places: Vec<Place>) -> Self {
        self.places = places;
        self
    }

    /// Reads these formats only. Without this, all are read.
    #[must_use]
    pub fn formats(mut self, formats: Vec<Format>) -> Self {
        self.formats = formats;
        self
    }

    /// Prices of models that go before the list prices.
    #[must_use]
    pub fn prices(mut self, prices: unstuck_config::Prices) -> Self {
        self.prices = prices;
        self
    }

    /// Whether links that lead out of the paths are followed. Without this, they are not.
    #[must_use]
    pub fn links(mut self, links: Links) -> Self {
        self.links = links;
        self
    }

    /// Reports only runs that went on at or after this time, in milliseconds since 1970.
    #[must_use]
    pub fn since(mut self, since: i64) -> Self {
        self.since = Some(since);
        self
    }

    /// Reports only what the filter lets through.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Whether the report names all files that were skipped, or the first few for each reason.
    #[must_use]
    pub fn listed(mut self, listed: Listed) -> Self {
        self.listed = listed;
        self
    }

    /// Whether secrets are taken out of the report. Without this, they are.
    #[must_use]
    pub fn secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Whether the report has the calls of loops. Without this, it has not.
    #[must_use]
    pub fn calls(mut self, calls: Calls) -> Self {
        self.calls = calls;
        self
    }

    /// Reads this many files at the same time. Without this, as many as there are processors.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    #[cfg(not(target_family = "wasm"))]
    /// Finds, reads and reports.
    pub fn run(&self) -> Result<Report, Error> {
        let read = self.read(self.find(), &Meter::default(), |_| ())?;
        Ok(read.into_report())
    }

    /// Reports the recording in these bytes, packed or not. The name is what the report calls it, and what its session is
    /// called where it does not say so itself.
    pub fn bytes(&self, name: &str, bytes: impl Into<Arc<[u8]>>) -> Report {
        let bytes = bytes.into();
        let found = Found {
            files: vec![Candidate {
                size: bytes.len() as u64,
                source: Source::Bytes(name.into(), bytes),
                name: name.to_owned(),
                modified: None,
                asked: Asked::ByName,
            }],
            ..Found::default()
        };
        self.read_found(found, &Meter::default(), |_| ())
            .into_report()
    }

    #[cfg(not(target_family = "wasm"))]
    /// What there is to read: what the paths name, or else what is in the places.
    pub fn find(&self) -> Found {
        let mut found = if self.paths.is_empty() {
            let there = self.searched().map(|place| place.path.clone());
            let there: Vec<_> = there.filter(|path| path.exists()).collect();
            find(&there, self.links)
        } else {
            find(&self.paths, self.links)
        };
        // A file that was not written since then has no run that went on after it.
        if let Some(since) = self.since {
            let skipped = &mut found.skipped.entries;
            found.files.retain(|file| {
                let newer = file.is_newer(since);
                if !newer {
                    skipped.push((SkipReason::Older, file.name.clone()));
                }
                newer
            });
        }
        self.filter.files(&mut found);
        found
    }

    #[cfg(not(target_family = "wasm"))]
    /// Reads what was found. The meter counts bytes and can stop the scan; `progress` is given the count about ten times
    /// a second.
    pub fn read(
        &self,
        mut found: Found,
        meter: &Meter,
        progress: impl FnMut(u64),
    ) -> Result<Scanned, Error> {
        // Removed when all is read.
        let _spooled = self.spool(&mut found, meter)?;
        Ok(self.read_found(found, meter, progress))
    }

    #[cfg(not(target_family = "wasm"))]
    /// The places that are looked through where no path is named.
    pub fn searched(&self) -> impl Iterator<Item = &Place> {
        let is_wanted = |place: &&Place| {
            let format = place.format.parse();
            format.is_ok_and(|format| self.wants(format))
        };
        self.places.iter().filter(is_wanted)
    }

    /// Whether transcripts of this format are read.
    pub fn wants(&self, format: Format) -> bool {
        self.formats.is_empty() || self.formats.contains(&format)
    }

    /// The settings that recordings are judged by.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The paths that are named.
    pub(crate) fn named(&self) -> &[PathBuf] {
        &self.paths
    }

    pub(crate) fn excerpts(&self) -> Excerpts {
        match (self.calls, self.secrets) {
            (Calls::Counted, _) => Excerpts::Unwanted,
            (Calls::Shown, Secrets::Redacted) => Excerpts::Redacted,
            (Calls::Shown, Secrets::Kept) => Excerpts::Raw,
        }
    }

    fn read_found(&self, found: Found, meter: &Meter, mut progress: impl FnMut(u64)) -> Scanned {
        let mut files = self.files(&found.files, meter, || progress(meter.bytes()));
        self.filter.runs(&found.files, &mut files);
        Scanned {
            found,
            files,
            bytes: meter.bytes(),
            is_stopped: meter.is_stopped(),
            since: self.since,
            listed: self.listed,
            secrets: self.secrets,
        }
    }

    #[cfg(not(target_family = "wasm"))]
    /// Standard input and pipes can be read once only. Where they may be needed twice they are written to files first.
    fn spool(&self, found: &mut Found, meter: &Meter) -> Result<Vec<NamedTempFile>, Error> {
        let mut spooled = Vec::new();
        if self.calls == Calls::Counted {
            return Ok(spooled);
        }
        for candidate in &mut found.files {
            let Some(mut stream) = stream(&candidate.source, meter) else {
                continue;
            };
            let mut file = NamedTempFile::new().map_err(Error::TemporaryFile)?;
            io::copy(&mut stream, &mut file).map_err(|source| Error::Copy {
                name: candidate.name.clone(),
                source,
            })?;
            candidate.source = Source::File(file.path().to_owned());
            spooled.push(file);
        }
        Ok(spooled)
    }
}

impl Scanned {
    /// Whether one of the files that were read is a transcript.
    pub fn is_transcript(&self, candidate: &Candidate) -> bool {
        let mut files = self.found.files.iter().zip(&self.files);
        let is_it = |file: &Candidate| file.name == candidate.name;
        files.any(|(file, report)| is_it(file) && !report.is_foreign())
    }

    /// The files, in the order they are reported in.
    pub fn files(&self) -> &[Candidate] {
        &self.found.files
    }

    /// One report of all files.
    pub fn into_report(self) -> Report {
        let names = self.found.files.iter().map(|file| file.name.clone());
        let gathered = Gathered {
            skips: self.found.skipped.into_skips(self.listed),
            errors: self.found.errors,
            bytes: self.bytes,
        };
        let files = names.zip(self.files).collect();
        let mut report = assemble(files, gathered, self.since);
        report.totals.interrupted |= self.is_stopped;
        if self.secrets == Secrets::Redacted {
            report.redact();
        }
        report
    }
}

impl Found {
    /// What was not looked at, by reason.
    pub fn skipped(&self, listed: Listed) -> Vec<SkippedFiles> {
        self.skipped.clone().into_skips(listed).finish()
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
