//! Files, read by several threads at once, and reported in the order of the files.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{self, AssertUnwindSafe},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use unstuck::Event;
use unstuck_report::{ErrorKind, Run, ScanError, SkipReason};
use unstuck_transcript::{Format, Problem, Sink, Usage};

use super::{
    copies, directory,
    excerpt::{self, Shown},
    file_replay::FileReplay,
    find::{Asked, Candidate},
    input::Meter,
    once::{KeepMarks, Once, Plan, RunMarks},
    read::{self, Ending},
    scan::Scan,
};

/// How often progress is shown.
const LOOK: Duration = Duration::from_millis(100);

/// Whether the report shows the calls of loops, and with or without secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excerpts {
    Redacted,
    Raw,
    Unwanted,
}

/// What is to be read of a file.
pub(crate) enum Share {
    Whole,
    /// Without what another file has, and the words for the case that nothing is left.
    Part(Plan, String),
    /// Another file is equal to it, in words.
    Nothing(String),
}

/// What came of one file.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    pub(crate) kind: Kind,
    pub(crate) runs: Vec<Run>,
    pub(crate) errors: Vec<ScanError>,
    /// Why it is not in the report, and more about that.
    pub(crate) skip: Option<(SkipReason, String)>,
    /// The filter that left out all its runs.
    pub(crate) left_out: Option<SkipReason>,
    pub(crate) unpriced: BTreeSet<String>,
    /// Calls and texts that were left out because they are recorded elsewhere, too.
    pub(crate) repeated: u64,
    /// What its calls and texts are known by.
    marks: Vec<RunMarks>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The scan was stopped before its turn came.
    #[default]
    NotReached,
    /// Was read, whether all of it could be or not.
    Read,
    /// Not a transcript, or not one that was asked for.
    Skipped,
}

impl Scan {
    /// Reads all files. Those that repeat others are read a second time without what they repeat.
    pub(crate) fn files(
        &self,
        files: &[Candidate],
        meter: &Meter,
        mut progress: impl FnMut(),
    ) -> Vec<FileReport> {
        use_small_pages();
        let mut reports: Vec<FileReport> = Vec::new();
        reports.resize_with(files.len(), FileReport::default);
        let copies = self.copies(files, meter, &mut progress);
        let first = (0..files.len()).filter(|at| !copies.contains_key(at));
        let read = |at: usize| self.file(&files[at], Plan::new(), meter);
        let first = self.each(files, first.collect(), meter, &mut progress, read);
        for (at, report) in first {
            reports[at] = report;
        }
        let take = |report: &mut FileReport| std::mem::take(&mut report.marks);
        let marks: Vec<_> = reports.iter_mut().map(take).collect();
        let repeats = copies::repeats(files, &marks);
        drop(marks);
        let again = meter.again();
        let read = |at: usize| {
            let plan = repeats.get(&at).map(|repeats| repeats.plan.clone());
            self.file(&files[at], plan.unwrap_or_default(), &again)
        };
        let order = repeats.keys().copied().collect();
        for (at, mut report) in self.each(files, order, meter, &mut progress, read) {
            if let (Some(_), Some(repeats)) = (&report.skip, repeats.get(&at)) {
                let detail = of_owner(&files[repeats.owner]);
                report.skip = Some((SkipReason::Copy, detail));
            }
            report.marks = Vec::new();
            reports[at] = report;
        }
        for (copy, original) in copies {
            let detail = of_original(&files[original]);
            reports[copy] = FileReport::skipped(SkipReason::Copy, &detail);
        }
        reports
    }

    /// What is to be read of each file, so that every call is read once. Nothing is judged.
    pub(crate) fn shares(&self, files: &[Candidate], meter: &Meter) -> Vec<Share> {
        let copies = self.copies(files, meter, || ());
        let first = (0..files.len()).filter(|at| !copies.contains_key(at));
        let read = |at: usize| Some(marks(&files[at], &|format| self.wants(format), meter));
        let mut marks: Vec<Vec<RunMarks>> = Vec::new();
        marks.resize_with(files.len(), Vec::new);
        for (at, found) in self.each(files, first.collect(), meter, || (), read) {
            marks[at] = found.unwrap_or_default();
        }
        let mut shares: Vec<Share> = files.iter().map(|_| Share::Whole).collect();
        for (at, repeats) in copies::repeats(files, &marks) {
            shares[at] = Share::Part(repeats.plan, of_owner(&files[repeats.owner]));
        }
        for (copy, original) in copies {
            shares[copy] = Share::Nothing(of_original(&files[original]));
        }
        shares
    }

    /// Files that are equal to others, each with the first of those.
    fn copies(
        &self,
        files: &[Candidate],
        meter: &Meter,
        progress: impl FnMut(),
    ) -> BTreeMap<usize, usize> {
        let order = copies::of_equal_size(files);
        let print = |at: usize| copies::print(&files[at]);
        let prints = self.each(files, order, meter, progress, print);
        let prints = prints.into_iter();
        let prints: Vec<_> = prints
            .filter_map(|(at, print)| Some((at, print?)))
            .collect();
        copies::equal(files, &prints)
    }

    /// Does something with these files in several threads, the largest first, so that no thread is left with a large one
    /// at the end. Files that were not reached before the scan was stopped are left out.
    fn each<T: Send + OrBroken>(
        &self,
        files: &[Candidate],
        mut order: Vec<usize>,
        meter: &Meter,
        mut progress: impl FnMut(),
        work: impl Fn(usize) -> T + Sync,
    ) -> Vec<(usize, T)> {
        order.sort_by_key(|at| (std::cmp::Reverse(files[*at].size), *at));
        // WebAssembly has no threads.
        if cfg!(target_family = "wasm") {
            order.sort_unstable();
            return order.into_iter().map(|at| (at, work(at))).collect();
        }
        let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        let (done, waiting) = mpsc::channel::<()>();
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, order.len().max(1)) {
                let done = done.clone();
                let (order, next, results, work) = (&order, &next, &results, &work);
                scope.spawn(move || {
                    // Dropped with the thread, which ends the wait for it.
                    let _done = done;
                    while !meter.is_stopped() {
                        let turn = next.fetch_add(1, Ordering::Relaxed);
                        let Some(at) = order.get(turn) else {
                            return;
                        };
                        let done = panic::catch_unwind(AssertUnwindSafe(|| work(*at)));
                        let result = done.unwrap_or_else(|_| T::broken(&files[*at]));
                        lock(results).push((*at, result));
                    }
                });
            }
            drop(done);
            while let Err(mpsc::RecvTimeoutError::Timeout) = waiting.recv_timeout(LOOK) {
                progress();
            }
        });
        let results = results.into_inner();
        let mut results = results.unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(at, _)| *at);
        results
    }

    fn file(&self, candidate: &Candidate, plan: Plan, meter: &Meter) -> FileReport {
        let once = Once::new(plan.clone(), KeepMarks::Yes);
        let excerpts = self.excerpts();
        let wanted = |format| self.wants(format);
        let mut replay = FileReplay::new(&self.settings, &self.prices)
            .with(once)
            .keep_for(excerpts);
        let ending = read::read(candidate, &wanted, meter, &mut replay);
        let failed = |kind: ErrorKind, error: String| ScanError {
            path: candidate.name.clone(),
            kind,
            error,
            ..ScanError::default()
        };
        let (format, failure) = match ending {
            Ending::Read(format) => (Some(format), None),
            Ending::Unwanted(format) => {
                return FileReport::skipped(SkipReason::NotAsked, format.name());
            }
            Ending::Unknown(content) if candidate.asked == Asked::InDirectory => {
                return FileReport::skipped(content.reason(), content.detail());
            }
            // A file that was named was meant to be read.
            Ending::Unknown(content) => {
                let error = failed(ErrorKind::Unreadable, content.sentence());
                return FileReport::failed(error);
            }
            Ending::Failed(None, error) => {
                return FileReport::failed(failed(ErrorKind::Unreadable, error));
            }
            Ending::Failed(Some(format), error) => {
                (Some(format), Some(failed(ErrorKind::Incomplete, error)))
            }
        };
        let format = format.map_or("", Format::name);
        let replayed = replay.finish(&candidate.name, format);
        let mut errors: Vec<ScanError> = failure.into_iter().collect();
        for (kind, problems) in [
            (ErrorKind::Incomplete, replayed.incomplete),
            (ErrorKind::BadLines, replayed.problems),
        ] {
            errors.extend(problems.first.map(|problem| ScanError {
                path: candidate.name.clone(),
                kind,
                line: problem.line,
                error: sentence(&problem),
                more: problems.more,
            }));
        }
        let mut runs = replayed.runs;
        if !runs.is_empty() {
            let directory = directory::of_source(&candidate.source);
            let project = directory.as_deref().map(directory::project);
            for (run, _) in &mut runs {
                run.project = project.clone().unwrap_or_default();
            }
        }
        let shown = replayed.kept.map(|kept| excerpt::add(kept, &mut runs));
        if shown == Some(Shown::TooOld) && !meter.is_stopped() {
            excerpt::read_again(candidate, &wanted, (plan, excerpts), &mut runs);
        }
        FileReport {
            kind: Kind::Read,
            runs: runs.into_iter().map(|(run, _)| run).collect(),
            errors,
            skip: Some((SkipReason::NoRun, format.to_owned())),
            left_out: None,
            unpriced: replayed.unpriced,
            repeated: replayed.repeated,
            marks: replayed.marks,
        }
    }
}

impl FileReport {
    /// Whether it is not a transcript at all, as far as can be told.
    pub(crate) fn is_foreign(&self) -> bool {
        let foreign = [SkipReason::UnknownFormat, SkipReason::Empty];
        self.kind == Kind::Skipped
            && self
                .skip
                .as_ref()
                .is_some_and(|(reason, _)| foreign.contains(reason))
    }

    fn skipped(reason: SkipReason, detail: &str) -> Self {
        Self {
            kind: Kind::Skipped,
            skip: Some((reason, detail.to_owned())),
            ..Self::default()
        }
    }

    fn failed(error: ScanError) -> Self {
        Self {
            kind: Kind::Skipped,
            errors: vec![error],
            ..Self::default()
        }
    }
}

/// Locks a mutex. What is in it is sound after a panic too: it is written at once.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The marks of a file's calls and texts.
fn marks(candidate: &Candidate, wanted: read::Wanted<'_>, meter: &Meter) -> Vec<RunMarks> {
    let mut marked = Marked(Once::new(Plan::new(), KeepMarks::Yes));
    // A file that cannot be read has few marks or none; the replay reports why.
    let _ = read::read(candidate, wanted, meter, &mut marked);
    marked.0.into_marks()
}

/// Takes in events for their marks alone.
struct Marked(Once);

impl Sink for Marked {
    fn event(&mut self, event: Event) {
        let _ = self.0.admits(&event);
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, _: Problem) {}
}

fn of_owner(owner: &Candidate) -> String {
    format!("its messages are in {}", owner.name)
}

fn of_original(original: &Candidate) -> String {
    format!("same as {}", original.name)
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

/// What is wrong with a line or a part of a file.
fn sentence(problem: &Problem) -> String {
    let message = &problem.message;
    match (problem.line, message.strip_prefix("not ")) {
        (Some(line), Some(rest)) => format!("Line {line} is not {rest}"),
        (Some(line), None) => format!("Line {line}: {message}"),
        (None, _) => message.to_string(),
    }
}

/// What stands for a file on which `unstuck` itself failed: that must not take all the others with it.
trait OrBroken {
    fn broken(candidate: &Candidate) -> Self;
}

impl OrBroken for FileReport {
    fn broken(candidate: &Candidate) -> Self {
        Self::failed(ScanError {
            path: candidate.name.clone(),
            error: "unstuck itself failed on this file; please report it".to_owned(),
            ..ScanError::default()
        })
    }
}

impl<T> OrBroken for Option<T> {
    fn broken(_: &Candidate) -> Self {
        None
    }
}
