//! `unstuck top`: the agents of this machine, live.

use std::{
    io::{self, IsTerminal as _, Write as _},
    process::ExitCode,
};

use anyhow::{Result, bail};
use unstuck_scan::{Scan, known_places};

use crate::{
    args::TopArgs,
    configuration,
    top::{self, App, Audience, Collector, End, INTERRUPTED, Sources},
};

/// Columns where there is no terminal.
const COLUMNS: u16 = 100;

pub(crate) fn run(args: &TopArgs) -> Result<ExitCode> {
    let has_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !args.once && !has_terminal {
        bail!(
            "standard output is not a terminal; `unstuck top --once` prints what there is to see, `unstuck status` \
             shows hooks, and `unstuck scan --watch` writes a line for every loop"
        );
    }
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let home = configuration::state_dir()?;
    let sources = Sources {
        home: home.clone(),
        since: args.since,
    };
    let scan = Scan::new(configuration.settings)
        .prices(configuration.prices)
        .places(known_places()?)
        .threads(1);
    let read = move |take: &mut dyn FnMut(&mut Collector<'_>) -> Audience| {
        let mut collector = Collector::new(sources, &scan);
        while take(&mut collector) == Audience::There {}
    };
    if args.once {
        let mut app = App::default();
        read(&mut |collector| {
            app.snapshot = collector.look(|_| {});
            Audience::Gone
        });
        write!(io::stdout().lock(), "{}", top::text(&app, width()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let end = top::interact(&home, args.interval, move |feed| {
        read(&mut |collector| {
            let snapshot = collector.look(|part| feed.meanwhile(part));
            feed.show(snapshot)
        });
    })?;
    Ok(match end {
        End::Quit => ExitCode::SUCCESS,
        End::Stopped => ExitCode::from(INTERRUPTED),
    })
}

fn width() -> u16 {
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| width.0)
}
