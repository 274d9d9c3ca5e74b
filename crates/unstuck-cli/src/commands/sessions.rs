//! `unstuck sessions`: which agents are being watched.

use std::{io::Write, process::ExitCode};

use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;
use unstuck_report::counted;
use unstuck_session::{AgentState, Force, clock};
use unstuck_store::About;
use unstuck_text::Shown;

use super::{Run, proxies};
use crate::{
    args::{OutputArgs, TextOrJson},
    configuration,
    style::{DIM, ERROR, WARNING, paint},
};

/// Characters shown of the name of a session or an agent.
const NAME: usize = 200;

/// Sessions shown unless all are asked for.
const SHOWN: usize = 20;

/// List the agents that are being watched.
///
/// Newest first: state, host, session, counts of calls, nudges and denials. JSON has everything that is known, of all
/// of them.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck sessions
  unstuck sessions --format json | jq -r '.[] | select(.halted) | .session'")]
pub(crate) struct SessionsArgs {
    /// List all agents, not only the newest 20.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    output: OutputArgs<TextOrJson>,
}

impl Run for SessionsArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &SessionsArgs) -> Result<ExitCode> {
    let home = configuration::state_dir()?;
    let watched = home.agents();
    let running = home.proxies();
    let mut out = args.output.open()?;
    if args.output.format()? == TextOrJson::Json {
        let proxies = running.iter().map(proxies::as_json);
        let now = clock::now();
        let watched = watched.iter().map(|about| as_json(about, now));
        out.json(&proxies.chain(watched).collect())?;
        out.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    if watched.is_empty() && running.is_empty() {
        writeln!(
            out,
            "no agent has been seen yet; hooks of an agent and running proxies report it here"
        )?;
    }
    let shown = if args.all { watched.len() } else { SHOWN };
    let now = clock::now();
    for proxy in &running {
        proxies::print(&mut out, proxy, now)?;
    }
    for about in watched.iter().take(shown) {
        print(&mut out, about, now)?;
    }
    if watched.len() > shown {
        let more = watched.len() - shown;
        writeln!(out, "{}", paint(DIM, &format!("… and {more} more: --all")))?;
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// One agent, as a line or two.
pub(crate) fn print(out: &mut impl Write, about: &About, now: i64) -> Result<()> {
    let state = AgentState::of(about, now);
    let word = state.word(Force::of(about));
    let state = match state {
        AgentState::Halted => paint(ERROR, word),
        AgentState::Warned | AgentState::Denied => paint(WARNING, word),
        AgentState::Idle | AgentState::Fine => word.to_owned(),
    };
    let agent = match &*about.agent {
        "main" => String::new(),
        agent => format!(" agent {}", Shown::line(agent).at_most(NAME)),
    };
    writeln!(
        out,
        "{state}  {}  {}{agent}  {}, {}, {}  {}",
        Shown::line(&about.host),
        Shown::line(&about.session).at_most(NAME),
        counted(about.calls, "call"),
        counted(about.nudges, "nudge"),
        counted(about.denials, "denial"),
        paint(DIM, &clock::ago(about.last_seen, now)),
    )?;
    if let Some(warning) = about.warnings.last() {
        let would = if warning.observed { "would " } else { "" };
        let pattern = warning.pattern.join(" · ");
        let said = format!(
            "{would}{}: {} ({}x) {pattern}",
            warning.verdict, warning.rule, warning.repeats
        );
        writeln!(out, "    {}", paint(DIM, &Shown::line(said).to_string()))?;
    }
    if about.halted.is_some() {
        let session = Shown::line(&about.session).at_most(NAME);
        writeln!(out, "    continue with: unstuck reset {session}")?;
    }
    Ok(())
}

pub(crate) fn as_json(about: &About, now: i64) -> serde_json::Value {
    let warnings: Vec<_> = about
        .warnings
        .iter()
        .map(|warning| {
            json!({
                "at": warning.at,
                "verdict": warning.verdict,
                "rule": warning.rule,
                "repeats": warning.repeats,
                "pattern": warning.pattern,
                "observed": warning.observed,
            })
        })
        .collect();
    json!({
        "host": about.host,
        "session": about.session,
        "agent": about.agent,
        "state": AgentState::of(about, now).word(Force::of(about)),
        "directory": about.directory,
        "first_seen": about.first_seen,
        "last_seen": about.last_seen,
        "hooks": about.hooks,
        "calls": about.calls,
        "nudges": about.nudges,
        "denials": about.denials,
        "halted": about.halted,
        "warnings": warnings,
    })
}
