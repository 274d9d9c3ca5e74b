//! Arguments of `unstuck scan`.

use std::{
    num::NonZeroU16,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum, ValueHint, builder::PossibleValue};
use clap_complete::ArgValueCandidates;
use unstuck_report::{Output, OutputKind};
use unstuck_scan::{PathPattern, Since};

use crate::{
    args::{ConfigArgs, OutputArgs, complete, old},
    notes,
};

const EXAMPLES: &str = "\
Examples:
  All that agents recorded on this machine:
    unstuck scan

  The last week of one agent, as a page to look at:
    unstuck scan --since 7d --agent claude-code -o report.html

  One project between two days, in the browser:
    unstuck scan --project shop --since 2026-11-01 --until 2026-11-08 --open

  Runs of a benchmark, from files; fail where a run would have been stopped:
    unstuck scan runs/ --fail-on halt

  What costs most, from the JSON:
    unstuck scan --format json |
      jq -r '.runs[] | [.wasted.usd, .path] | @tsv' | sort -rn | head

  Tell at once when an agent that is running now goes in circles:
    unstuck scan --watch

  The examples, in a clone of the repository:
    unstuck scan examples/transcripts

Exit codes:
  0    everything was read, and with --fail-on no run reached the verdict
  1    with --fail-on: a run reached the verdict
  2    a file could not be read, or not to its end; with --fail-on also if no
       run was read, unless no run is of the time or the project asked for;
       with --bad-lines fail also for single bad lines
  130  stopped by Ctrl-C or SIGTERM";

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
/// A wasted call is one that repeated an earlier one of its loop. Tokens and dollars of a loop are those of its wasted
/// calls, each of which costs its share of the turn that it was made in. Dollars are the transcript's own, else by
/// `[prices]` of the configuration, else by list prices.
///
/// Files that were not read, or gave no run, are counted and named by reason. Calls that are recorded in several
/// files, as by a resumed session, are counted once.
#[derive(Clone, Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(crate) struct ScanArgs {
    /// Files, or directories to look through; `-` for standard input. The places of known agents if there are none.
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Only runs that went on after this: 90m, 12h, 7d, 2w, a day or a time.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Since>,

    /// Only runs that began before this, in the same forms. A day is its first moment: `--since 2026-11-01 --until
    /// 2026-11-08` is one week.
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<Since>,

    /// Only runs in this project: part of the directory that the agent worked in, such as `shop` or `/home/ada`. With `*`
    /// or `?`, the whole directory, or its end from a slash on: `--project 'shop-*'`. Transcripts that do
    /// not name the directory are known by their own path. May be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) project: Vec<PathPattern>,

    /// Leave out files with this in their path. With `*` or `?`, the whole path, or its end from a slash on:
    /// `--exclude '*.bak' --exclude 'archive/*'`. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<PathPattern>,

    /// Only loops that this rule saw, such as `exact-repeat`; `unstuck rules` lists them. Runs without such loops count
    /// as not stuck, for `--fail-on` too. May be repeated.
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(complete::rules))]
    pub(crate) rule: Vec<String>,

    /// Only transcripts of this agent or format, such as `claude-code` or `codex`. May be repeated.
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(complete::formats))]
    pub(crate) agent: Vec<String>,

    /// Exit with 1 if any run would have been answered so, or more strictly, and with 2 if no run could be read.
    #[arg(long, value_name = "VERDICT")]
    pub(crate) fail_on: Option<FailOn>,

    /// Whether single lines that cannot be read, in files that can be, change the exit code: `fail` exits with 2.
    #[arg(long, value_name = "WHAT", default_value = "ignore")]
    pub(crate) bad_lines: BadLines,

    #[command(flatten)]
    output: OutputArgs<ScanOutput>,

    /// Old spelling of `--output`.
    #[arg(long = "out", hide = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    old_out: Option<PathBuf>,

    /// The format that was asked for, in any spelling.
    #[arg(skip)]
    pub(crate) asked: Option<ScanOutput>,

    /// The file to write, in any spelling.
    #[arg(skip)]
    pub(crate) out: Option<PathBuf>,

    /// Write the HTML page and open it in the browser: to the file of `--output`, or to a temporary one that only you can read.
    #[arg(long, conflicts_with = "watch")]
    pub(crate) open: bool,

    /// Keep secrets in the report. Without this, what looks like a password, key or token is taken out.
    #[arg(long)]
    pub(crate) no_redact: bool,

    /// Read on in the files as they grow, and report every loop when it is found.
    #[arg(long)]
    pub(crate) watch: bool,

    /// Follow links that lead out of the directories named. Without it they are listed as skipped; a PATH that is itself
    /// a link is always followed.
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,

    /// Files that are read at the same time; as many as there are processors unless given.
    #[arg(long, value_name = "COUNT", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroU16>,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// A number of files at the same time.
fn jobs(text: &str) -> Result<NonZeroU16, String> {
    let wrong = |_| "write a number from 1 to 65535".to_owned();
    text.parse().map_err(wrong)
}

impl ScanArgs {
    /// The same arguments, with the format and the file that they name.
    pub(super) fn settled(&self) -> Result<Self> {
        let mut settled = self.clone();
        settled.asked = self.output.asked()?;
        settled.out = self.output.file().map(Path::to_owned);
        if let Some(out) = &self.old_out {
            notes::note(old("--out", "--output"));
            settled.out = Some(out.clone());
        }
        Ok(settled)
    }
}

/// One of the outputs of `unstuck-report`, which lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScanOutput(pub(crate) &'static Output);

impl ScanOutput {
    pub(crate) fn kind(self) -> OutputKind {
        self.0.kind()
    }
}

impl ValueEnum for ScanOutput {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<ScanOutput>> =
            LazyLock::new(|| Output::all().iter().copied().map(ScanOutput).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.0.name()).help(self.0.help());
        Some(value.aliases(self.0.aliases().iter().copied()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum BadLines {
    /// They are reported, and do not change the exit code.
    Ignore,
    /// They count as a file that cannot be read.
    Fail,
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
