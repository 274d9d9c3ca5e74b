//! `unstuck tune`: what would have been said to your own agents, and settings that fit them.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::{Result, bail};
use unstuck_scan::{
    Links, Listed, Scan, known_places,
    tune::{self, Healthy, Recordings},
};
use unstuck_text::quiet_json;

use crate::{
    args::{TuneArgs, TuneOutput},
    commands::scan::print_skipped,
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
    let scan = Scan::new(settings)
        .prices(configuration.prices)
        .places(known_places()?)
        .paths(&args.paths)
        .links(links);
    let found = scan.find();
    if args.paths.is_empty() && found.files.is_empty() && found.errors.is_empty() {
        bail!(
            "no transcripts were found where agents keep them; name files or directories, \
             and see `{}` for the places",
            program::command("scan")
        );
    }
    print_skipped(&found.skipped(Listed::Some));
    let recordings = Recordings::of(found, &scan)?;
    let settings = scan.settings();
    let report = tune::tune(&recordings, settings, &Healthy::new(&args.healthy));
    match args.output {
        TuneOutput::Text => {
            let text = report.text(settings)?;
            write!(anstream::stdout().lock(), "{text}")?;
        }
        TuneOutput::Json => {
            let text = format!("{:#}", report.json()?);
            writeln!(io::stdout().lock(), "{}", quiet_json(&text))?;
        }
        TuneOutput::Toml => {
            let text = report.toml()?;
            write!(io::stdout().lock(), "{text}")?;
            // What was wrong with the input must not be lost with the rest of the report.
            anstream::eprint!("{}", report.unread());
        }
    }
    Ok(if report.is_incomplete() {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    })
}
