//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use unstuck::{Preset, RuleName};

/// Scores a preset or a configuration on recordings of agents that others labelled.
///
/// The recordings are not part of the repository: give their files here or in the variable `UNSTUCK_CORPUS`.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask eval")]
pub(crate) struct Args {
    /// Files of recordings, `.jsonl`, `.jsonl.xz` or `.jsonl.zst`. Runs of the set `injected` are injected cases and counted
    /// apart.
    pub(crate) corpus: Vec<PathBuf>,

    /// The settings to start from, whatever the configuration names.
    #[arg(long)]
    pub(crate) preset: Option<Preset>,

    /// A configuration file.
    #[arg(long)]
    pub(crate) config: Option<PathBuf>,

    /// First-alarm facts of other detectors, to be scored beside ours.
    #[arg(long)]
    pub(crate) peers: Option<PathBuf>,

    /// Only this set; may be given more than once.
    #[arg(long = "set", value_name = "NAME")]
    pub(crate) sets: Vec<String>,

    /// The half that the tables and lists are about. The headline always shows both.
    #[arg(long, value_enum, default_value_t = Split::All)]
    pub(crate) split: Split,

    /// Print this run step by step and nothing else; may be given more than once. A part of the id will do where no other
    /// has it.
    #[arg(long, value_name = "ID")]
    pub(crate) show: Vec<String>,

    /// List what was missed in this set.
    #[arg(long, value_name = "SET")]
    pub(crate) misses: Option<String>,

    /// List what was flagged falsely in this set.
    #[arg(long, value_name = "SET")]
    pub(crate) false_alarms: Option<String>,

    /// Lists only hold what this rule gave the first alarm of a level to.
    #[arg(long, value_name = "NAME")]
    pub(crate) rule: Option<RuleName>,

    /// Also score with each rule off in turn.
    #[arg(long)]
    pub(crate) leave_one_out: bool,

    /// Also score with every whole-number option of this rule at its neighbours; `RULE.OPTION` for one option. May be given
    /// more than once. A number that is 40 % worse is marked with `!`.
    #[arg(long, value_name = "RULE[.OPTION]")]
    pub(crate) sweep: Vec<String>,

    /// Compare all numbers with those that a reference scorer wrote for the same recordings, list what differs, and exit
    /// with 1 if anything does. May be given more than once.
    #[arg(long, value_name = "FILE")]
    pub(crate) compare_with: Vec<PathBuf>,

    /// Count the words that redaction takes out of the recordings, show some of them, and print nothing else.
    #[arg(long)]
    pub(crate) redaction: bool,

    /// Write the recordings as events, as `unstuck check` reads them, and do nothing else. A file of events is copied.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sets", "split", "show", "write_docs"])]
    pub(crate) events: Option<PathBuf>,

    /// Write all numbers as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Write our first-alarm facts, in the form that `--peers` reads.
    #[arg(long, value_name = "FILE")]
    pub(crate) facts: Option<PathBuf>,

    /// Write the page about detection quality; `cargo xtask` fills in docs/quality.md.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["sets", "split", "show"]
    )]
    pub(crate) write_docs: Option<PathBuf>,

    /// Write the table of the half that nothing was chosen on into a README; `cargo xtask` fills in ours.
    #[arg(long, value_name = "FILE", requires = "write_docs")]
    pub(crate) write_readme: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Split {
    /// The half to tune on.
    Tune,
    /// The half that is only looked at in the end.
    Holdout,
    /// Both.
    All,
}
