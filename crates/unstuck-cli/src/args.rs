//! What can be typed.

use std::{num::NonZeroU16, path::PathBuf};

use clap::{
    Args as ClapArgs, Parser, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _},
};
use clap_complete::Shell;
use unstuck::Preset;

use crate::{scan::Since, style};

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
  Which runs of the agents on this machine went in circles?
    unstuck scan

  Judge a recorded or running agent, one decision for each event:
    unstuck check < events.jsonl

  See which rules are on, and read about one of them:
    unstuck rules
    unstuck explain exact-repeat

  Check the configuration before it is used:
    unstuck config check

  See what would have been said to your own agents, and which settings fit them:
    unstuck tune recordings/

Exit codes: 0 all went well, 2 something could not be used (a broken line, a bad configuration); `scan` has more.
Environment: UNSTUCK_MODE=enforce|observe|off goes before `mode` of every file, NO_COLOR switches colours off."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the runs that went in circles, and what that cost.
    ///
    /// Reads the transcripts that agents wrote on this machine, replays every run through the engine, and reports the
    /// loops: what was repeated, how often, what did not change, and what it cost. Without a path it looks where Claude
    /// Code, Codex, Gemini CLI, Qwen Code, OpenCode, Copilot CLI and others keep their sessions. Nothing is sent
    /// anywhere, and nothing is changed.
    ///
    /// Formats are told by their content: Claude Code, Codex (also `exec --json`), Gemini CLI, Qwen Code, OpenCode
    /// (database, export, `run --format json`), Copilot CLI, SWE-agent, mini-swe-agent, OpenHands, ATIF, Inspect,
    /// LangChain, bodies of the OpenAI Chat and Responses, Anthropic and Gemini APIs, OpenTelemetry spans of `gen_ai`,
    /// OpenInference spans, and events as `unstuck check` reads them; each also packed with gzip or zstd.
    ///
    /// A wasted call is one that repeated an earlier one of its loop. Tokens and dollars of a loop are its share of what
    /// the model was asked in that stretch: an estimate, by the transcript's own costs, else by `[prices]` of the
    /// configuration, else by list prices.
    ///
    /// The exit code is 1 where `--fail-on` applies, 2 where something could not be read (all the rest is reported), and
    /// 130 after Ctrl-C, with a report of what was found so far.
    #[command(after_help = SCAN_EXAMPLES)]
    Scan(ScanArgs),

    /// Read events, write one decision a line.
    ///
    /// Reads events, one JSON object a line, and answers each with one decision a line, in order and at once. One
    /// stream may carry any number of sessions and agents. A line that is no event is answered by an error and changes
    /// nothing; the stream goes on, and the exit code is 2 at the end. Blank lines are skipped.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),

    /// Replay your own recordings and propose settings.
    ///
    /// Shows what unstuck would have said to agents that have already run, how each of these runs went on, and which
    /// settings for single tools would have done better: with TOML to paste into `unstuck.toml`, the alarms it would
    /// have saved, and what it costs in loops that are missed. Every number comes from a replay of the recordings.
    ///
    /// Recordings are events as `unstuck check` reads them, one JSON object a line. Each file is a stream of its own:
    /// sessions of the same name in two files are two runs. Transcripts of other agents are not read. A line that is
    /// no event is counted and reported, and the exit code is 2 at the end.
    ///
    /// Whether an alarm was right is known only for runs that `--healthy` names: there every alarm is a false one. For
    /// all others it is guessed from what came afterwards: an agent that went on to something new by itself probably
    /// needed no alarm.
    #[command(after_help = TUNE_EXAMPLES)]
    Tune(TuneArgs),

    /// List the rules, and which of them are on.
    ///
    /// Shows every rule with its rungs: after how many occurrences there is a nudge, a denied call, a halted run. What
    /// is shown is what `unstuck check` would use here, with the same options.
    #[command(after_help = "\
Examples:
  unstuck rules
  unstuck rules --preset attocode
  unstuck rules --json | jq -r '.[] | select(.enabled) | .name'")]
    Rules(RulesArgs),

    /// Tell all about a rule.
    ///
    /// What the rule does, why, an example, what is no loop, and its options as they are in effect here.
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

    /// Print a completion script for a shell.
    ///
    /// Where the script goes depends on the shell and its setup; these are common places.
    #[command(after_help = "\
Examples:
  unstuck completions bash > ~/.local/share/bash-completion/completions/unstuck
  unstuck completions zsh > ~/.zfunc/_unstuck
  unstuck completions fish > ~/.config/fish/completions/unstuck.fish")]
    Completions(CompletionsArgs),

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

const SCAN_EXAMPLES: &str = "\
Examples:
  All that agents recorded on this machine:
    unstuck scan

  The last week of one agent, as a page to look at:
    unstuck scan --since 7d --agent claude-code --output html -o report.html

  Runs of a benchmark, from files; fail where a run would have been stopped:
    unstuck scan runs/ --fail-on halt

  What costs most, from the JSON:
    unstuck scan --output json | jq -r '.runs[] | [.wasted.usd, .path] | @tsv' | sort -rn | head

  Tell at once when an agent that is running now goes in circles:
    unstuck scan --watch

  Without transcripts of one's own, in a clone of the repository:
    unstuck scan examples/transcripts";

const TUNE_EXAMPLES: &str = "\
Examples:
  Record what an agent does, then see what a week of it tells:
    unstuck tune recordings/

  The runs under recordings/good went well, and so did session ci-nightly:
    unstuck tune recordings/ --healthy recordings/good --healthy ci-nightly

  Take over what is proposed, and check the result:
    unstuck tune recordings/ --output toml >> unstuck.toml
    unstuck config check

  Try other settings on the same recordings:
    unstuck tune recordings/ --config stricter.toml";

#[derive(Debug, ClapArgs)]
pub(crate) struct ScanArgs {
    /// Files, or directories to look through; `-` for standard input. The places of known agents if there are none.
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Only runs that went on after this: 90m, 12h, 7d, 2w, a day or a time.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Since>,

    /// Only transcripts of this agent or format, such as `claude-code` or `codex`. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Vec<String>,

    /// Exit with 1 if any run would have been answered so, or more strictly.
    #[arg(long, value_name = "VERDICT")]
    pub(crate) fail_on: Option<FailOn>,

    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub(crate) output: ScanOutput,

    /// The file to write it to, in place of standard output.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,

    /// Follow the files as they grow, and tell of every loop when it is found.
    #[arg(long)]
    pub(crate) watch: bool,

    /// Files that are read at the same time; as many as there are processors unless given.
    #[arg(long, value_name = "COUNT")]
    pub(crate) jobs: Option<NonZeroU16>,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ScanOutput {
    /// For people, here.
    Terminal,
    /// One JSON document.
    Json,
    /// JSON, one line for each run.
    Jsonl,
    /// For code scanning services.
    Sarif,
    /// For issues and comments.
    Markdown,
    /// For build servers.
    Junit,
    /// One page that shows all of it, the calls of every loop included.
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// Any loop.
    Nudge,
    /// A call would have been refused.
    Deny,
    /// A run would have been ended.
    Halt,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TuneArgs {
    /// Files of events, or directories to look for *.jsonl files in; `-` for standard input.
    #[arg(required = true, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Runs that were fine: a file, a directory or a session; `*` and `?` stand for any characters. May be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) healthy: Vec<String>,

    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) output: TuneOutput,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TuneOutput {
    /// A report for people.
    Text,
    /// The same as one JSON document.
    Json,
    /// Only the proposed settings.
    Toml,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// Files of events; standard input if none, or for `-`.
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// Where settings come from.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Settings")]
pub(crate) struct ConfigArgs {
    /// The settings to start from, whatever the configuration files name.
    #[arg(long, value_name = "NAME", value_parser = presets())]
    pub(crate) preset: Option<Preset>,

    /// A configuration file, on top of the user's and the project's.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Ignore the user's and the project's configuration files.
    #[arg(long)]
    pub(crate) no_config: bool,
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
    #[arg(value_name = "RULE")]
    pub(crate) rule: String,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConfigCommandArgs {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Find mistakes.
    ///
    /// Reads the configuration as `unstuck check` would, or only the files given (the later ones winning), and reports
    /// what is wrong: with file, line, column and a suggestion. Warnings tell what can never have an effect. The exit
    /// code is 2 if there are errors.
    #[command(after_help = "\
Examples:
  unstuck config check
  unstuck config check unstuck.toml
  unstuck config check base.toml override.toml")]
    Check(ConfigCheckArgs),

    /// Print the JSON schema of `unstuck.toml`.
    ///
    /// Editors complete and check keys with it. All keys are optional.
    #[command(after_help = "\
Examples:
  unstuck config schema > unstuck.schema.json
  unstuck config schema | jq '.\"$defs\".Cycle.properties | keys'")]
    Schema,

    /// Print the settings in effect.
    ///
    /// Complete settings as TOML, preset, files, options and environment put together; comments say where they come
    /// from. A secret is not shown.
    #[command(after_help = "\
Examples:
  unstuck config show
  unstuck config show --preset attractor --no-config")]
    Show(ConfigShowArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConfigCheckArgs {
    /// Files to check in place of those that count here.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConfigShowArgs {
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

fn presets() -> impl clap::builder::TypedValueParser<Value = Preset> {
    let names =
        Preset::ALL.map(|preset| PossibleValue::new(preset.as_str()).help(preset.summary()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Preset>())
}

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
