//! `unstuck hook`: run by coding agents.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args as ClapArgs;

use super::Run;
use crate::args::host_names;

/// Answer one hook of a coding agent.
///
/// Coding agents run this before and after their calls. It reads the hook's input from standard input, counts it
/// for that session and agent, and writes the answer in the form that this agent wants. If the hook itself fails, the
/// call is allowed, and the log (`unstuck status` names it) has the reason. With `fail = "closed"` in `unstuck.toml`, or
/// `UNSTUCK_FAIL=closed`, it is denied.
///
/// State is kept under `UNSTUCK_HOME`, or else in the platform's directory for state.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HookArgs {
    /// Agent that runs the hook, such as `claude-code`.
    #[arg(value_name = "HOST", value_parser = host_names())]
    host: String,

    /// Event of the hook, such as `preToolUse`, for agents whose input does not name it.
    #[arg(value_name = "EVENT")]
    event: Option<String>,
}

const EXAMPLES: &str = r#"Examples:
  What a coding agent runs, with its hook's input on standard input:
    unstuck hook claude-code
    unstuck hook copilot-cli preToolUse

  Try it by hand:
    echo '{"hook_event_name":"PreToolUse","session_id":"s1","tool_use_id":"1",
      "tool_name":"Bash","tool_input":{"command":"ls"}}' |
      unstuck hook claude-code"#;

impl Run for HookArgs {
    /// Answers the hook where general options stand before the command's name. Without them `main` has answered it
    /// without parsing the command line.
    fn run(&self) -> Result<ExitCode> {
        let words = [Some(&self.host), self.event.as_ref()];
        let words: Vec<_> = words.into_iter().flatten().map(Into::into).collect();
        Ok(unstuck_hook::main(&words))
    }
}
