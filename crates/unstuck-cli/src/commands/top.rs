//! `unstuck top`: the agents of this machine, live.

use std::{
    io::{self, IsTerminal as _, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use unstuck_scan::{Scan, Since, known_places};

use super::{Run, sessions};
use crate::{
    args::{ConfigArgs, OutputArgs, TextOrJson, interval},
    configuration,
    top::{self, App, Audience, Collector, End, INTERRUPTED, Sources},
};

/// Columns where there is no terminal.
const COLUMNS: u16 = 100;

/// Watch the agents of this machine, live.
///
/// A list of the agents that are at work, the ones in trouble first: what each of them repeats, what it was last
/// told, and what that has cost. Enter looks into one: its last calls and what came of them, the message it was
/// given, the patterns it was warned of.
///
/// Agents with hooks (`unstuck install`) are shown as their hooks see them; they can be reset (`r`), and one of
/// their tools can be exempted (`x`). All others are followed in what they record, where `unstuck scan` finds it;
/// what stands there is what they would have been told. Nothing is changed unless you say so.
///
/// Keys: arrows or j and k move, Enter looks into one, Esc goes back, / filters, s sorts, p pauses, r resets, x
/// exempts a tool, ? shows all of them, q quits.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TopArgs {
    /// Show agents that did something after this: 90m, 12h, 7d, a day or a time.
    #[arg(long, value_name = "TIME", default_value = "4h")]
    since: Since,

    /// Time between two looks, such as 500ms, 2s or 1m, at most 1h; plain numbers are seconds.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = interval)]
    interval: Duration,

    /// Look once, print what there is to see, and end. `--format json` and `--output` imply it.
    #[arg(long)]
    once: bool,

    #[command(flatten)]
    output: OutputArgs<TextOrJson>,

    #[command(flatten)]
    config: ConfigArgs,
}

const EXAMPLES: &str = "\
Examples:
  The agents of the last four hours:
    unstuck top

  All that were active today, looked at twice a second:
    unstuck top --since 24h --interval 500ms

  One look, as text, for a script or a status line:
    unstuck top --once | head -3

  One look, for a program:
    unstuck top --format json | jq -r '.agents[] | [.state, .session] | @tsv'";

impl Run for TopArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &TopArgs) -> Result<ExitCode> {
    let is_json = args.output.format()? == TextOrJson::Json;
    let is_once = args.once || is_json || args.output.file().is_some();
    let has_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !is_once && !has_terminal {
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
    if is_once {
        let mut app = App::default();
        read(&mut |collector| {
            app.snapshot = collector.look(|_| {});
            Audience::Gone
        });
        let mut out = args.output.open()?;
        if is_json {
            out.json(&as_json(&app))?;
        } else {
            write!(out, "{}", top::text(&app, width()))?;
        }
        out.finish()?;
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

fn as_json(app: &App) -> Value {
    let snapshot = &app.snapshot;
    let agents = app.rows().into_iter().map(|agent| {
        let about = &agent.about;
        let mut json = sessions::as_json(about, snapshot.now);
        json["source"] = match agent.source {
            top::Source::Hooks => "hooks".into(),
            top::Source::Proxy => "proxy".into(),
            top::Source::Transcript => "transcript".into(),
        };
        json["wasted_calls"] = about.activity.wasted.into();
        json["repeats"] = agent
            .streak()
            .map(|(times, rule)| json!({"times": times, "rule": rule}))
            .into();
        json
    });
    json!({
        "at": snapshot.now,
        "agents": agents.collect::<Vec<_>>(),
        "transcripts_left_out": snapshot.left_out,
        "trouble": snapshot.trouble,
    })
}

fn width() -> u16 {
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| width.0)
}
