//! `unstuck audit export`: the calls of a log, for other programs.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use serde_json::Value;
use unstuck_audit::log_files;
use unstuck_session::clock;
use unstuck_text::{Shown, quiet_json};

use super::{named, open};
use crate::{args::OutputArgs, commands::Run};

/// The columns of a table of calls.
const COLUMNS: [&str; 15] = [
    "line",
    "at",
    "call",
    "session",
    "agent",
    "server",
    "tool",
    "arguments",
    "fingerprint",
    "verdict",
    "decided_by",
    "rule",
    "reason",
    "outcome",
    "duration_us",
];

/// Print all calls as a table or as JSON.
///
/// The calls of one file, without the lines that only say that a call was passed on.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck audit export audit.jsonl -o calls.csv
  unstuck audit export --format jsonl audit.jsonl |
    jq 'select(.verdict == \"deny\")'")]
pub(super) struct ExportArgs {
    /// The audit log, such as `audit.jsonl`, or the name of a server whose log `unstuck mcp` keeps in the state directory.
    #[arg(value_name = "LOG", value_parser = named::log(), value_hint = ValueHint::FilePath)]
    file: PathBuf,

    #[command(flatten)]
    output: OutputArgs<ExportFormat>,
}

/// Formats of exported calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// A table with a heading, separated by commas.
    Csv,
    /// One JSON object a line.
    #[value(alias = "json")]
    Jsonl,
}

impl Run for ExportArgs {
    fn run(&self) -> Result<ExitCode> {
        export(self)
    }
}

fn export(args: &ExportArgs) -> Result<ExitCode> {
    // Whether there is a log at all, before anything is written.
    let files = log_files(&args.file);
    open(files.first().unwrap_or(&args.file))?;
    let format = args.output.format()?;
    let mut out = BufWriter::new(args.output.open()?);
    if format == ExportFormat::Csv {
        writeln!(out, "{}", COLUMNS.join(","))?;
    }
    for file in files {
        let mut reader = open(&file)?;
        let mut line = Vec::new();
        while reader.next_line(&mut line)? {
            let line: Value = serde_json::from_slice(&line)
                .with_context(|| format!("{} is not an audit log", file.display()))?;
            if line["event"] != "call" && line["event"] != "denials" {
                continue;
            }
            match format {
                ExportFormat::Csv => writeln!(out, "{}", row(&line))?,
                ExportFormat::Jsonl => writeln!(out, "{}", quiet_json(&line.to_string()))?,
            }
        }
    }
    out.into_inner()
        .map_err(io::IntoInnerError::into_error)?
        .finish()?;
    Ok(ExitCode::SUCCESS)
}

fn row(line: &Value) -> String {
    let cell = |name: &&str| {
        let text = match &line[*name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Number(at) if *name == "at" => clock::utc(at.as_i64().unwrap_or(0)),
            other => other.to_string(),
        };
        // A spreadsheet would run what begins like a formula.
        let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            format!("'{}", Shown::line(text))
        } else {
            Shown::line(text).to_string()
        };
        if text.contains([',', '"']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    };
    COLUMNS.iter().map(cell).collect::<Vec<_>>().join(",")
}
