//! What hooks, and the commands about the agents they watch, take.

use clap::{
    Args as ClapArgs,
    builder::{PossibleValue, PossibleValuesParser},
};
use clap_complete::ArgValueCandidates;
use unstuck_hosts::Host;

use super::complete;

pub(super) const EXAMPLES: &str = r#"Examples:
  What a coding agent runs, with its hook's input on standard input:
    unstuck hook claude-code
    unstuck hook copilot-cli preToolUse

  Try it by hand:
    echo '{"hook_event_name":"PreToolUse","session_id":"s1","tool_use_id":"1",
      "tool_name":"Bash","tool_input":{"command":"ls"}}' |
      unstuck hook claude-code"#;

#[derive(Debug, ClapArgs)]
pub(crate) struct HookArgs {
    /// Whose hook it is.
    #[arg(value_name = "HOST", value_parser = hosts())]
    pub(crate) host: String,

    /// The event, for agents whose input does not name it.
    #[arg(value_name = "EVENT")]
    pub(crate) event: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SessionsArgs {
    /// Show all, not only the newest 20.
    #[arg(long)]
    pub(crate) all: bool,

    /// Write JSON, with everything that is known.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ResetArgs {
    /// The session or the running MCP proxy, or how its name begins.
    #[arg(value_name = "SESSION", conflicts_with = "all", add = ArgValueCandidates::new(complete::sessions_and_proxies))]
    pub(crate) session: Option<String>,

    /// Every agent of every session, and every running MCP proxy.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AllowArgs {
    /// The tool's name; `*` stands for any run of characters.
    #[arg(value_name = "TOOL", add = ArgValueCandidates::new(complete::tools))]
    pub(crate) tool: Option<String>,

    /// Only in this session; how its name begins is enough.
    #[arg(long, value_name = "SESSION", requires = "tool", add = ArgValueCandidates::new(complete::sessions))]
    pub(crate) session: Option<String>,

    /// Only for agents that work in this directory or below.
    #[arg(long, requires = "tool")]
    pub(crate) here: bool,

    /// Take back what was allowed for the tool.
    #[arg(long, requires = "tool", conflicts_with_all = ["session", "here"])]
    pub(crate) remove: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ModeArgs {
    /// What hooks do from the next call on, and running MCP proxies within a second.
    #[arg(value_name = "MODE")]
    pub(crate) mode: Option<ModeWord>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ModeWord {
    /// Nudge, deny and halt.
    Enforce,
    /// Decide and record, but let everything pass.
    Observe,
    /// Do nothing.
    Off,
    /// What the configuration says.
    Default,
}

pub(super) fn hosts() -> PossibleValuesParser {
    PossibleValuesParser::new(
        Host::ALL.map(|host| PossibleValue::new(host.name()).help(host.title())),
    )
}
