//! What `unstuck tune` takes.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::ConfigArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  The transcripts on this machine:
    unstuck tune

  Recordings of a week, in a directory:
    unstuck tune recordings/

  The runs under recordings/good went well, and so did session ci-nightly:
    unstuck tune recordings/ --healthy recordings/good --healthy ci-nightly

  Add what is proposed to a file, and check the result:
    unstuck tune recordings/ --output toml >> unstuck.toml
    unstuck config check

  Try other settings on the same recordings:
    unstuck tune recordings/ --config stricter.toml";

#[derive(Debug, ClapArgs)]
pub(crate) struct TuneArgs {
    /// Recordings, or directories to look for them in; `-` for standard input. By default, the places where agents keep
    /// their transcripts.
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Runs that were fine: a file, a directory or a session; `*` and `?` stand for any characters. May be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) healthy: Vec<String>,

    /// Follow links that lead out of the directories named. Without it they are counted on standard error.
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,

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
