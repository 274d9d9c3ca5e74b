//! Reports as tables: columns of one type each, for programs that read columns.
//!
//! There are two, with a row for each run and a row for each loop. Both have a row for each file that gave no run, with the
//! reason, so that every file is accounted for.

use std::collections::HashMap;

use crate::report::{ErrorKind, Loop, Report, Run};

/// Version of the columns. It is raised when one of them is removed, or its type or meaning changes.
pub const TABLES_VERSION: u32 = 1;

/// A report as columns.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Table {
    /// Its columns, all with the same number of cells.
    pub columns: Vec<Column>,
    /// How many rows there are.
    pub rows: usize,
}

/// What a table has a row for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Each run.
    Runs,
    /// Each loop.
    Loops,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds, as a sentence.
    pub about: &'static str,
    /// Type of its cells.
    pub kind: ColumnKind,
    /// A cell for each row.
    pub cells: Vec<Cell>,
}

/// Type of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// UTF-8.
    Text,
    /// 64 bits with a sign.
    Integer,
    /// 64 bits.
    Double,
    /// Milliseconds since 1970 in UTC.
    Time,
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// There is no value.
    Null,
    /// Of a column of texts.
    Text(String),
    /// Of a column of integers or times.
    Integer(i64),
    /// Of a column of doubles.
    Double(f64),
}

/// What a row is made of.
#[derive(Clone, Copy)]
struct Row<'a> {
    path: &'a str,
    digest: Option<&'a str>,
    /// The run, and its number among those of the file.
    run: Option<(usize, &'a Run)>,
    /// The loop, and its number in the run.
    one: Option<(usize, &'a Loop)>,
    error: Option<(&'a str, &'a str)>,
}

/// A column before it has cells.
struct Plan {
    name: &'static str,
    about: &'static str,
    kind: ColumnKind,
    cell: fn(&Row<'_>) -> Cell,
}

impl TableKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Runs, Self::Loops];

    /// Name of the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Loops => "loops",
        }
    }

    fn plans(self) -> impl Iterator<Item = &'static Plan> {
        let own = match self {
            Self::Runs => RUN,
            Self::Loops => LOOP,
        };
        FILE.iter().chain(own).chain(ERROR)
    }
}

impl Table {
    /// The table of a report. `digests` has the digest of each file by its path, as far as they are known; the rows of files
    /// without one have none.
    pub fn of(kind: TableKind, report: &Report, digests: &HashMap<String, String>) -> Self {
        let rows = rows(kind, report, digests);
        let columns = kind.plans().map(|plan| Column {
            name: plan.name,
            about: plan.about,
            kind: plan.kind,
            cells: rows.iter().map(plan.cell).collect(),
        });
        Self {
            columns: columns.collect(),
            rows: rows.len(),
        }
    }

    /// Appends the rows of another table of the same kind.
    pub fn append(&mut self, other: Self) {
        self.rows += other.rows;
        for (column, more) in self.columns.iter_mut().zip(other.columns) {
            column.cells.extend(more.cells);
        }
    }
}

fn rows<'a>(
    kind: TableKind,
    report: &'a Report,
    digests: &'a HashMap<String, String>,
) -> Vec<Row<'a>> {
    let row = |path: &'a str| Row {
        path,
        digest: digests.get(path).map(String::as_str),
        run: None,
        one: None,
        error: None,
    };
    let mut rows = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for run in &report.runs {
        let number = numbers.entry(&run.path).or_default();
        *number += 1;
        let whole = Row {
            run: Some((*number, run)),
            ..row(&run.path)
        };
        match kind {
            TableKind::Runs => rows.push(whole),
            TableKind::Loops => rows.extend(run.loops.iter().enumerate().map(|(at, one)| Row {
                one: Some((at + 1, one)),
                ..whole
            })),
        }
    }
    rows.extend(report.errors.iter().map(|error| Row {
        error: Some((
            match error.kind {
                ErrorKind::Unreadable => "unreadable",
                ErrorKind::Incomplete => "incomplete",
                ErrorKind::BadLines => "bad-lines",
            },
            &error.error,
        )),
        ..row(&error.path)
    }));
    for group in &report.skipped {
        rows.extend(group.files.iter().map(|file| Row {
            error: Some(("skipped", group.reason.title())),
            ..row(&file.path)
        }));
    }
    rows
}

/// Columns that say what a row is about.
const FILE: &[Plan] = &[
    Plan {
        name: "digest",
        about: "BLAKE3 of the file, a hyphen, and the number of the run in it: equal for copies of a recording",
        kind: ColumnKind::Text,
        cell: |row| match (row.digest, row.run) {
            (Some(digest), Some((number, _))) => Cell::Text(format!("{digest}-{number}")),
            (Some(digest), None) => digest.into(),
            (None, _) => Cell::Null,
        },
    },
    Plan {
        name: "path",
        about: "the file",
        kind: ColumnKind::Text,
        cell: |row| row.path.into(),
    },
    Plan {
        name: "format",
        about: "the format of the recording",
        kind: ColumnKind::Text,
        cell: |row| row.of_run(|run| (&*run.format).into()),
    },
    Plan {
        name: "session",
        about: "the session's name in the recording",
        kind: ColumnKind::Text,
        cell: |row| row.of_run(|run| (&*run.session).into()),
    },
    Plan {
        name: "agent",
        about: "the agent within the session",
        kind: ColumnKind::Text,
        cell: |row| row.of_run(|run| (&*run.agent).into()),
    },
];

/// Columns of the table of runs.
const RUN: &[Plan] = &[
    Plan {
        name: "title",
        about: "the first words of the task",
        kind: ColumnKind::Text,
        cell: |row| row.of_run(|run| known(&run.title)),
    },
    Plan {
        name: "project",
        about: "the name of the directory it worked in",
        kind: ColumnKind::Text,
        cell: |row| row.of_run(|run| known(&run.project)),
    },
    Plan {
        name: "model",
        about: "the model it used most",
        kind: ColumnKind::Text,
        cell: |row| {
            row.of_run(|run| {
                run.models
                    .first()
                    .map_or(Cell::Null, |name| (&**name).into())
            })
        },
    },
    Plan {
        name: "started",
        about: "when it began",
        kind: ColumnKind::Time,
        cell: |row| row.of_run(|run| run.started.into()),
    },
    Plan {
        name: "ended",
        about: "when its last event was recorded",
        kind: ColumnKind::Time,
        cell: |row| row.of_run(|run| run.ended.into()),
    },
    Plan {
        name: "verdict",
        about: "the strictest answer there would have been: allow, nudge, deny or halt",
        kind: ColumnKind::Text,
        cell: |row| row.of_run(|run| run.verdict.as_str().into()),
    },
    Plan {
        name: "calls",
        about: "calls of tools",
        kind: ColumnKind::Integer,
        cell: |row| row.of_run(|run| run.calls.into()),
    },
    Plan {
        name: "loops",
        about: "loops",
        kind: ColumnKind::Integer,
        cell: |row| row.of_run(|run| (run.loops.len() as u64).into()),
    },
    Plan {
        name: "wasted_calls",
        about: "calls that its loops wasted, nothing counted twice",
        kind: ColumnKind::Integer,
        cell: |row| row.of_run(|run| run.wasted.calls.into()),
    },
    Plan {
        name: "wasted_tokens",
        about: "tokens that its loops wasted",
        kind: ColumnKind::Integer,
        cell: |row| row.of_run(|run| run.wasted.tokens.into()),
    },
    Plan {
        name: "wasted_usd",
        about: "dollars that its loops wasted; null where nothing has a price",
        kind: ColumnKind::Double,
        cell: |row| row.of_run(|run| run.wasted.usd.into()),
    },
    Plan {
        name: "tokens",
        about: "tokens of the whole run, read and written",
        kind: ColumnKind::Integer,
        cell: |row| row.of_run(|run| run.spent.tokens.into()),
    },
    Plan {
        name: "usd",
        about: "dollars of the whole run; null where nothing has a price",
        kind: ColumnKind::Double,
        cell: |row| row.of_run(|run| run.spent.usd.into()),
    },
];

/// Columns of the table of loops.
const LOOP: &[Plan] = &[
    Plan {
        name: "number",
        about: "number of the loop in its run, from one",
        kind: ColumnKind::Integer,
        cell: |row| {
            row.one
                .map_or(Cell::Null, |(number, _)| (number as u64).into())
        },
    },
    Plan {
        name: "rule",
        about: "the rule that detected it first",
        kind: ColumnKind::Text,
        cell: |row| row.of_loop(|one| (&*one.rule).into()),
    },
    Plan {
        name: "verdict",
        about: "the strictest answer there would have been: nudge, deny or halt",
        kind: ColumnKind::Text,
        cell: |row| row.of_loop(|one| one.verdict.as_str().into()),
    },
    Plan {
        name: "repeats",
        about: "occurrences, the first included",
        kind: ColumnKind::Integer,
        cell: |row| row.of_loop(|one| one.repeats.into()),
    },
    Plan {
        name: "period",
        about: "calls of one lap",
        kind: ColumnKind::Integer,
        cell: |row| row.of_loop(|one| one.period.into()),
    },
    Plan {
        name: "tool",
        about: "the tool of the first call of a lap; null for a loop of words",
        kind: ColumnKind::Text,
        cell: |row| row.of_loop(|one| known(&one.tool)),
    },
    Plan {
        name: "pattern",
        about: "the calls of one lap, a line each",
        kind: ColumnKind::Text,
        cell: |row| row.of_loop(|one| one.pattern.join("\n").as_str().into()),
    },
    Plan {
        name: "message",
        about: "what the model would have read",
        kind: ColumnKind::Text,
        cell: |row| row.of_loop(|one| known(&one.message)),
    },
    Plan {
        name: "at",
        about: "when it began",
        kind: ColumnKind::Time,
        cell: |row| row.of_loop(|one| one.at.into()),
    },
    Plan {
        name: "from_line",
        about: "the line of the file that it began at; null where the file has no lines",
        kind: ColumnKind::Integer,
        cell: |row| row.of_loop(|one| line(one.from)),
    },
    Plan {
        name: "to_line",
        about: "the line that it was last detected at",
        kind: ColumnKind::Integer,
        cell: |row| row.of_loop(|one| line(one.to)),
    },
    Plan {
        name: "wasted_calls",
        about: "calls after the first occurrence",
        kind: ColumnKind::Integer,
        cell: |row| row.of_loop(|one| one.wasted.calls.into()),
    },
    Plan {
        name: "wasted_tokens",
        about: "tokens after the first occurrence",
        kind: ColumnKind::Integer,
        cell: |row| row.of_loop(|one| one.wasted.tokens.into()),
    },
    Plan {
        name: "wasted_usd",
        about: "dollars after the first occurrence; null where nothing has a price",
        kind: ColumnKind::Double,
        cell: |row| row.of_loop(|one| one.wasted.usd.into()),
    },
];

/// Columns of files that gave no run, or not all of theirs.
const ERROR: &[Plan] = &[
    Plan {
        name: "error_kind",
        about: "null for a run or loop; else unreadable, incomplete, bad-lines or skipped",
        kind: ColumnKind::Text,
        cell: |row| row.error.map_or(Cell::Null, |(kind, _)| kind.into()),
    },
    Plan {
        name: "error",
        about: "what is wrong with the file, or why it was skipped",
        kind: ColumnKind::Text,
        cell: |row| row.error.map_or(Cell::Null, |(_, error)| error.into()),
    },
];

impl<'a> Row<'a> {
    fn of_run(&self, cell: impl FnOnce(&'a Run) -> Cell) -> Cell {
        self.run.map_or(Cell::Null, |(_, run)| cell(run))
    }

    fn of_loop(&self, cell: impl FnOnce(&'a Loop) -> Cell) -> Cell {
        self.one.map_or(Cell::Null, |(_, one)| cell(one))
    }
}

/// A text that is empty where it is not known.
fn known(text: &str) -> Cell {
    if text.is_empty() {
        Cell::Null
    } else {
        text.into()
    }
}

/// A line, which is zero where the file has none.
fn line(line: u64) -> Cell {
    if line == 0 { Cell::Null } else { line.into() }
}

/// Bytes of a text that are kept, so that thousands of rows fit into a page of a file.
const LONGEST: usize = 32 << 10;

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Self::Text(text[..end].to_owned())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<Option<i64>> for Cell {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Self::Null, Self::Integer)
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Self {
        // As in the JSON of a report.
        number.map_or(Self::Null, |number| {
            Self::Double((number * 1e6).round() / 1e6)
        })
    }
}

#[cfg(test)]
#[path = "tables_tests.rs"]
mod tests;
