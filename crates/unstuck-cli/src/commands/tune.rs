//! `unstuck tune`: what would have been said to your own agents, and settings that fit them.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    thread,
};

use anyhow::{Result, bail};
use unstuck_scan::{
    Excerpts, Job, Links, Listed, Skips,
    tune::{self, Healthy, Recordings, render},
};
use unstuck_text::quiet_json;

use crate::{
    args::{TuneArgs, TuneOutput},
    commands::scan,
    configuration, program,
};

pub(crate) fn run(args: &TuneArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let settings = configuration.settings;
    let links = if args.follow {
        Links::Follow
    } else {
        Links::StayInside
    };
    let places = scan::known_places(&|_| true)?;
    let found = scan::search(&args.paths, &places, None, links);
    if args.paths.is_empty() && found.files.is_empty() && found.errors.is_empty() {
        bail!(
            "no transcripts were found where agents keep them; name files or directories, \
             and see `{}` for the places",
            program::command("scan")
        );
    }
    let mut skips = Skips::new(Listed::Some);
    for (reason, path) in &found.skipped.entries {
        skips.add(*reason, path.clone(), String::new());
    }
    scan::print_skipped(&skips.finish());
    let job = Job {
        settings: &settings,
        prices: &configuration.prices,
        wanted: &|_| true,
        excerpts: Excerpts::Unwanted,
        threads: thread::available_parallelism().map_or(1, usize::from),
    };
    let recordings = Recordings::of(found, &args.paths, &job)?;
    let report = tune::tune(&recordings, &settings, &Healthy::new(&args.healthy));
    match args.output {
        TuneOutput::Text => {
            let text = render::text::text(&report, &settings)?;
            write!(anstream::stdout().lock(), "{text}")?;
        }
        TuneOutput::Json => {
            let text = format!("{:#}", render::json::json(&report)?);
            writeln!(io::stdout().lock(), "{}", quiet_json(&text))?;
        }
        TuneOutput::Toml => {
            let text = render::snippet::snippet(&report)?;
            write!(io::stdout().lock(), "{text}")?;
            // What was wrong with the input must not be lost with the rest of the report.
            anstream::eprint!("{}", render::text::unread(&report));
        }
    }
    Ok(if report.collected.totals.is_incomplete() {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    })
}
