//! `unstuck scan`: which recorded runs went in circles, and what that cost.

mod args;
mod page;
mod watch;

pub(crate) use args::{ScanArgs, ScanOutput};

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::SystemTime,
};

use anyhow::{Context as _, Result, bail};
use unstuck_config::nearest;
use unstuck_hosts::Host;
use unstuck_report::{
    ErrorKind, Output, OutputKind, RenderOptions, Report, ReportVerdict, SkipReason, SkippedFiles,
    Table, TableKind, counted, parquet,
};
use unstuck_scan::{
    Calls, Filter, LISTED_ON, Links, Listed, Meter, Place, Scan, Scanned, Secrets, Unreadable,
    digests, known_places, short_advice,
};
use unstuck_text::Shown;
use unstuck_transcript::Format;

use self::args::{BadLines, FailOn};
use super::{Run, explain};
use crate::{
    configuration, is_closed_pipe, notes, program,
    scan::{Progress, check_named, output_format, refuse, same_input, write_whole},
    style::{CODE, DIM, ERROR, HEADING, paint},
};

/// Errors that are listed on standard error where the report goes elsewhere.
const SHOWN: usize = 20;
/// Columns where there is no terminal.
const COLUMNS: usize = 100;

/// The code a shell gives to what Ctrl-C has ended.
const INTERRUPTED: u8 = 130;

impl Run for ScanArgs {
    fn run(&self) -> Result<ExitCode> {
        run(&self.settled()?)
    }
}

fn run(args: &ScanArgs) -> Result<ExitCode> {
    if args.open {
        let page = page::of(args)?;
        let code = report(&page)?;
        page::open(page.out.as_deref())?;
        return Ok(code);
    }
    report(args)
}

fn report(args: &ScanArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let agents = args
        .agent
        .iter()
        .map(|name| formats(name))
        .collect::<Result<Vec<_>>>()?
        .concat();
    let places = known_places()?;
    let output = output_format(args.asked.map(|asked| asked.0), args.out.as_deref())?;
    let mut scan = Scan::new(configuration.settings)
        .prices(configuration.prices)
        .paths(&args.paths)
        .places(places.clone())
        .formats(agents)
        .filter(filter(args)?);
    if args.follow {
        scan = scan.links(Links::Follow);
    }
    if let Some(since) = args.since {
        scan = scan.since(since.milliseconds(SystemTime::now()));
    }
    if output.kind() == OutputKind::Page {
        scan = scan.calls(Calls::Shown);
    }
    if args.no_redact {
        scan = scan.secrets(Secrets::Kept);
    }
    if output.kind() == OutputKind::Tables && args.out.is_none() {
        bail!(
            "`--format {}` writes files: name one with `-o FILE.parquet`",
            output.name()
        );
    }
    // Every file has a row.
    let listed = if notes::is_verbose() || output.kind() == OutputKind::Tables {
        Listed::All
    } else {
        Listed::Some
    };
    scan = scan.listed(listed);
    if let Some(jobs) = args.jobs {
        scan = scan.threads(jobs.get().into());
    }
    let found = scan.find();
    let written = written(args.out.as_deref(), output);
    for path in &written {
        check_named(path, &found.files)?;
    }
    if args.paths.is_empty() && args.agent.is_empty() {
        print_unreadable(&places);
    }
    let meter = Arc::new(Meter::default());
    stop_on_interrupt(&meter)?;
    if args.watch {
        print_skipped(&found.skipped(listed));
        return watch::watch(&scan, found, (args, output.kind()), &meter);
    }
    let total = found.files.iter().map(|file| file.size).sum();
    let progress = notes::are_wanted().then(|| Progress::new(total));
    let scanned = scan.read(found, &meter, |bytes| {
        if let Some(progress) = &progress {
            progress.show(bytes);
        }
    })?;
    if let Some(progress) = progress {
        progress.finish();
    }
    for path in &written {
        check_not_a_transcript(path, &scanned)?;
    }
    let report = scanned.into_report();
    let nothing = args.paths.is_empty()
        && report.runs.is_empty()
        && report.errors.is_empty()
        && report.skipped.is_empty();
    if nothing && !report.totals.interrupted {
        say_where(&scan);
    }
    if !nothing || output.kind() != OutputKind::Terminal || args.out.is_some() {
        match show(&report, args, output) {
            // The verdict does not depend on how much of the report is read.
            Err(error) if is_closed_pipe(&error) => {}
            shown => shown?,
        }
    }
    Ok(code(&report, args))
}

/// Refuses to replace a transcript by a report. A report of an earlier scan in the same directory is replaced.
fn check_not_a_transcript(out: &Path, scanned: &Scanned) -> Result<()> {
    match same_input(out, scanned.files()) {
        Some(input) if scanned.is_transcript(input) => refuse(out, &input.name),
        _ => Ok(()),
    }
}

/// What the scan exits with. A loop is a definite answer, so it goes before files that could not be read.
fn code(report: &Report, args: &ScanArgs) -> ExitCode {
    let worst = report.runs.iter().map(|run| run.verdict).max();
    let limit = args.fail_on.map(|limit| match limit {
        FailOn::Nudge => ReportVerdict::Nudge,
        FailOn::Deny => ReportVerdict::Deny,
        FailOn::Halt => ReportVerdict::Halt,
    });
    let is_unread = report.errors.iter().any(|error| match error.kind {
        ErrorKind::Unreadable | ErrorKind::Incomplete => true,
        ErrorKind::BadLines => args.bad_lines == BadLines::Fail,
    });
    if report.totals.interrupted {
        ExitCode::from(INTERRUPTED)
    } else if limit.is_some_and(|limit| worst >= Some(limit)) {
        ExitCode::FAILURE
    } else if is_unread || (limit.is_some() && has_read_nothing(report)) {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    }
}

/// Whether there was nothing to judge. That no run is of the time or the project asked for is an answer.
fn has_read_nothing(report: &Report) -> bool {
    let is_filtered = |group: &SkippedFiles| {
        matches!(
            group.reason,
            SkipReason::Older | SkipReason::Newer | SkipReason::OtherProject
        )
    };
    let is_left_out =
        |group: &SkippedFiles| is_filtered(group) || group.reason == SkipReason::Excluded;
    let mut groups = report.skipped.iter();
    let is_answer = groups.clone().any(is_filtered) && groups.all(is_left_out);
    report.runs.is_empty() && !is_answer
}

/// The formats that an agent writes: the one of that name, and those whose names go on from it.
fn formats(agent: &str) -> Result<Vec<Format>> {
    let asked = agent.to_lowercase().replace([' ', '_'], "-");
    let known = known_formats();
    let is_asked_for = |name: &str| {
        let rest = name.strip_prefix(&*asked);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let named = known.iter().filter(|(name, _)| is_asked_for(name));
    let named: Vec<_> = named.map(|(_, format)| *format).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    if Host::ALL.iter().any(|host| host.name() == asked) {
        bail!("the sessions of `{agent}` are not readable yet");
    }
    let names = known.iter().map(|(name, _)| *name);
    let hint = match nearest(&asked, names) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => known_agents(),
    };
    bail!("no agent or format is called `{agent}`; {hint}")
}

/// The agents whose recordings are read, each by the name that selects all its formats, and where the formats are listed.
fn known_agents() -> String {
    let mut names: Vec<&str> = Vec::new();
    for format in Format::ALL {
        let name = format.agent();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    format!(
        "there are {}; `unstuck scan --help` describes every format",
        names.join(", ")
    )
}

/// All formats by name. Never inlined: the compiler would unroll the search over every letter of every name, and then
/// take hours to prove things about it.
#[inline(never)]
fn known_formats() -> Vec<(&'static str, Format)> {
    let formats = Format::ALL.iter();
    formats.map(|format| (format.name(), *format)).collect()
}

/// Names recordings of agents that are in their places and cannot be read.
fn print_unreadable(places: &[Place]) {
    for found in places.iter().filter_map(Unreadable::at) {
        let line = format!(
            "found {} ({}): not readable yet",
            Shown::line(found.path.display()),
            found.files()
        );
        notes::print(paint(DIM, &line));
    }
}

fn filter(args: &ScanArgs) -> Result<Filter> {
    let rules = args.rule.iter().map(|name| explain::find(name));
    let mut filter = Filter::default();
    filter.projects.clone_from(&args.project);
    filter.excluded.clone_from(&args.exclude);
    filter.until = args
        .until
        .map(|until| until.milliseconds(SystemTime::now()));
    filter.rules = rules.collect::<Result<_>>()?;
    Ok(filter)
}

/// Prints what was skipped on standard error, one line for each reason.
pub(crate) fn print_skipped(skipped: &[SkippedFiles]) {
    for group in skipped {
        let names: Vec<_> = group.names().collect();
        let more = match group.more() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let advice = short_advice(group);
        let line = format!(
            "skipped {}: {}{more}. {advice}",
            group.reason.title(),
            names.join(", "),
        );
        notes::print(paint(DIM, &Shown::line(line.trim_end()).to_string()));
    }
}

/// The first time the scan ends with what it has; the second time it just ends.
fn stop_on_interrupt(meter: &Arc<Meter>) -> Result<()> {
    let meter = Arc::clone(meter);
    let stop = move || {
        if meter.is_stopped() {
            #[expect(clippy::exit, reason = "a second Ctrl-C ends the program at once")]
            std::process::exit(INTERRUPTED.into());
        }
        meter.stop();
    };
    ctrlc::set_handler(stop).context("cannot listen for Ctrl-C")
}

fn say_where(scan: &Scan) {
    anstream::eprintln!("{}", paint(HEADING, "No transcripts were found."));
    anstream::eprintln!("Looked for them in:");
    for place in scan.searched() {
        let title = place.title();
        let note = if place.path.exists() {
            "nothing recent there"
        } else {
            "not there"
        };
        anstream::eprintln!(
            "  {title:<16} {}  {}",
            Shown::line(place.path.display()),
            paint(DIM, note)
        );
    }
    anstream::eprintln!(
        "Name files or directories to read those: {}\nIn a clone of the repository there are some to try: {}",
        paint(CODE, &program::command("scan PATH…")),
        paint(CODE, &program::command("scan examples/transcripts")),
    );
}

fn show(report: &Report, args: &ScanArgs, output: &Output) -> Result<()> {
    let is_tables = output.kind() == OutputKind::Tables;
    let text = if is_tables {
        String::new()
    } else {
        render(report, args, output)?
    };
    let is_text = output.kind() == OutputKind::Terminal;
    let to_terminal = is_text && args.out.is_none();
    if !to_terminal {
        for error in report.errors.iter().take(SHOWN) {
            let line = error.line.map_or(String::new(), |line| format!(":{line}"));
            anstream::eprintln!(
                "{} {}{line}: {}{}",
                paint(ERROR, "error:"),
                Shown::line(&error.path),
                Shown::line(&error.error),
                error.more_words()
            );
        }
        if let Some(more @ 1..) = report.errors.len().checked_sub(SHOWN) {
            anstream::eprintln!("and {more} more");
        }
        if !is_tables || notes::is_verbose() {
            print_skipped(&report.skipped);
        }
    }
    match &args.out {
        Some(path) if is_tables => write_tables(path, report)?,
        Some(path) => {
            let plain = anstream::adapter::strip_str(&text).to_string();
            let keeps_colours = anstream::ColorChoice::global() == anstream::ColorChoice::Always;
            let text = if is_text && !keeps_colours {
                &plain
            } else {
                &text
            };
            write_whole(path, text.as_bytes())?;
            notes::print(format_args!("wrote {}", Shown::line(path.display())));
        }
        None if to_terminal => anstream::stdout().lock().write_all(text.as_bytes())?,
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(())
}

/// The files that a scan writes.
fn written(out: Option<&Path>, output: &Output) -> Vec<PathBuf> {
    match out {
        Some(path) if output.kind() == OutputKind::Tables => {
            TableKind::ALL.map(|kind| table_path(path, kind)).into()
        }
        path => path.map(Path::to_owned).into_iter().collect(),
    }
}

/// The file of a table: the named one, and one beside it for loops.
fn table_path(path: &Path, kind: TableKind) -> PathBuf {
    match kind {
        TableKind::Runs => path.to_owned(),
        TableKind::Loops => path.with_extension("loops.parquet"),
    }
}

/// Writes the table of runs to a file, and that of loops to one beside it.
fn write_tables(path: &Path, report: &Report) -> Result<()> {
    let digests = digests(report);
    for kind in TableKind::ALL {
        let path = table_path(path, kind);
        let table = Table::of(kind, report, &digests);
        write_whole(&path, &parquet(&table))?;
        let rows = counted(table.rows as u64, "row");
        notes::print(format_args!(
            "wrote {} ({rows})",
            Shown::line(path.display())
        ));
    }
    Ok(())
}

fn render(report: &Report, args: &ScanArgs, output: &Output) -> Result<String> {
    let width = terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| width.0.into());
    let paths = args.paths.iter().map(|path| path.display().to_string());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let options = RenderOptions::of_width(width)
        .about(paths.collect())
        .made_at(i64::try_from(now.as_millis())?);
    let mut text = output.render(report, &options)?;
    if output.kind() == OutputKind::Terminal && report.totals.spent.usd.is_some() {
        let note = format!(
            "Dollars are by list prices of {LISTED_ON} unless a transcript or [prices] says otherwise."
        );
        text = text + &paint(DIM, &note) + "\n";
    }
    Ok(text)
}
