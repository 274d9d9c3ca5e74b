//! `unstuck scan`: which recorded runs went in circles, and what that cost.

mod args;
mod page;
mod watch;

pub(crate) use args::{ScanArgs, ScanOutput};

use std::{
    env,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    thread,
    time::SystemTime,
};

use anyhow::{Context as _, Result, bail};
use tempfile::NamedTempFile;
use unstuck_config::nearest;
use unstuck_hosts::Host;
use unstuck_report::{
    ErrorKind, HtmlOptions, Report, ReportVerdict, SkipReason, SkippedFiles, TerminalOptions,
};
use unstuck_scan::{
    Excerpts, FileReport, Filter, Found, Gathered, Job, LISTED_ON, Links, Listed, Meter, Place,
    Skips, Source, Surroundings, Unreadable, assemble, find, places, short_advice, stream,
};
use unstuck_text::Shown;
use unstuck_transcript::Format;

use self::args::{BadLines, FailOn};
use super::{Run, explain};
use crate::{
    configuration, notes, program,
    scan::{Progress, check_named, output_format, refuse, same_input, write_whole},
    style::{CODE, DIM, ERROR, HEADING, paint},
};

/// Errors that are told on standard error where the report goes elsewhere.
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
    let wanted = |format: Format| agents.is_empty() || agents.contains(&format);
    let places = known_places(&wanted)?;
    let since = args
        .since
        .map(|since| since.milliseconds(SystemTime::now()));
    let links = if args.follow {
        Links::Follow
    } else {
        Links::StayInside
    };
    let output = output_format(args.asked, args.out.as_deref())?;
    let filter = filter(args)?;
    let search = || {
        let mut found = search(&args.paths, &places, since, links);
        filter.files(&mut found);
        found
    };
    let mut found = search();
    if let Some(out) = &args.out {
        check_named(out, &found.files)?;
    }
    if args.paths.is_empty() && args.agent.is_empty() {
        print_unreadable()?;
    }
    let meter = Arc::new(Meter::default());
    stop_on_interrupt(&meter)?;
    let spool = spool(&mut found, output, &meter)?;
    let job = Job {
        settings: &configuration.settings,
        prices: &configuration.prices,
        wanted: &wanted,
        excerpts: match output {
            ScanOutput::Html if args.no_redact => Excerpts::Raw,
            ScanOutput::Html => Excerpts::Redacted,
            _ => Excerpts::Unwanted,
        },
        threads: args.jobs.map_or_else(
            || thread::available_parallelism().map_or(1, usize::from),
            |jobs| jobs.get().into(),
        ),
    };
    let mut skips = Skips::new(if notes::is_verbose() {
        Listed::All
    } else {
        Listed::Some
    });
    for (reason, path) in std::mem::take(&mut found.skipped.entries) {
        skips.add(reason, path, String::new());
    }
    if args.watch {
        print_skipped(&skips.finish());
        return watch::watch(&job, (found, search), (args, output), &meter);
    }
    let total = found.files.iter().map(|file| file.size).sum();
    let progress = notes::are_wanted().then(|| Progress::new(total));
    let mut files = job.run(&found.files, &meter, || {
        if let Some(progress) = &progress {
            progress.show(meter.bytes());
        }
    });
    filter.runs(&found.files, &mut files);
    if let Some(progress) = progress {
        progress.finish();
    }
    drop(spool);
    if let Some(out) = &args.out {
        check_not_a_transcript(out, &found, &files)?;
    }
    let names = found.files.iter().map(|file| file.name.clone());
    let gathered = Gathered {
        errors: found.errors,
        skips,
        bytes: meter.bytes(),
    };
    let mut report = assemble(names.zip(files).collect(), gathered, since);
    report.totals.interrupted |= meter.is_stopped();
    if !args.no_redact {
        report.redact();
    }
    let nothing = args.paths.is_empty()
        && report.runs.is_empty()
        && report.errors.is_empty()
        && report.skipped.is_empty();
    if nothing && !report.totals.interrupted {
        say_where(&places);
    }
    if !nothing || output != ScanOutput::Terminal || args.out.is_some() {
        show(&report, args, output)?;
    }
    Ok(code(&report, args))
}

/// Refuses to replace a transcript by a report. A report of an earlier scan in the same directory is replaced.
fn check_not_a_transcript(out: &Path, found: &Found, files: &[FileReport]) -> Result<()> {
    let Some(input) = same_input(out, &found.files) else {
        return Ok(());
    };
    let at = found
        .files
        .iter()
        .position(|file| std::ptr::eq(file, input));
    match at.and_then(|at| files.get(at)) {
        Some(file) if !file.is_foreign() => refuse(out, &input.name),
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
    let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
    let hint = match nearest(&asked, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    bail!("no agent or format is called `{agent}`; {hint}")
}

/// All formats by name. Never inlined: the compiler would unroll the search over every letter of every name, and then
/// take hours to prove things about it.
#[inline(never)]
fn known_formats() -> Vec<(&'static str, Format)> {
    let formats = Format::ALL.iter();
    formats.map(|format| (format.name(), *format)).collect()
}

pub(crate) fn known_places(wanted: &dyn Fn(Format) -> bool) -> Result<Vec<Place>> {
    let mut places = all_places()?;
    places.retain(|place| place.format.parse().is_ok_and(wanted));
    Ok(places)
}

fn all_places() -> Result<Vec<Place>> {
    let home = etcetera::home_dir().context("cannot tell the home directory")?;
    let here = env::current_dir().unwrap_or_default();
    Ok(places(&Surroundings {
        home: &home,
        here: &here,
        variable: &|name| env::var_os(name),
    }))
}

/// Names recordings of agents that are in their places and cannot be read.
fn print_unreadable() -> Result<()> {
    for found in all_places()?.iter().filter_map(Unreadable::at) {
        let line = format!(
            "found {} ({}): not readable yet",
            Shown::line(found.path.display()),
            found.files()
        );
        notes::print(paint(DIM, &line));
    }
    Ok(())
}

fn filter(args: &ScanArgs) -> Result<Filter> {
    let rules = args.rule.iter().map(|name| explain::find(name));
    Ok(Filter {
        projects: args.project.clone(),
        excluded: args.exclude.clone(),
        until: args
            .until
            .map(|until| until.milliseconds(SystemTime::now())),
        rules: rules.collect::<Result<_>>()?,
    })
}

/// What there is to read: what was named, or all that is in the known places.
pub(crate) fn search(
    paths: &[PathBuf],
    places: &[Place],
    since: Option<i64>,
    links: Links,
) -> Found {
    let mut found = if paths.is_empty() {
        let there = places.iter().map(|place| place.path.clone());
        find(
            &there.filter(|path| path.exists()).collect::<Vec<_>>(),
            links,
        )
    } else {
        find(paths, links)
    };
    // A file that was not written since then has no run that went on after it.
    if let Some(since) = since {
        let skipped = &mut found.skipped.entries;
        found.files.retain(|file| {
            let newer = file.is_newer(since);
            if !newer {
                skipped.push((SkipReason::Older, file.name.clone()));
            }
            newer
        });
    }
    found
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

/// Standard input and pipes can be read once only. Where they are needed twice they are written to files first.
fn spool(found: &mut Found, output: ScanOutput, meter: &Meter) -> Result<Vec<NamedTempFile>> {
    let mut spooled = Vec::new();
    if output != ScanOutput::Html {
        return Ok(spooled);
    }
    for candidate in &mut found.files {
        let Some(mut stream) = stream(&candidate.source, meter) else {
            continue;
        };
        let mut file = NamedTempFile::new().context("cannot make a temporary file")?;
        let name = &candidate.name;
        io::copy(&mut stream, &mut file).with_context(|| format!("cannot keep {name}"))?;
        candidate.source = Source::File(file.path().to_owned());
        spooled.push(file);
    }
    Ok(spooled)
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

fn say_where(places: &[Place]) {
    anstream::eprintln!("{}", paint(HEADING, "No transcripts were found."));
    anstream::eprintln!("Looked for them in:");
    for place in places {
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

fn show(report: &Report, args: &ScanArgs, output: ScanOutput) -> Result<()> {
    let text = render(report, args, output)?;
    let to_terminal = output == ScanOutput::Terminal && args.out.is_none();
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
        print_skipped(&report.skipped);
    }
    match &args.out {
        Some(path) => {
            let plain = anstream::adapter::strip_str(&text).to_string();
            let keeps_colours = anstream::ColorChoice::global() == anstream::ColorChoice::Always;
            let text = match output {
                ScanOutput::Terminal if !keeps_colours => &plain,
                _ => &text,
            };
            write_whole(path, text.as_bytes())?;
            notes::print(format_args!("wrote {}", Shown::line(path.display())));
        }
        None if to_terminal => anstream::stdout().lock().write_all(text.as_bytes())?,
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(())
}

fn render(report: &Report, args: &ScanArgs, output: ScanOutput) -> Result<String> {
    Ok(match output {
        ScanOutput::Terminal => {
            let width = terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| width.0.into());
            let paths = args.paths.iter().map(|path| path.display().to_string());
            let options = TerminalOptions::of_width(width).about(paths.collect());
            let mut text = unstuck_report::terminal(report, &options);
            if report.totals.spent.usd.is_some() {
                let note = format!(
                    "Dollars are by list prices of {LISTED_ON} unless a transcript or [prices] says otherwise."
                );
                text = text + &paint(DIM, &note) + "\n";
            }
            text
        }
        ScanOutput::Json => unstuck_report::json(report)?,
        ScanOutput::Jsonl => unstuck_report::json_lines(report)?,
        ScanOutput::Sarif => unstuck_report::sarif(report),
        ScanOutput::Markdown => unstuck_report::markdown(report),
        ScanOutput::Junit => unstuck_report::junit(report)?,
        ScanOutput::Html => {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
            let now = i64::try_from(now.as_millis())?;
            unstuck_report::html(report, &HtmlOptions::made_at(now))?
        }
    })
}
