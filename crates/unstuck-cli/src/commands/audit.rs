//! `unstuck audit`: looks at what was recorded.

use std::{
    collections::{BTreeSet, VecDeque},
    fs::File,
    io::{self, BufRead as _, BufReader, BufWriter, Write},
    path::Path,
    process::ExitCode,
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result};
use serde_json::Value;
use unstuck_mcp::{Head, Start, log_files, verify as verify_log};
use unstuck_text::Shown;

use crate::{
    args::{AuditExportArgs, AuditTailArgs, AuditVerifyArgs, ExportFormat},
    clock,
};

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

/// How often a followed log is looked at.
const TICK: Duration = Duration::from_millis(200);

pub(crate) fn verify(args: &AuditVerifyArgs) -> Result<ExitCode> {
    let known = match &args.head {
        Some(head) => Some(Head::parse(head).with_context(|| {
            format!("`{head}` is no head; it is a number and 64 digits, as `verify` prints it")
        })?),
        None => None,
    };
    let start = if args.partial {
        Start::AnyFile
    } else {
        Start::First
    };
    let mut counts = Counts::default();
    let verified = match verify_log(&args.file, known, start, |line| counts.add(line)) {
        Ok(verified) => verified,
        Err(error) => {
            let error = anyhow::Error::from(error);
            let error = Shown::line(format_args!("{error:#}")).to_string();
            anstream::eprintln!("the audit is not whole: {error}");
            return Ok(ExitCode::from(1));
        }
    };
    anstream::println!("{} is whole", Shown::line(args.file.display()));
    if verified.first_line > 1 {
        anstream::println!(
            "  it begins with line {}; older files are not here",
            verified.first_line
        );
    }
    anstream::println!(
        "  {} lines in {} files: {} calls, {} of them denied, {} refused messages",
        verified.lines,
        verified.files.len(),
        counts.calls,
        counts.denied,
        counts.refused
    );
    if !counts.flying.is_empty() {
        anstream::println!(
            "  {} calls were passed on and have no end on record",
            counts.flying.len()
        );
    }
    if counts.lost > 0 {
        anstream::println!(
            "  {} lines could not be written when they should",
            counts.lost
        );
    }
    anstream::println!("  head: {}", verified.head);
    Ok(ExitCode::SUCCESS)
}

#[derive(Default)]
struct Counts {
    calls: u64,
    denied: u64,
    refused: u64,
    lost: u64,
    /// Calls that were passed on and have not ended: their number and fingerprint.
    flying: BTreeSet<(u64, String)>,
}

impl Counts {
    fn add(&mut self, line: &[u8]) {
        let Ok(line) = serde_json::from_slice::<Value>(line) else {
            return;
        };
        let who = || {
            let fingerprint = line["fingerprint"].as_str().unwrap_or_default();
            (line["call"].as_u64().unwrap_or(0), fingerprint.to_owned())
        };
        match line["event"].as_str() {
            Some("forward") => {
                self.flying.insert(who());
            }
            Some("call") => {
                self.calls += 1;
                self.denied += u64::from(line["outcome"] == "denied");
                self.flying.remove(&who());
            }
            Some("denials") => {
                let count = line["count"].as_u64().unwrap_or(0);
                self.calls += count;
                self.denied += count;
            }
            Some("refused") => self.refused += 1,
            Some("gap") => self.lost += line["lost"].as_u64().unwrap_or(0),
            _ => {}
        }
    }
}

pub(crate) fn tail(args: &AuditTailArgs) -> Result<ExitCode> {
    let mut reader = open(&args.file)?;
    let mut out = io::stdout().lock();
    let mut last = VecDeque::new();
    let mut line = String::new();
    for file in log_files(&args.file) {
        // The last one is read on where the log is followed.
        reader = open(&file)?;
        while reader.read_line(&mut line)? > 0 {
            if let Some(text) = readable(&line) {
                if last.len() == args.lines {
                    last.pop_front();
                }
                if args.lines > 0 {
                    last.push_back(text);
                }
            }
            line.clear();
        }
    }
    for text in last {
        writeln!(out, "{}", Shown::line(text))?;
    }
    if !args.follow {
        return Ok(ExitCode::SUCCESS);
    }
    loop {
        out.flush()?;
        while reader.read_line(&mut line)? > 0 {
            // Half a line is read on when the rest is there.
            if !line.ends_with('\n') {
                break;
            }
            if let Some(text) = readable(&line) {
                writeln!(out, "{}", Shown::line(text))?;
            }
            if line.contains("\"event\":\"rotated\"") {
                reader = open(&args.file)?;
            }
            line.clear();
        }
        thread::sleep(TICK);
    }
}

/// A line for people; `None` for those that say nothing of their own.
fn readable(line: &str) -> Option<String> {
    let line: Value = serde_json::from_str(line).ok()?;
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
        _ => None,
    }
}

pub(crate) fn export(args: &AuditExportArgs) -> Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    if args.format == ExportFormat::Csv {
        writeln!(out, "{}", COLUMNS.join(","))?;
    }
    for file in log_files(&args.file) {
        for line in open(&file)?.lines() {
            let line: Value = serde_json::from_str(&line?)
                .with_context(|| format!("{} is no audit log", file.display()))?;
            if line["event"] != "call" && line["event"] != "denials" {
                continue;
            }
            match args.format {
                ExportFormat::Csv => writeln!(out, "{}", row(&line))?,
                ExportFormat::Jsonl => writeln!(out, "{line}")?,
            }
        }
    }
    out.flush()?;
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
            format!("'{text}")
        } else {
            text
        };
        if text.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    };
    COLUMNS.iter().map(cell).collect::<Vec<_>>().join(",")
}

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(BufReader::new(file))
}
