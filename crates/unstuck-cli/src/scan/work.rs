//! Files, read by several threads at once; what they told, in the order of the files.

use std::{
    collections::BTreeSet,
    panic::{self, AssertUnwindSafe},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use unstuck::Settings;
use unstuck_report::{Run, ScanError};
use unstuck_transcript::Format;

use super::{
    directory, excerpt,
    find::{Asked, Candidate},
    input::Meter,
    read::{self, Ending},
    replay::Replay,
};
use crate::lock::lock;

/// How often whoever waits looks up.
const LOOK: Duration = Duration::from_millis(100);

/// What is the same for all files.
pub(crate) struct Job<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) prices: &'a unstuck_config::Prices,
    /// The formats to read.
    pub(crate) wanted: &'a (dyn Fn(Format) -> bool + Sync),
    pub(crate) excerpts: Excerpts,
    pub(crate) threads: usize,
}

/// Are the calls of loops to be shown?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excerpts {
    Wanted,
    Unwanted,
}

/// What came of one file.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    pub(crate) kind: Kind,
    pub(crate) runs: Vec<Run>,
    pub(crate) error: Option<ScanError>,
    pub(crate) unpriced: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The scan was stopped before its turn came.
    #[default]
    NotReached,
    /// Was read, whether all of it could be or not.
    Read,
    /// No transcript, or none that was asked for.
    Skipped,
}

impl Job<'_> {
    /// Reads all files, the largest first, so that no thread is left with a large one at the end.
    pub(crate) fn run(
        &self,
        files: &[Candidate],
        meter: &Meter,
        mut progress: impl FnMut(),
    ) -> Vec<FileReport> {
        use_small_pages();
        let mut order: Vec<usize> = (0..files.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(files[*at].size));
        let reports: Mutex<Vec<FileReport>> = Mutex::new(Vec::new());
        lock(&reports).resize_with(files.len(), FileReport::default);
        let next = AtomicUsize::new(0);
        let (done, waiting) = mpsc::channel::<()>();
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, files.len().max(1)) {
                let done = done.clone();
                let (order, next, reports) = (&order, &next, &reports);
                scope.spawn(move || {
                    // Dropped with the thread: then nobody is waited for any more.
                    let _done = done;
                    while !meter.is_stopped() {
                        let turn = next.fetch_add(1, Ordering::Relaxed);
                        let Some(at) = order.get(turn) else {
                            return;
                        };
                        let read = AssertUnwindSafe(|| self.file(&files[*at], meter));
                        let report = panic::catch_unwind(read);
                        lock(reports)[*at] = report.unwrap_or_else(|_| broken(&files[*at]));
                    }
                });
            }
            drop(done);
            while let Err(mpsc::RecvTimeoutError::Timeout) = waiting.recv_timeout(LOOK) {
                progress();
            }
        });
        reports.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, candidate: &Candidate, meter: &Meter) -> FileReport {
        let mut replay = Replay::new(self.settings, self.prices);
        let ending = read::read(candidate, self.wanted, meter, &mut replay);
        let failed = |error: String| ScanError {
            path: candidate.name.clone(),
            error,
            ..ScanError::default()
        };
        let (format, failure) = match ending {
            Ending::Read(format) => (format.name(), None),
            Ending::Unwanted => return FileReport::skipped(None),
            Ending::Unknown if candidate.asked == Asked::InDirectory => {
                return FileReport::skipped(None);
            }
            Ending::Unknown => {
                let error = "this is no transcript of a format that is known; \
                             `unstuck scan --help` lists the formats";
                return FileReport::skipped(Some(failed(error.to_owned())));
            }
            Ending::Failed(format, error) => (format.map_or("", Format::name), Some(failed(error))),
        };
        let replayed = replay.finish(&candidate.name, format);
        let problem = replayed.problems.first.map(|problem| ScanError {
            path: candidate.name.clone(),
            line: problem.line,
            error: problem.message.into(),
            more: replayed.problems.more,
        });
        let mut runs = replayed.runs;
        if !runs.is_empty() {
            let directory = directory::of_source(&candidate.source);
            let project = directory.as_deref().map(directory::project);
            for (run, _) in &mut runs {
                run.project = project.clone().unwrap_or_default();
            }
        }
        if self.excerpts == Excerpts::Wanted && !meter.is_stopped() {
            excerpt::add(candidate, self.wanted, &mut runs);
        }
        FileReport {
            kind: Kind::Read,
            runs: runs.into_iter().map(|(run, _)| run).collect(),
            error: failure.or(problem),
            unpriced: replayed.unpriced,
        }
    }
}

impl FileReport {
    fn skipped(error: Option<ScanError>) -> Self {
        Self {
            kind: Kind::Skipped,
            error,
            ..Self::default()
        }
    }
}

/// Memory in small pages from here on. A scan needs little memory, and gives it back after each file: clearing two
/// megabytes for the first byte of each piece took 3 % of its time.
#[cfg(target_os = "linux")]
fn use_small_pages() {
    // Without it the same is done, only later.
    let _ = nix::sys::prctl::set_thp_disable(true);
}

#[cfg(not(target_os = "linux"))]
fn use_small_pages() {}

/// A mistake in reading one file must not take all the others with it.
fn broken(candidate: &Candidate) -> FileReport {
    FileReport {
        kind: Kind::Read,
        error: Some(ScanError {
            path: candidate.name.clone(),
            error: "unstuck itself failed on this file; please report it".to_owned(),
            ..ScanError::default()
        }),
        ..FileReport::default()
    }
}
