//! `unstuck statusline`: one line about a session, for the status line of Claude Code.

use std::{
    io::{self, Read as _, Write as _},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args as ClapArgs;
use serde::Deserialize;
use unstuck::Mode;
use unstuck_hosts::Host;
use unstuck_report::counted;
use unstuck_session::{AgentState, Force, ModeFrom, StateDir, clock};
use unstuck_store::About;
use unstuck_text::Shown;

use super::Run;
use crate::style::{DIM, ERROR, WARNING, paint};

/// Bytes of input that are read.
const LONGEST: u64 = 1 << 20;

/// Characters of a session's name that are enough for `unstuck reset`.
const NAME: usize = 8;

/// Print one line about a session of Claude Code.
///
/// Claude Code runs this for its status line: it reads what Claude Code writes about the session from standard input, and
/// prints one line: how the session's main agent is doing, what it repeats, the nudges it was given and the calls it
/// wasted. Nothing is counted and nothing is changed. `unstuck install claude-code --statusline` sets it up.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  In `settings.json` of Claude Code, as `install --statusline` writes it:
    \"statusLine\": {\"type\": \"command\", \"command\": \"unstuck statusline\"}

  Try it by hand:
    echo '{\"session_id\":\"844a24d0\"}' | unstuck statusline

  Behind a status line of your own, in its script:
    echo \"$(basename \"$PWD\") $(unstuck statusline)\"")]
pub(crate) struct StatuslineArgs {}

/// What Claude Code writes, as far as it is needed.
#[derive(Debug, Default, Deserialize)]
struct Input {
    #[serde(default)]
    session_id: String,
}

impl Run for StatuslineArgs {
    /// Ends with 0 whatever happens: a failure would empty the whole status line.
    fn run(&self) -> Result<ExitCode> {
        let mut text = Vec::new();
        let read = io::stdin().lock().take(LONGEST).read_to_end(&mut text);
        let input: Input = match read {
            Ok(_) => serde_json::from_slice(&text).unwrap_or_default(),
            Err(_) => Input::default(),
        };
        let line = match StateDir::find() {
            Ok(home) => line(&home, &input.session_id),
            Err(_) => "unstuck: no state".to_owned(),
        };
        // Claude Code shows colours, and reads a pipe.
        let mut out = match anstream::ColorChoice::global() {
            anstream::ColorChoice::Auto if std::env::var_os("NO_COLOR").is_none() => {
                anstream::AutoStream::always_ansi(io::stdout()).lock()
            }
            _ => anstream::stdout().lock(),
        };
        writeln!(out, "{line}")?;
        Ok(ExitCode::SUCCESS)
    }
}

fn line(home: &StateDir, session: &str) -> String {
    if let Ok(ModeFrom::Environment(Mode::Off) | ModeFrom::Switch(Mode::Off)) = home.mode() {
        return paint(DIM, "unstuck off");
    }
    match home.agent(Host::ClaudeCode.name(), session, "main") {
        Some(about) => of(&about, clock::now()),
        None => paint(DIM, "unstuck: no calls yet"),
    }
}

/// The line about one agent.
fn of(about: &About, now: i64) -> String {
    let state = AgentState::of(about, now);
    let word = state.word(Force::of(about));
    let style = match state {
        AgentState::Halted | AgentState::Denied => ERROR,
        AgentState::Warned => WARNING,
        AgentState::Idle | AgentState::Fine => DIM,
    };
    let mut parts = vec![paint(style, &format!("unstuck {word}"))];
    let streak = about.activity.streak.as_ref();
    if let Some(seen) = streak.and_then(|streak| streak.seen.first())
        && state > AgentState::Fine
    {
        parts.push(Shown::line(format_args!("{} {}×", seen.rule, seen.repeats)).to_string());
    }
    if about.nudges > 0 {
        parts.push(counted(about.nudges, "nudge"));
    }
    if about.denials > 0 {
        parts.push(counted(about.denials, "denial"));
    }
    if about.activity.wasted > 0 {
        parts.push(format!("{} wasted", counted(about.activity.wasted, "call")));
    }
    if state == AgentState::Halted {
        let name: String = about.session.chars().take(NAME).collect();
        parts.push(format!("continue: unstuck reset {}", Shown::line(name)));
    }
    parts.join(" · ")
}

#[cfg(test)]
#[path = "statusline_tests.rs"]
mod tests;
