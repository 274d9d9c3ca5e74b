//! The data every renderer shows.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use unstuck::Verdict;

use crate::skipped::SkippedFiles;

/// What a scan found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    /// Every run that was read, worst first.
    pub runs: Vec<Run>,
    /// What could not be read.
    pub errors: Vec<ScanError>,
    /// Files that were not read, or gave no run, by reason.
    pub skipped: Vec<SkippedFiles>,
    /// The sums.
    pub totals: Totals,
}

/// One agent of one session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Run {
    /// The first words of the task: of the first prompt a person wrote. Empty where the transcript has none.
    pub title: String,
    /// The name of the directory it worked in. Empty where the transcript has none.
    pub project: String,
    /// The file it was read from.
    pub path: String,
    /// The format's name.
    pub format: String,
    /// The session's name in the transcript.
    pub session: String,
    /// The agent within the session.
    pub agent: String,
    /// The models it used, most used first.
    pub models: Vec<String>,
    /// When it began and ended, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<i64>,
    /// When the last event was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<i64>,
    /// Tool calls.
    pub calls: u64,
    /// Results of calls.
    pub results: u64,
    /// The strictest answer there would have been.
    pub verdict: ReportVerdict,
    /// The loops, in the order they began.
    pub loops: Vec<Loop>,
    /// What the loops cost together, nothing counted twice.
    pub wasted: Wasted,
    /// What the whole run cost.
    pub spent: Wasted,
    /// The tools it called, most called first; at most twelve.
    pub tools: Vec<ToolCount>,
}

impl Run {
    /// The loops, the worst first: by verdict, then by wasted calls, then by time.
    pub(crate) fn worst_first(&self) -> Vec<&Loop> {
        let mut loops: Vec<&Loop> = self.loops.iter().collect();
        loops.sort_by_key(|each| {
            let worst = (each.verdict, each.wasted.calls);
            (std::cmp::Reverse(worst), each.calls.from)
        });
        loops
    }
}

/// A tool and how often it was called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolCount {
    /// Its name.
    pub tool: String,
    /// How often.
    pub calls: u64,
}

/// One loop of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Loop {
    /// The rule that saw it first.
    pub rule: String,
    /// The strictest answer there would have been.
    pub verdict: ReportVerdict,
    /// Occurrences, the first included: laps of its calls, or texts and messages where the loop is one of words.
    pub repeats: u64,
    /// Calls in a lap.
    pub period: u64,
    /// The line of the file it began at; left out where the file has no lines, such as a database.
    #[serde(skip_serializing_if = "is_zero")]
    pub from: u64,
    /// The line it was last seen at.
    #[serde(skip_serializing_if = "is_zero")]
    pub to: u64,
    /// One readable line for each member.
    pub pattern: Vec<String>,
    /// Other rules that saw the same stretch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The tool of the first line of the pattern; empty where the loop is one of words.
    pub tool: String,
    /// What the model would have been told.
    pub message: String,
    /// When it began, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// Which calls of the run it spans, counted from one; 0 in a run without calls.
    pub calls: Share,
    /// The calls that belong to it, in order, by their number in the run: `period` of them are a lap. At most the first
    /// 1,000; none where the loop is one of words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<u64>,
    /// The result that all of its calls returned, shortened; empty where their results differ.
    pub unchanged: String,
    /// The result of its last call, shortened, where the results differ.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub last_result: String,
    /// What the repeats after the first occurrence cost.
    pub wasted: Wasted,
    /// The calls from the first to the last of the loop, for a picture of it; the first few hundred. Only where the
    /// output shows them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strip: Vec<Beat>,
    /// Calls to read: some laps of the loop. Only where the output shows them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excerpt: Vec<Excerpt>,
}

impl Loop {
    /// The result that is worth a line, with what it is: that of every call, or of the last one.
    pub(crate) fn shown_result(&self) -> Option<(&'static str, &str)> {
        let results = [
            ("every time", &*self.unchanged),
            ("last result", &*self.last_result),
        ];
        results.into_iter().find(|(_, text)| !text.is_empty())
    }
}

/// One call in the picture of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Beat {
    /// The line of the call; left out where the file has no lines.
    #[serde(skip_serializing_if = "is_zero")]
    pub line: u64,
    /// The tool.
    pub tool: String,
    /// The lap it belongs to, counted from one; 0 for a call in between that is not part of the loop.
    pub lap: u64,
    /// As in [`Move::status`].
    pub status: String,
}

/// A stretch of a run's calls, first and last included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Share {
    /// The first.
    pub from: u64,
    /// The last.
    pub to: u64,
}

/// One lap of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Excerpt {
    /// Which lap, counted from one.
    pub lap: u64,
    /// Its calls, in order.
    pub moves: Vec<Move>,
}

/// One call of a lap, or one text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Move {
    /// The line of the call; left out where the file has no lines.
    #[serde(skip_serializing_if = "is_zero")]
    pub line: u64,
    /// The lap it belongs to; 0 for a call between two laps, which is not a part of the loop.
    pub lap: u64,
    /// When, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// The tool, or `text`, `thinking`.
    pub tool: String,
    /// The arguments, indented JSON or the command itself, shortened.
    pub args: String,
    /// The result, shortened.
    pub output: String,
    /// `ok`, `error`, `denied`, `cancelled`, `pending`, or empty where no result was recorded.
    pub status: String,
    /// The exit code of a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
}

/// What something cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Wasted {
    /// Calls.
    pub calls: u64,
    /// Tokens, read and written.
    pub tokens: u64,
    /// Dollars; `null` where nothing of it has a price. A sum over models of which some have none is a lower bound:
    /// [`Totals::unpriced`] names those. Written with six decimals at the most.
    #[serde(serialize_with = "six_decimals")]
    pub usd: Option<f64>,
}

/// Sums of money are not exact: what lies below a millionth of a dollar is noise.
#[expect(clippy::ref_option, reason = "serde asks for this shape")]
fn six_decimals<S: Serializer>(usd: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    usd.map(|usd| (usd * 1e6).round() / 1e6)
        .serialize(serializer)
}

/// Something that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScanError {
    /// The file.
    pub path: String,
    /// How much of the file is missing.
    pub kind: ErrorKind,
    /// The line, where one line is meant.
    pub line: Option<u64>,
    /// What is wrong.
    pub error: String,
    /// How many more problems of the same file are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: u64,
}

/// How much of a file is missing from a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// All of it.
    #[default]
    Unreadable,
    /// What comes after some point.
    Incomplete,
    /// Single lines.
    BadLines,
}

impl ScanError {
    /// How many more there are, in words; empty where there are none.
    pub fn more_words(&self) -> String {
        let what = match self.kind {
            ErrorKind::BadLines => "line",
            ErrorKind::Unreadable | ErrorKind::Incomplete => "problem",
        };
        match self.more {
            0 => String::new(),
            1 => format!(" (1 more {what} like this)"),
            more => format!(
                " ({} more {what}s like this)",
                crate::figures::grouped(more)
            ),
        }
    }
}

/// The sums over all runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Totals {
    /// Files that gave a run.
    pub files: u64,
    /// Bytes that were read, also of files that gave no run.
    pub bytes: u64,
    /// Files that were not read, or gave no run; [`Report::skipped`] names them.
    pub skipped: u64,
    /// Calls and texts that are recorded more than once, in one file or in several, and were counted once.
    pub repeated: u64,
    /// Runs.
    pub runs: u64,
    /// Runs with a loop.
    pub stuck: u64,
    /// Loops.
    pub loops: u64,
    /// Tool calls.
    pub calls: u64,
    /// Results.
    pub results: u64,
    /// What the loops cost.
    pub wasted: Wasted,
    /// What all runs cost.
    pub spent: Wasted,
    /// Models without a price.
    pub unpriced: Vec<String>,
    /// Was the scan ended before all files were read?
    pub interrupted: bool,
    /// Were secrets taken out?
    pub redacted: bool,
}

/// A verdict, for a report.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ReportVerdict {
    /// Nothing was wrong.
    #[default]
    Allow,
    /// The model would have been told.
    Nudge,
    /// A call would have been refused.
    Deny,
    /// The run would have been ended.
    Halt,
}

impl From<Verdict> for ReportVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Allow => Self::Allow,
            Verdict::Nudge => Self::Nudge,
            Verdict::Deny => Self::Deny,
            Verdict::Halt => Self::Halt,
        }
    }
}

impl ReportVerdict {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Nudge => "nudge",
            Self::Deny => "deny",
            Self::Halt => "halt",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
