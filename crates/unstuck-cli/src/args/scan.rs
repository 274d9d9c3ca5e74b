//! What `unstuck scan` takes.

use std::{num::NonZeroU16, path::PathBuf};

use clap::Args as ClapArgs;
use clap_complete::ArgValueCandidates;

use super::{ConfigArgs, complete};
use crate::scan::{PathPattern, Since};

pub(super) const EXAMPLES: &str = "\
Examples:
  All that agents recorded on this machine:
    unstuck scan

  The last week of one agent, as a page to look at:
    unstuck scan --since 7d --agent claude-code --output html -o report.html

  One project between two days, only loops of failing tests, in the browser:
    unstuck scan --project shop --since 2026-11-01 --until 2026-11-08 --rule test-fix-cycle --open

  Runs of a benchmark, from files; fail where a run would have been stopped:
    unstuck scan runs/ --fail-on halt

  What costs most, from the JSON:
    unstuck scan --output json |
      jq -r '.runs[] | [.wasted.usd, .path] | @tsv' | sort -rn | head

  Tell at once when an agent that is running now goes in circles:
    unstuck scan --watch

  The examples, in a clone of the repository:
    unstuck scan examples/transcripts";

#[derive(Clone, Debug, ClapArgs)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(crate) struct ScanArgs {
    /// Files, or directories to look through; `-` for standard input. The places of known agents if there are none.
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
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
    #[arg(long, value_name = "NAME")]
    pub(crate) rule: Vec<String>,

    /// Only transcripts of this agent or format, such as `claude-code` or `codex`. May be repeated.
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(complete::formats))]
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

    /// Write the HTML page and open it in the browser: to the file of `-o`, or to a temporary one that only you can read.
    #[arg(long, conflicts_with = "watch")]
    pub(crate) open: bool,

    /// Keep secrets in the report. Without this, what looks like a password, key or token is taken out.
    #[arg(long)]
    pub(crate) no_redact: bool,

    /// Read on in the files as they grow, and report every loop when it is found.
    #[arg(long)]
    pub(crate) watch: bool,

    /// Follow links that lead out of the directories named. Without it they are counted on standard error; a PATH that
    /// is itself a link is always followed.
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,

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
