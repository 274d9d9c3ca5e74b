//! `unstuck tune`: what would have been said to your own agents, and settings that fit them.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Result, bail};
use unstuck_text::quiet_json;

use crate::{
    args::{TuneArgs, TuneOutput},
    configuration,
    scan::{Links, Listed, Skips},
    tune::{self, Healthy, Recordings, render},
};

/// Where agents keep their transcripts, as far as there are any.
fn in_known_places() -> Result<Vec<PathBuf>> {
    let places = super::scan::known_places(&|_| true)?.into_iter();
    let found: Vec<_> = places
        .map(|place| place.path)
        .filter(|path| path.exists())
        .collect();
    if found.is_empty() {
        bail!(
            "no transcripts were found where agents keep them; name files or directories, \
             and see `unstuck scan` for the places"
        );
    }
    Ok(found)
}

pub(crate) fn run(args: &TuneArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration.print_warnings();
    let settings = configuration.settings;
    let links = if args.follow {
        Links::Follow
    } else {
        Links::StayInside
    };
    let (recordings, skipped) = if args.paths.is_empty() {
        Recordings::find(&in_known_places()?, links)?
    } else {
        Recordings::find(&args.paths, links)?
    };
    let mut skips = Skips::new(Listed::Some);
    for (reason, path) in skipped.entries {
        skips.add(reason, path, String::new());
    }
    super::scan::print_skipped(&skips.finish());
    let report = tune::tune(&recordings, &settings, &Healthy::new(&args.healthy))?;
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
            let entries = &report.proposals.entries;
            write!(
                io::stdout().lock(),
                "{}",
                render::snippet::snippet(entries)?
            )?;
            // What was wrong with the input must not be lost with the rest of the report.
            anstream::eprint!("{}", render::text::broken(&report));
        }
    }
    Ok(if report.collected.totals.broken > 0 {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    })
}
