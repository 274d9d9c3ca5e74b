//! `unstuck tune`: which verdicts your own agents would have got, and settings that fit them.

use std::{io::Write as _, path::PathBuf, process::ExitCode};

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use unstuck_scan::{
    Links, Listed, Scan, known_places,
    tune::{self, Healthy, Recordings},
};

use super::{Run, scan};
use crate::{
    args::{ConfigArgs, OutputArgs},
    configuration, notes, program,
};

/// Replay your own recordings and propose settings.
///
/// Shows the verdicts that recorded agents would have got, how each of these runs went on, and which
/// settings for single tools would have done better: with TOML to paste into `unstuck.toml`, the alarms it would
/// have saved, and what it costs in loops that are missed. Every number comes from a replay of the recordings.
///
/// Reads what `unstuck scan` reads: transcripts of agents in every known format, and events as `unstuck check` reads
/// them. Each file is a stream of its own: sessions of the same name in two files are two runs. What cannot be read is
/// counted and reported, and the exit code is 2 at the end; it is 2 as well if nothing could be read.
///
/// A tool is made less strict only if that removes at least 5 alarms that were not needed, in at least 3 runs. With each
/// proposal stands what would no longer be reported.
///
/// Whether an alarm was right is known only for runs that `--healthy` names: there every alarm is a false one. For
/// all others it is guessed from what came afterwards: an agent that went on to something new by itself probably
/// needed no alarm.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TuneArgs {
    /// Recordings, or directories to look for them in; `-` for standard input. By default, the places where agents keep
    /// their transcripts.
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Runs that were fine: a file, a directory or a session; `*` and `?` stand for any characters. May be repeated.
    #[arg(long, value_name = "PATTERN")]
    healthy: Vec<String>,

    /// Follow links that lead out of the directories named. Without it they are counted on standard error.
    #[arg(short = 'L', long)]
    follow: bool,

    #[command(flatten)]
    output: OutputArgs<TuneFormat>,

    #[command(flatten)]
    config: ConfigArgs,
}

/// Formats of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TuneFormat {
    /// A report for people.
    Text,
    /// The same as one JSON document.
    Json,
    /// Only the proposed settings, for `unstuck.toml`.
    Toml,
}

const EXAMPLES: &str = "\
Examples:
  The transcripts on this machine:
    unstuck tune

  Recordings of a week, in a directory:
    unstuck tune recordings/

  The runs under recordings/good went well, and so did session ci-nightly:
    unstuck tune recordings/ --healthy recordings/good --healthy ci-nightly

  Add what is proposed to a file, and check the result:
    unstuck tune recordings/ --format toml >> unstuck.toml
    unstuck config check

  Try other settings on the same recordings:
    unstuck tune recordings/ --config stricter.toml";

impl Run for TuneArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &TuneArgs) -> Result<ExitCode> {
    let format = args.output.format()?;
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let settings = configuration.settings;
    let links = if args.follow {
        Links::Follow
    } else {
        Links::StayInside
    };
    let reading = Scan::new(settings)
        .prices(configuration.prices)
        .places(known_places()?)
        .paths(&args.paths)
        .links(links);
    let found = reading.find();
    if args.paths.is_empty() && found.files.is_empty() && found.errors.is_empty() {
        bail!(
            "no transcripts were found where agents keep them; name files or directories, \
             and see `{}` for the places",
            program::command("scan")
        );
    }
    let listed = if notes::is_verbose() {
        Listed::All
    } else {
        Listed::Some
    };
    scan::print_skipped(&found.skipped(listed));
    let recordings = Recordings::of(found, &reading)?;
    let settings = reading.settings();
    let report = tune::tune(&recordings, settings, &Healthy::new(&args.healthy));
    let mut out = args.output.open()?;
    match format {
        TuneFormat::Text => {
            let text = report.text(settings)?;
            write!(out, "{text}")?;
        }
        TuneFormat::Json => out.json(&report.json()?)?,
        TuneFormat::Toml => {
            let text = report.toml()?;
            write!(out, "{text}")?;
            // What was wrong with the input must not be lost with the rest of the report.
            anstream::eprint!("{}", report.unread());
        }
    }
    out.finish()?;
    Ok(if report.is_incomplete() {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    })
}
