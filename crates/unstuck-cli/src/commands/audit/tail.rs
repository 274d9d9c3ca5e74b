//! `unstuck audit tail`: the last calls, and those that follow.

use std::{
    collections::VecDeque,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::Duration,
};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueHint};
use serde_json::Value;
use unstuck_audit::{LogReader, log_files};
use unstuck_session::clock;
use unstuck_text::Shown;

use super::{named, open};
use crate::{args::FileArgs, commands::Run};

/// How often a followed log is looked at.
const TICK: Duration = Duration::from_millis(200);

/// Show the last calls.
///
/// One line for each call: when, the verdict, how it ended, how long it took, what was called with what. For programs,
/// `unstuck audit export --format jsonl` has all of it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck audit tail audit.jsonl
  unstuck audit tail -n 100 --follow audit.jsonl")]
pub(super) struct TailArgs {
    /// The audit log, such as `audit.jsonl`, or the name of a server whose log `unstuck mcp` keeps in the state directory.
    #[arg(value_name = "LOG", value_parser = named::log(), value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Number of calls to show.
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    lines: usize,

    /// Stay, and print further calls as they are recorded; Ctrl-C ends it.
    #[arg(short, long, conflicts_with = "output")]
    follow: bool,

    #[command(flatten)]
    output: FileArgs,
}

impl Run for TailArgs {
    fn run(&self) -> Result<ExitCode> {
        tail(self)
    }
}

fn tail(args: &TailArgs) -> Result<ExitCode> {
    // Whether there is a log at all.
    open(&args.file)?;
    let first = log_files(&args.file).into_iter().next();
    let mut reader = open(first.as_deref().unwrap_or(&args.file))?;
    let mut out = args.output.open()?;
    let mut last = VecDeque::new();
    let mut line = Vec::new();
    loop {
        while reader.next_line(&mut line)? {
            if let Some(text) = readable(&line) {
                if last.len() == args.lines {
                    last.pop_front();
                }
                if args.lines > 0 {
                    last.push_back(text);
                }
            }
        }
        match reader.open_next(&args.file)? {
            Some(next) => reader = next,
            None => break,
        }
    }
    for text in last {
        writeln!(out, "{}", Shown::line(text))?;
    }
    if !args.follow {
        out.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    follow(&mut out, reader, &args.file)
}

/// Prints lines as they are written, until the output is closed. The log continues in a new file after it was rotated or
/// closed.
fn follow(out: &mut impl Write, mut reader: LogReader, path: &Path) -> Result<ExitCode> {
    let mut line = Vec::new();
    loop {
        // Looked for first: nothing is written to a file after the next one exists.
        let next = reader.open_next(path);
        // A part of a line stays until the rest is there.
        while reader.more_of_line(&mut line)? {
            if let Some(text) = readable(&line) {
                writeln!(out, "{}", Shown::line(text))?;
            }
            line.clear();
        }
        out.flush()?;
        match next {
            Ok(Some(next)) => {
                reader = next;
                line.clear();
            }
            // An error may be over at the next look.
            Ok(None) | Err(_) => thread::sleep(TICK),
        }
    }
}

/// A line for people; `None` for those that say nothing of their own.
fn readable(line: &[u8]) -> Option<String> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let when = clock::utc(line["at"].as_i64().unwrap_or(0));
    match line["event"].as_str()? {
        "call" => {
            let rule = match text("rule") {
                rule if rule.is_empty() => String::new(),
                rule => format!(" by {rule}"),
            };
            let duration = line["duration_us"].as_u64().unwrap_or(0);
            Some(format!(
                "{when} {:6} {:<10} {}.{:03} ms  {}/{} {}{rule}",
                text("verdict"),
                text("outcome"),
                duration / 1_000,
                duration % 1_000,
                text("server"),
                text("tool"),
                line["arguments"]
            ))
        }
        "denials" => Some(format!(
            "{when} deny   {} more denials of {}/{} {}",
            line["count"],
            text("server"),
            text("tool"),
            line["arguments"]
        )),
        "refused" => Some(format!(
            "{when} refused a message of the {}: {}",
            text("from"),
            text("reason")
        )),
        "reset" => Some(format!(
            "{when} reset  {}/{}",
            text("server"),
            line["session"].as_str().unwrap_or("*")
        )),
        "mode" => Some(format!(
            "{when} mode   {}: {} in place of {}, by {}",
            text("server"),
            text("to"),
            text("from"),
            text("by")
        )),
        "refusals" => Some(format!(
            "{when} refused {} more messages of the {}: {}",
            line["count"],
            text("from"),
            text("reason")
        )),
        "broken" => Some(format!(
            "{when} the log is broken ({}); its last known line is {}",
            text("what"),
            line["last_line"]
        )),
        "resumed" => Some(format!(
            "{when} a person closed the broken log {}, whose last known line is {}",
            text("file"),
            line["last_line"]
        )),
        _ => None,
    }
}
