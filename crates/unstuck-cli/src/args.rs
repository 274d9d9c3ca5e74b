//! What can be typed.

mod audit;
mod complete;
mod config;
mod control;
mod hook;
mod install;
mod mcp;
mod mcp_http;
mod mistakes;
mod policy;
mod scan;
mod schema;
mod top;
mod tune;

pub(crate) use audit::{
    AuditCloseArgs, AuditCommand, AuditCommandArgs, AuditExportArgs, AuditTailArgs,
    AuditVerifyArgs, ExportFormat,
};
pub(crate) use config::{
    ConfigArgs, ConfigCheckArgs, ConfigCommand, ConfigCommandArgs, ConfigShowArgs, ConfigTrustArgs,
};
pub(crate) use control::ControlArgs;
pub(crate) use hook::{AllowArgs, HookArgs, ModeArgs, ModeWord, ResetArgs, SessionsArgs};
pub(crate) use install::{
    DoctorArgs, InstallArgs, InstallMcpArgs, InstallWhat, ServerArgs, UninstallArgs, UninstallWhat,
};
pub(crate) use mcp::{AuditArguments, AuditFailure, AuditSync, McpArgs};
pub(crate) use mcp_http::McpHttpArgs;
pub(crate) use mistakes::parse;
pub(crate) use policy::{PolicyCheckArgs, PolicyCommand, PolicyCommandArgs};
pub(crate) use scan::{BadLines, FailOn, ScanArgs};
pub(crate) use schema::{SchemaArgs, SchemaName};
pub(crate) use top::TopArgs;
pub(crate) use tune::{TuneArgs, TuneOutput};

use std::{num::NonZeroU64, path::PathBuf};

use clap::{Args as ClapArgs, Parser, Subcommand};
use clap_complete::{ArgValueCandidates, Shell};

use crate::style;

/// Keeps LLM agents from going in circles.
///
/// unstuck watches what an agent does and what comes back, and decides whether the agent still makes progress. Its
/// answer is one of four: allow, nudge (a text for the model), deny (this call is not run) or halt (the run ends).
///
/// What counts as a loop is decided by rules (`unstuck rules`), with thresholds from a preset and from `unstuck.toml`
/// files (`unstuck config show`).
#[derive(Debug, Parser)]
#[command(
    name = "unstuck",
    version,
    propagate_version = true,
    styles = style::HELP,
    max_term_width = 100,
    after_help = "\
Examples:
  Guard a coding agent, and see that it is guarded:
    unstuck install claude-code
    unstuck doctor

  Which runs of the agents on this machine got stuck in loops?
    unstuck scan

  Judge a recorded or running agent, one decision for each event:
    unstuck check < events.jsonl

  See which rules are on, and read about one of them:
    unstuck rules
    unstuck explain exact-repeat

  Check the configuration before it is used:
    unstuck config check

  Watch the agents that are at work now:
    unstuck top

  See what the hooks of your agents were told, and let a halted one go on:
    unstuck status
    unstuck reset SESSION

  See what would have been said to your own agents, and which settings fit them:
    unstuck tune recordings/

Exit codes:
  0    success
  1    a check found what it looks for (scan --fail-on, doctor, audit verify,
       policy check), or you declined a change
  2    something could not be used: a line, a file, an option
  130  interrupted by Ctrl-C

Environment:
  UNSTUCK_MODE  enforce, observe or off: overrides `unstuck mode` and all
                configuration files
  UNSTUCK_HOME  directory for the state of hooks
  NO_COLOR      switches colours off"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the runs that got stuck in loops, and what that cost.
    ///
    /// Reads the transcripts that agents wrote on this machine, replays every run through the engine, and reports the
    /// loops: what was repeated, how often, what did not change, and what it cost. Without a path it looks where Claude
    /// Code, Codex, Gemini CLI, Qwen Code, OpenCode, Copilot CLI and others keep their sessions. Nothing is sent
    /// anywhere, and nothing is changed.
    ///
    /// Formats are detected from the content: Claude Code, Codex (also `exec --json`), Gemini CLI, Qwen Code, OpenCode
    /// (database, export, `run --format json`), Copilot CLI, pi, Cline and Roo Code, SWE-agent, mini-swe-agent, OpenHands
    /// (events and logged completions), ATIF, Inspect, LangChain, bodies of the OpenAI Chat and Responses, Anthropic and
    /// Gemini APIs, OpenTelemetry spans of `gen_ai`, OpenInference spans, and events as `unstuck check` reads them; each
    /// also packed with gzip, zstd or xz. The JSON output of Claude Code, Codex and OpenCode is found within other logs
    /// too: behind a prefix such as a time and a level, and printed over several lines.
    ///
    /// A wasted call is one that repeated an earlier one of its loop. Tokens and dollars of a loop are its share of what
    /// the model was asked in that stretch: an estimate, by the transcript's own costs, else by `[prices]` of the
    /// configuration, else by list prices.
    ///
    /// Files that were not read, or gave no run, are counted and named by reason. Calls that are recorded in several
    /// files, as by a resumed session, are counted once.
    #[command(after_help = scan::EXAMPLES)]
    Scan(ScanArgs),

    /// Judge a stream of events (JSON lines).
    ///
    /// Reads events, one JSON object a line, and answers each with one decision a line, in order and at once. One
    /// stream may carry any number of sessions and agents. A line that is not an event is answered by an error and changes
    /// nothing; the stream goes on, and the exit code is 2 at the end. Blank lines are skipped. A field that no event has is
    /// ignored, with one warning for each name. Transcripts of agents are for `unstuck scan`.
    ///
    /// Every event has `event`, and may have `session`, `agent`, `swarm` and `at` (milliseconds). A `call` has `id`, `tool`,
    /// `args`, `key`, `read_only` and `idempotent`; a `result` has `id`, `status`, `output` and `exit_code`; a `step` has
    /// `code` and `output`; a `text` has `text` and `role`; a `turn` has `tokens` and `cost`; a `user` has `text`. `retry`,
    /// `compaction`, `resume` and `reset` have no fields of their own.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),

    /// Guard a coding agent: put the hooks into its configuration.
    ///
    /// Edits the agent's own configuration in place. Only what is needed is added: comments, order, layout and hooks of
    /// others stay as they are. The change is shown first, and you are asked; without a terminal, add `--yes`. A backup is kept,
    /// and `unstuck uninstall` takes out exactly what was added. Doing it again changes nothing, and after an update of unstuck it
    /// brings the hooks up to date. A file that cannot be read is not touched.
    #[command(after_help = install::INSTALL_EXAMPLES)]
    Install(InstallArgs),

    /// Take the hooks out of an agent's configuration.
    ///
    /// Removes what `unstuck install` added and nothing else. Files that were not changed since are the same as before,
    /// to the byte; files that were made for the hooks are gone. A line that runs the hook among other things is yours and
    /// stays. Runs only in a terminal, and not for an agent.
    #[command(after_help = install::UNINSTALL_EXAMPLES)]
    Uninstall(UninstallArgs),

    /// Check that the agents here are guarded.
    ///
    /// For each agent that is found: are the hooks registered, can the program be reached from them, does the agent
    /// trust them, have they fired, and do they stop a loop. For hooks in your own files that an install wrote, the registered
    /// program is run with the inputs of a canary loop, with its state in a directory of its own; nothing from a project's
    /// files is run. One line each reports what is wrong and what to do.
    #[command(after_help = install::DOCTOR_EXAMPLES)]
    Doctor(DoctorArgs),

    /// Replay your own recordings and propose settings.
    ///
    /// Shows what unstuck would have said to agents that have already run, how each of these runs went on, and which
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
    #[command(after_help = tune::EXAMPLES)]
    Tune(TuneArgs),

    /// List the rules, and which of them are on.
    ///
    /// Shows every rule with its thresholds: after how many occurrences, counted including the first one, there is a nudge,
    /// a denied call, a halted run. `unstuck check` uses the same thresholds here, with the same options.
    #[command(after_help = "\
Examples:
  unstuck rules
  unstuck rules --preset attocode
  unstuck rules --json | jq -r '.[] | select(.enabled) | .name'")]
    Rules(RulesArgs),

    /// Explain a rule.
    ///
    /// When the rule fires and when it does not, why, an example, and its options as they are in effect here.
    #[command(after_help = "\
Examples:
  unstuck explain exact-repeat
  unstuck explain call-burst --preset ironcurtain")]
    Explain(ExplainArgs),

    /// Check, show and describe the configuration.
    ///
    /// Settings come from a preset and from up to three TOML files, the later ones winning key by key: the user's
    /// `unstuck/unstuck.toml` in the configuration directory, the project's `unstuck.toml` in the current directory or
    /// the nearest one above it, and the file given with `--config`.
    #[command(after_help = "\
Examples:
  unstuck config check
  unstuck config show --preset ironcurtain
  unstuck config schema > unstuck.schema.json")]
    Config(ConfigCommandArgs),

    /// Answer one hook of a coding agent.
    ///
    /// Coding agents run this before and after their calls. It reads the hook's input from standard input, counts it
    /// for that session and agent, and writes the answer in the form that this agent wants. Whatever goes wrong, the
    /// agent goes on: the answer allows the call, the exit code is 0, and the log (`unstuck status` names it) says why.
    ///
    /// State is kept under `UNSTUCK_HOME`, or else in the platform's directory for state.
    #[command(after_help = hook::EXAMPLES)]
    Hook(HookArgs),

    /// Show whether the guard is on, and what it has seen.
    ///
    /// The mode and who set it, the settings that hooks use here, the agents heard of last with what they were told,
    /// and the end of the log.
    #[command(after_help = "\
Examples:
  unstuck status")]
    Status,

    /// List the agents that are being watched.
    ///
    /// Newest first: state, host, session, counts of calls, nudges and denials.
    #[command(after_help = "\
Examples:
  unstuck sessions
  unstuck sessions --json | jq -r '.[] | select(.halted) | .session'")]
    Sessions(SessionsArgs),

    /// Watch the agents of this machine, live.
    ///
    /// A list of the agents that are at work, the ones in trouble first: what each of them repeats, what it was last
    /// told, and what that has cost. Enter looks into one: its last calls and what came of them, the message it was
    /// given, the patterns it was warned of.
    ///
    /// Agents with hooks (`unstuck install`) are shown as their hooks see them; they can be let go on (`r`), and one of
    /// their tools can be exempted (`x`). All others are followed in what they record, where `unstuck scan` finds it;
    /// what stands there is what they would have been told. Nothing is changed unless you say so.
    ///
    /// Keys: arrows or j and k move, Enter looks into one, Esc goes back, / filters, s sorts, p pauses, r resets, x
    /// exempts a tool, ? shows all of them, q quits.
    #[command(after_help = top::EXAMPLES)]
    Top(TopArgs),

    /// Let a halted or denied agent go on.
    ///
    /// Forgets what is held against a session: streaks, warnings, denials, a halt. The next call is judged afresh. An
    /// agent cannot do that for itself: run it in a terminal of your own.
    #[command(after_help = "\
Examples:
  unstuck reset 844a24d0
  unstuck reset --all")]
    Reset(ResetArgs),

    /// Stop watching a tool.
    ///
    /// Calls of the tool neither count nor are denied, from the next call on. Without a tool it lists what was allowed.
    #[command(after_help = "\
Examples:
  unstuck allow 'mcp__*__sleep'
  unstuck allow Bash --session 844a24d0
  unstuck allow Bash --here
  unstuck allow Bash --remove")]
    Allow(AllowArgs),

    /// Switch the guard off, on, or to observing.
    ///
    /// Applies to all hooks from the next call on. `UNSTUCK_MODE` overrides it. Without an argument, prints the current mode.
    #[command(after_help = "\
Examples:
  unstuck mode off
  unstuck mode observe
  unstuck mode default
  UNSTUCK_MODE=off claude")]
    Mode(ModeArgs),

    /// Run an MCP server behind a guard.
    ///
    /// Stands between an MCP client and the server that the command after `--` starts. Messages pass as they are. Every
    /// tool call is judged first, by the policies and then by the rules, and recorded; a call that is denied does not
    /// reach the server, and the model is told why. The command is run as it is written, never by a shell; its standard
    /// error, its exit code and signals are passed on.
    ///
    /// Policies are written in Cedar. Without `--policy`, the file `policy.cedar` beside the user's `unstuck.toml`
    /// applies; until there is one, every call is permitted. An edited file applies within two seconds; an invalid one
    /// is reported, and the last valid one stays in force. `unstuck policy check` tries policies on a call.
    ///
    /// Tools are called `SERVER__TOOL` in settings and in the rules' words.
    #[command(after_help = mcp::MCP_EXAMPLES)]
    Mcp(Box<McpArgs>),

    /// Check policies, and try them on a call.
    ///
    /// Policies decide which calls `unstuck mcp` passes on. They are written in Cedar; docs/guide/mcp.md has the names
    /// that they can use.
    #[command(after_help = policy::EXAMPLES)]
    Policy(PolicyCommandArgs),

    /// Run an MCP server that reports on the watched agents.
    ///
    /// An MCP server on standard input and output, for an agent that supervises others: `status` lists the agents that are
    /// watched, the messages they got and which are halted, `explain` explains a rule. With `--allow-reset` it can also let
    /// an agent go on (`reset`).
    #[command(after_help = control::EXAMPLES)]
    McpControl(ControlArgs),

    /// Check and read what `unstuck mcp` recorded.
    ///
    /// An audit has one JSON object a line: a line before a call is passed on, and one when it has ended. Lines
    /// that are written together end with a hash over them and the hash before. By default the file is
    /// `audit/NAME.jsonl` in the state directory (`UNSTUCK_HOME`).
    #[command(after_help = "\
Examples:
  unstuck audit verify audit.jsonl
  unstuck audit tail --follow audit.jsonl
  unstuck audit export --format csv audit.jsonl > calls.csv")]
    Audit(AuditCommandArgs),

    /// Print a completion script for a shell.
    ///
    /// The script asks `unstuck` itself for completions, so names of rules, formats, agents and sessions are completed, too.
    /// Where the script goes depends on the shell and its setup; these are common places.
    #[command(after_help = "\
Examples:
  unstuck completions bash > ~/.local/share/bash-completion/completions/unstuck
  unstuck completions zsh > ~/.zfunc/_unstuck
  unstuck completions fish > ~/.config/fish/completions/unstuck.fish")]
    Completions(CompletionsArgs),

    /// Print a JSON schema.
    ///
    /// The schemas of the configuration and of what `unstuck scan` writes. Each has an `$id` with its version, and every
    /// JSON report names the schema it follows.
    #[command(after_help = "\
Examples:
  unstuck schema
  unstuck schema scan > scan.schema.json")]
    Schema(SchemaArgs),

    /// Print the manual page.
    ///
    /// The page of the main command, in the format that `man` reads.
    #[command(after_help = "\
Examples:
  unstuck man > unstuck.1
  unstuck man | man -l -")]
    Man,

    /// Write everything that is generated: schema, rule pages, completions, manual pages.
    #[command(hide = true)]
    Generate(GenerateArgs),
}

const CHECK_EXAMPLES: &str = r#"Examples:
  A call that comes back with the same result three times gets a nudge:
    printf '%s\n' \
      '{"event":"call","id":1,"tool":"read_file","args":{"path":"a.txt"}}' \
      '{"event":"result","id":1,"output":"no such file"}' \
      '{"event":"call","id":2,"tool":"read_file","args":{"path":"a.txt"}}' \
      '{"event":"result","id":2,"output":"no such file"}' \
      '{"event":"call","id":3,"tool":"read_file","args":{"path":"a.txt"}}' \
      '{"event":"result","id":3,"output":"no such file"}' | unstuck check

  Only what was found in a recorded run:
    unstuck check run.jsonl | grep -v '"verdict":"allow"'

  With the thresholds of another system, and nothing from configuration files:
    unstuck check --preset tool-loop-detector --no-config run.jsonl

  Decide but never interfere (the answer stands in `would`):
    UNSTUCK_MODE=observe unstuck check run.jsonl"#;

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// Files of events; standard input if none, or for `-`.
    pub(crate) files: Vec<PathBuf>,

    /// Snapshot the engine after every N events, drop it and restore it. `cargo xtask same` checks with it that a restored
    /// engine decides the same.
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) restart_every: Option<NonZeroU64>,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RulesArgs {
    /// Write JSON, with all options of every rule.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExplainArgs {
    /// The rule's name; `unstuck rules` lists them.
    #[arg(value_name = "RULE", add = ArgValueCandidates::new(complete::rules))]
    pub(crate) rule: String,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: Shell,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GenerateArgs {
    /// The directory that the files are written under.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
