//! The table of bounds. Its numbers are read from the settings of the command and from constants in the source.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// One line of the table.
struct Row {
    what: &'static str,
    bound: &'static str,
    /// With `{}` in the place of each number.
    value: &'static str,
    numbers: &'static [Number],
    when_full: &'static str,
}

/// Where a number comes from.
enum Number {
    /// A key of a table in the settings of the preset `standard`.
    Setting(&'static str, &'static str),
    /// The first constant of this name in a file of the repository.
    Constant(&'static str, &'static str, Unit),
}

#[derive(Clone, Copy)]
enum Unit {
    Bytes,
    Count,
    /// The constant is in seconds.
    Days,
}

use Number::{Constant, Setting};
use Unit::{Bytes, Count, Days};

const ROWS: &[Row] = &[
    Row {
        what: "agents in one engine",
        bound: "`memory.sessions`",
        value: "{}",
        numbers: &[Setting("memory", "sessions")],
        when_full: "the agent that was silent longest is forgotten; a halted one only when all are halted",
    },
    Row {
        what: "different calls, similar calls, patterns of an agent",
        bound: "`memory.calls`, each",
        value: "{}",
        numbers: &[Setting("memory", "calls")],
        when_full: "the one written longest ago is forgotten; its streak starts again",
    },
    Row {
        what: "groups of reworded calls, words of each",
        bound: "fixed",
        value: "{}, {}",
        numbers: &[
            Constant("crates/unstuck/src/state/rewordings.rs", "GROUPS", Count),
            Constant("crates/unstuck/src/facts/sketch.rs", "WORDS", Count),
        ],
        when_full: "the group met longest ago is forgotten; of a longer text a sample of its words is compared",
    },
    Row {
        what: "calls whose results are searched for noise, tokens of each",
        bound: "fixed",
        value: "{}, {}",
        numbers: &[
            Constant("crates/unstuck/src/state/volatility.rs", "CALLS", Count),
            Constant("crates/unstuck/src/state/volatility.rs", "TOKENS", Count),
        ],
        when_full: "the call that returned longest ago is forgotten; longer results are not searched",
    },
    Row {
        what: "calls waiting for their result",
        bound: "`memory.pending`",
        value: "{}",
        numbers: &[Setting("memory", "pending")],
        when_full: "the oldest is dropped; its result is ignored",
    },
    Row {
        what: "patterns that were warned of",
        bound: "`memory.warned`",
        value: "{}",
        numbers: &[Setting("memory", "warned")],
        when_full: "the oldest is forgotten; a relapse starts at the bottom",
    },
    Row {
        what: "approaches, outcomes",
        bound: "`memory` of `stagnation` and `stuck-outcome`, the larger, each",
        value: "{}",
        numbers: &[Setting("rules.stagnation", "memory")],
        when_full: "the oldest counts as new again",
    },
    Row {
        what: "burst windows",
        bound: "`rules.call-burst.keys`",
        value: "{}",
        numbers: &[Setting("rules.call-burst", "keys")],
        when_full: "a forgotten call starts with an empty window",
    },
    Row {
        what: "calls in a window",
        bound: "`rules.call-burst.limit`",
        value: "{}",
        numbers: &[Setting("rules.call-burst", "limit")],
        when_full: "the next call is denied",
    },
    Row {
        what: "calls in a lap of a cycle",
        bound: "`rules.cycle.longest`",
        value: "{}",
        numbers: &[Setting("rules.cycle", "longest")],
        when_full: "longer cycles are not detected",
    },
    Row {
        what: "errors, calls and kinds of calls in a row of failures, tools that fail",
        bound: "fixed, each",
        value: "{}",
        numbers: &[Constant(
            "crates/unstuck/src/rules/failure_cascade/failures.rs",
            "REMEMBERED",
            Count,
        )],
        when_full: "the oldest is forgotten",
    },
    Row {
        what: "names of tools that do not exist",
        bound: "fixed",
        value: "{}",
        numbers: &[Constant(
            "crates/unstuck/src/rules/unknown_tool.rs",
            "NAMES",
            Count,
        )],
        when_full: "the oldest is forgotten",
    },
    Row {
        what: "tools whose calls are refused, forms of calls of each",
        bound: "fixed, each",
        value: "{}",
        numbers: &[Constant(
            "crates/unstuck/src/rules/invalid_call.rs",
            "REMEMBERED",
            Count,
        )],
        when_full: "the oldest is forgotten",
    },
    Row {
        what: "tools that are asked in words, questions to each, words of each",
        bound: "fixed",
        value: "{}, {}, {}",
        numbers: &[
            Constant("crates/unstuck/src/rules/reworded_query.rs", "TOOLS", Count),
            Constant(
                "crates/unstuck/src/rules/reworded_query.rs",
                "QUESTIONS",
                Count,
            ),
            Constant("crates/unstuck/src/facts/query.rs", "WORDS", Count),
        ],
        when_full: "the oldest is forgotten; further words are not compared",
    },
    Row {
        what: "targets that are set again and again",
        bound: "fixed",
        value: "{}",
        numbers: &[Constant(
            "crates/unstuck/src/rules/same_target.rs",
            "TARGETS",
            Count,
        )],
        when_full: "the oldest is forgotten",
    },
    Row {
        what: "files followed, states of each",
        bound: "fixed",
        value: "{}, {}",
        numbers: &[
            Constant("crates/unstuck/src/state/file_states.rs", "FILES", Count),
            Constant("crates/unstuck/src/state/file_states.rs", "STATES", Count),
        ],
        when_full: "the file changed longest ago and the state left longest ago are forgotten; a return to it is not detected",
    },
    Row {
        what: "files with a change that is credited to them alone",
        bound: "fixed",
        value: "{}",
        numbers: &[Constant(
            "crates/unstuck/src/state/ledger.rs",
            "FILES",
            Count,
        )],
        when_full: "the oldest change is credited to everything",
    },
    Row {
        what: "calls that changed nothing",
        bound: "fixed",
        value: "{}",
        numbers: &[Constant(
            "crates/unstuck/src/rules/no_op.rs",
            "CALLS",
            Count,
        )],
        when_full: "the oldest is forgotten; it may be made again",
    },
    Row {
        what: "texts compared from turn to turn, passages and sentences within a text",
        bound: "fixed",
        value: "{}, {}, {}",
        numbers: &[
            Constant("crates/unstuck/src/state/speech.rs", "REMEMBERED", Count),
            Constant(
                "crates/unstuck/src/state/speech/passages.rs",
                "REMEMBERED",
                Count,
            ),
            Constant(
                "crates/unstuck/src/state/speech/sentences.rs",
                "REMEMBERED",
                Count,
            ),
        ],
        when_full: "the oldest is forgotten",
    },
    Row {
        what: "messages to other agents, words and names of each",
        bound: "fixed",
        value: "{}, {}, {}",
        numbers: &[
            Constant("crates/unstuck/src/rules/relay.rs", "MESSAGES", Count),
            Constant("crates/unstuck/src/facts/agent_message.rs", "WORDS", Count),
            Constant("crates/unstuck/src/facts/agent_message.rs", "NAMES", Count),
        ],
        when_full: "the oldest is forgotten; of a longer message a sample is compared",
    },
    Row {
        what: "calls and texts tallied for swarms",
        bound: "`memory.swarm`, all swarms together",
        value: "{}",
        numbers: &[Setting("memory", "swarm")],
        when_full: "the one counted longest ago is forgotten",
    },
    Row {
        what: "workers distinguished in one tally",
        bound: "fixed",
        value: "{}",
        numbers: &[Constant(
            "crates/unstuck/src/swarm.rs",
            "MAX_WORKERS",
            Count,
        )],
        when_full: "further workers are counted together with one of them",
    },
    Row {
        what: "name of a session or agent, id of a call",
        bound: "fixed",
        value: "{}, {}",
        numbers: &[
            Constant("crates/unstuck/src/engine/agents.rs", "LONGEST", Bytes),
            Constant("crates/unstuck/src/engine/pending.rs", "LONGEST_ID", Bytes),
        ],
        when_full: "a longer one is kept as its hash",
    },
    Row {
        what: "line of input, its nesting",
        bound: "fixed",
        value: "{}, {} levels",
        numbers: &[
            Constant("crates/unstuck/src/event/wire.rs", "MAX_LINE_BYTES", Bytes),
            Constant("crates/unstuck-json/src/scan.rs", "MAX_DEPTH", Count),
        ],
        when_full: "an error for that line",
    },
    Row {
        what: "message, readable line",
        bound: "fixed",
        value: "{} characters, {}",
        numbers: &[
            Constant("crates/unstuck/src/marker.rs", "MAX_CHARS", Count),
            Constant("crates/unstuck/src/label.rs", "LONGEST", Bytes),
        ],
        when_full: "cut, with an ellipsis",
    },
    Row {
        what: "snapshot of an agent",
        bound: "fixed",
        value: "{}",
        numbers: &[Constant(
            "crates/unstuck/src/engine/snapshot.rs",
            "MAX_BYTES",
            Bytes,
        )],
        when_full: "refused as damaged",
    },
    Row {
        what: "in hooks: calls without a result, results remembered, of each agent",
        bound: "fixed",
        value: "{}, {}",
        numbers: &[
            Constant("crates/unstuck-hosts/src/watch.rs", "OPEN", Count),
            Constant("crates/unstuck-hosts/src/watch/again.rs", "ENDED", Count),
        ],
        when_full: "the oldest is forgotten; its result is ignored, or a hook that fires twice counts twice",
    },
    Row {
        what: "in hooks: agents on the disk",
        bound: "fixed, in each of 256 directories",
        value: "{}, and {} more that are held back; for {}",
        numbers: &[
            Constant("crates/unstuck-store/src/tidy.rs", "MOST", Count),
            Constant("crates/unstuck-store/src/tidy.rs", "MOST_HELD", Count),
            Constant("crates/unstuck-store/src/tidy.rs", "OLDEST", Days),
        ],
        when_full: "the agent that was silent longest is forgotten",
    },
    Row {
        what: "in hooks: input, log file",
        bound: "fixed",
        value: "{}, {}",
        numbers: &[
            Constant("crates/unstuck-session/src/hook/input.rs", "LARGEST", Bytes),
            Constant("crates/unstuck-session/src/log.rs", "FULL", Bytes),
        ],
        when_full: "a larger input is allowed unread; the log is renamed, and one old log is kept",
    },
];

/// The table, with the settings as `unstuck config show` prints them.
pub(super) fn table(root: &Path, settings: &str) -> Result<String> {
    let mut table =
        "| what | bound | in `standard` | when it is reached |\n|---|---|---|---|\n".to_owned();
    for row in ROWS {
        let mut value = row.value.to_owned();
        for number in row.numbers {
            value = value.replacen("{}", &number.read(root, settings)?, 1);
        }
        let line = [row.what, row.bound, &value, row.when_full].join(" | ");
        table.extend(["| ", &line, " |\n"]);
    }
    Ok(table)
}

impl Number {
    fn read(&self, root: &Path, settings: &str) -> Result<String> {
        match self {
            Setting(table, key) => setting(settings, table, key)
                .map(|number| grouped(&number.to_string()))
                .with_context(|| format!("there is no number `{key}` in `[{table}]`")),
            Constant(file, name, unit) => {
                let path = root.join(file);
                let source = fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                constant(&source, name)
                    .map(|number| shown(number, *unit))
                    .with_context(|| format!("there is no constant `{name}` in {file}"))
            }
        }
    }
}

fn setting(settings: &str, table: &str, key: &str) -> Option<u64> {
    let header = format!("[{table}]");
    let line = settings
        .lines()
        .skip_while(|line| *line != header)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
    line.parse().ok()
}

/// The value of the first constant of this name: a number, a product of numbers or a shifted number, which may stand in
/// a call such as `Duration::from_secs(…)`.
fn constant(source: &str, name: &str) -> Option<u64> {
    let start = format!("const {name}: ");
    let line = source.lines().find(|line| line.contains(&start))?;
    let (_, value) = line.split_once(" = ")?;
    let value = value.strip_suffix(';')?;
    let value = match value.split_once('(') {
        Some((_, inner)) => inner.strip_suffix(')')?,
        None => value,
    };
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().ok();
    if let Some((number_of, bits)) = value.split_once(" << ") {
        return number(number_of)?.checked_shl(u32::try_from(number(bits)?).ok()?);
    }
    value.split(" * ").try_fold(1, |product: u64, factor| {
        product.checked_mul(number(factor)?)
    })
}

fn shown(number: u64, unit: Unit) -> String {
    match unit {
        Count => grouped(&number.to_string()),
        Days => format!("{} days", number / (24 * 60 * 60)),
        Bytes if number >= 1 << 20 && number.is_multiple_of(1 << 20) => {
            format!("{} MiB", number >> 20)
        }
        Bytes if number >= 1 << 10 && number.is_multiple_of(1 << 10) => {
            format!("{} KiB", number >> 10)
        }
        Bytes => format!("{} bytes", grouped(&number.to_string())),
    }
}

/// Digits in groups of three.
fn grouped(digits: &str) -> String {
    let first = digits.len() % 3;
    let mut groups = Vec::new();
    if first > 0 {
        groups.push(&digits[..first]);
    }
    groups.extend(
        (first..digits.len())
            .step_by(3)
            .map(|at| &digits[at..at + 3]),
    );
    groups.join(",")
}

#[cfg(test)]
#[path = "bounds_tests.rs"]
mod tests;
