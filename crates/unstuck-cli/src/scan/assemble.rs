//! One report of all files.

use std::collections::BTreeSet;

use unstuck_report::{Report, Run, ScanError, Totals, Wasted};

use super::work::{FileReport, Kind};

/// Puts together what the files told. Runs that ended before `since` are left out.
pub(crate) fn assemble(
    files: Vec<FileReport>,
    errors: Vec<ScanError>,
    since: Option<i64>,
    bytes: u64,
) -> Report {
    let mut report = Report {
        errors,
        ..Report::default()
    };
    report.totals.bytes = bytes;
    let mut unpriced = BTreeSet::new();
    for file in files {
        match file.kind {
            Kind::NotReached => report.totals.interrupted = true,
            Kind::Read => report.totals.files += 1,
            Kind::Skipped => report.totals.skipped += 1,
        }
        report.errors.extend(file.error);
        let recent = |run: &Run| match (since, run.ended) {
            (Some(since), Some(ended)) => ended >= since,
            // The file is recent, and the run does not say when it was.
            _ => true,
        };
        let before = report.runs.len();
        report.runs.extend(
            file.runs
                .into_iter()
                .filter(|run| is_run(run) && recent(run)),
        );
        if report.runs.len() > before {
            unpriced.extend(file.unpriced);
        }
    }
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

/// A session in which nothing was done is no run.
fn is_run(run: &Run) -> bool {
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
