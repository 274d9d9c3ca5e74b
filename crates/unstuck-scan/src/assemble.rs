//! One report of all files.

use std::collections::BTreeSet;

use unstuck_report::{ErrorKind, Report, Run, ScanError, SkipReason, Totals, Wasted};

use super::{
    skips::Skips,
    work::{FileReport, Kind},
};

/// What there is to report besides the files that were read.
pub struct Gathered {
    pub errors: Vec<ScanError>,
    pub skips: Skips,
    pub bytes: u64,
}

/// Puts together what was read of the files, which are named in the same order. Runs that ended before `since` are left
/// out.
pub fn assemble(
    files: Vec<(String, FileReport)>,
    gathered: Gathered,
    since: Option<i64>,
) -> Report {
    let mut report = Report {
        errors: gathered.errors,
        ..Report::default()
    };
    let mut skips = gathered.skips;
    report.totals.bytes = gathered.bytes;
    let mut unpriced = BTreeSet::new();
    for (path, file) in files {
        let recent = |run: &Run| match (since, run.ended) {
            (Some(since), Some(ended)) => ended >= since,
            // The file is recent, and the run does not say when it was.
            _ => true,
        };
        let before = report.runs.len();
        let mut runs = file.runs;
        runs.retain(is_run);
        let had_runs = !runs.is_empty();
        report.runs.extend(runs.into_iter().filter(recent));
        let has_runs = report.runs.len() > before;
        match file.kind {
            Kind::NotReached => report.totals.interrupted = true,
            Kind::Read if has_runs => report.totals.files += 1,
            Kind::Read | Kind::Skipped => {}
        }
        report.totals.repeated += file.repeated;
        let mut errors = file.errors;
        if has_runs {
            unpriced.extend(file.unpriced);
        } else {
            // Bad lines are stray ones only where other lines could be read.
            for error in &mut errors {
                if error.kind == ErrorKind::BadLines {
                    error.kind = ErrorKind::Unreadable;
                }
            }
            match file.skip.filter(|_| errors.is_empty()) {
                Some(_) if had_runs => skips.add(SkipReason::Older, path, String::new()),
                Some((reason, detail)) => match file.left_out {
                    Some(left_out) => skips.add(left_out, path, String::new()),
                    None => skips.add(reason, path, detail),
                },
                None => {}
            }
        }
        report.errors.extend(errors);
    }
    report.skipped = skips.finish();
    report.totals.skipped = report.skipped.iter().map(|group| group.count).sum();
    report.runs.sort_by(|one, other| {
        other
            .verdict
            .cmp(&one.verdict)
            .then_with(|| other.wasted.calls.cmp(&one.wasted.calls))
            .then_with(|| one.path.cmp(&other.path))
            .then_with(|| one.session.cmp(&other.session))
            .then_with(|| one.agent.cmp(&other.agent))
    });
    let totals = &mut report.totals;
    totals.unpriced = unpriced.into_iter().collect();
    for run in &report.runs {
        count(totals, run);
    }
    report
}

/// A session in which nothing was done is not a run.
pub(super) fn is_run(run: &Run) -> bool {
    run.calls > 0 || run.results > 0 || !run.loops.is_empty() || run.spent.tokens > 0
}

fn count(totals: &mut Totals, run: &Run) {
    totals.runs += 1;
    totals.stuck += u64::from(!run.loops.is_empty());
    totals.loops += run.loops.len() as u64;
    totals.calls += run.calls;
    totals.results += run.results;
    add(&mut totals.wasted, &run.wasted);
    add(&mut totals.spent, &run.spent);
}

fn add(sum: &mut Wasted, one: &Wasted) {
    sum.calls = sum.calls.saturating_add(one.calls);
    sum.tokens = sum.tokens.saturating_add(one.tokens);
    sum.usd = match (sum.usd, one.usd) {
        (None, None) => None,
        (sum, one) => Some(sum.unwrap_or(0.0) + one.unwrap_or(0.0)),
    };
}
