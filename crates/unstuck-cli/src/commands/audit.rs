//! `unstuck audit`: looks at what was recorded.

use std::{
    collections::{BTreeSet, VecDeque},
    fs::File,
    io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write},
    path::Path,
    process::ExitCode,
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use unstuck_mcp::{
    Head, LONGEST_LINE, Start, Verified, VerifyError, log_files, open_log, open_next_log,
    verify_with_heads,
};
use unstuck_report::{counted, grouped};
use unstuck_session::clock;
use unstuck_text::{Shown, quiet_json};

use crate::args::{AuditExportArgs, AuditTailArgs, AuditVerifyArgs, ExportFormat};

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
            format!("`{head}` is not a head; it is a number and 64 digits, as `verify` prints it")
        })?),
        None => None,
    };
    let heads = match &args.heads {
        Some(file) => noted_heads(file, &args.file)?,
        None => Vec::new(),
    };
    let start = if args.partial {
        Start::AnyFile
    } else {
        Start::First
    };
    let beside = |end: &str| {
        let mut name = args.file.clone().into_os_string();
        name.push(end);
        Path::new(&name).symlink_metadata().is_ok()
    };
    // A log that was removed leaves its head, or full files, behind.
    let is_expected = args.head.is_some() || args.heads.is_some();
    if !is_expected && !["", ".head", ".1"].into_iter().any(beside) {
        bail!("{}: no such file", args.file.display());
    }
    let mut counts = Counts::default();
    let each = |line: &[u8]| counts.add(line);
    match verify_with_heads(&args.file, known, &heads, start, each) {
        Ok(verified) => {
            print_verified(args, &verified, &counts, heads.len());
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let is_marked = matches!(
                error,
                VerifyError::MarkedBroken { .. } | VerifyError::BrokenLine { .. }
            );
            let error = anyhow::Error::from(error);
            let error = Shown::line(format_args!("{error:#}")).to_string();
            anstream::eprintln!("the audit is not whole: {error}");
            if is_marked {
                anstream::eprintln!(
                    "a person can close it and start a new log: unstuck audit close {}",
                    Shown::line(args.file.display())
                );
            }
            Ok(ExitCode::from(1))
        }
    }
}

fn print_verified(args: &AuditVerifyArgs, verified: &Verified, counts: &Counts, heads: usize) {
    anstream::println!("{} is whole", Shown::line(args.file.display()));
    if let Some((file, line)) = &verified.resumed {
        anstream::println!(
            "  it begins with line {}, after the broken log {} was closed, whose last known line is {line}",
            verified.first_line,
            Shown::line(file)
        );
    } else if verified.first_line > 1 {
        anstream::println!(
            "  it begins with line {}; older files are not here",
            verified.first_line
        );
    }
    anstream::println!(
        "  {} in {}: {}, {} of them denied, {}",
        counted(verified.lines, "line"),
        counted(verified.files.len() as u64, "file"),
        counted(counts.calls, "call"),
        grouped(counts.denied),
        counted(counts.refused, "refused message")
    );
    if !counts.flying.is_empty() {
        anstream::println!(
            "  no end on record: {} passed on",
            counted(counts.flying.len() as u64, "call")
        );
    }
    if counts.lost > 0 {
        anstream::println!(
            "  {} could not be written in time",
            counted(counts.lost, "line")
        );
    }
    if heads > 0 {
        let checked = heads.saturating_sub(verified.unchecked_heads);
        anstream::println!("  {checked} of {heads} noted heads are on the chain");
    }
    anstream::println!("  head: {}", verified.head);
}

/// Heads of this log in a file to which `unstuck mcp --head-to` sent them. Such a file may hold heads of other logs, and
/// lines of other programs.
fn noted_heads(file: &Path, log: &Path) -> Result<Vec<Head>> {
    let mut reader = open(file)?;
    let mut line = Vec::new();
    let mut all = Vec::new();
    while next_line(&mut reader, &mut line)? {
        let Some(start) = memchr::memchr(b'{', &line) else {
            continue;
        };
        let Ok(noted) = serde_json::from_slice::<Value>(&line[start..]) else {
            continue;
        };
        let (number, hash) = (noted["line"].as_u64(), noted["hash"].as_str());
        if let (Some(number), Some(hash), Some(of)) = (number, hash, noted["file"].as_str())
            && let Some(head) = Head::parse(&format!("{number} {hash}"))
        {
            all.push((of.to_owned(), head));
        }
    }
    // A copy of a log, or one in another directory, has the same name at least.
    let path = std::path::absolute(log).unwrap_or_else(|_| log.to_owned());
    let path = path.to_string_lossy();
    let open_name = |path: &str| match path.rsplit_once(".closed-") {
        Some((name, _)) => name.to_owned(),
        None => path.to_owned(),
    };
    let path = open_name(&path);
    let name = |path: &str| Path::new(path).file_name().map(ToOwned::to_owned);
    let same_path = all.iter().any(|(of, _)| *of == path);
    all.retain(|(of, _)| {
        if same_path {
            *of == path
        } else {
            name(of) == name(&path)
        }
    });
    if all.is_empty() {
        bail!("{} has no heads of {}", file.display(), log.display());
    }
    Ok(all.into_iter().map(|(_, head)| head).collect())
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
            Some("refusals") => self.refused += line["count"].as_u64().unwrap_or(0),
            Some("gap" | "resumed") => self.lost += line["lost"].as_u64().unwrap_or(0),
            _ => {}
        }
    }
}

pub(crate) fn tail(args: &AuditTailArgs) -> Result<ExitCode> {
    // Whether there is a log at all.
    open(&args.file)?;
    let first = log_files(&args.file).into_iter().next();
    let mut reader = open(first.as_deref().unwrap_or(&args.file))?;
    let mut out = io::stdout().lock();
    let mut last = VecDeque::new();
    let mut line = Vec::new();
    loop {
        while next_line(&mut reader, &mut line)? {
            if let Some(text) = readable(&line) {
                if last.len() == args.lines {
                    last.pop_front();
                }
                if args.lines > 0 {
                    last.push_back(text);
                }
            }
        }
        match open_next_log(reader.get_ref(), &args.file)? {
            Some(next) => reader = BufReader::new(next),
            None => break,
        }
    }
    for text in last {
        writeln!(out, "{}", Shown::line(text))?;
    }
    if !args.follow {
        return Ok(ExitCode::SUCCESS);
    }
    follow(&mut out, reader, &args.file)
}

/// Prints lines as they are written, until the output is closed. The log continues in a new file after it was rotated or
/// closed.
fn follow(out: &mut impl Write, mut reader: BufReader<File>, path: &Path) -> Result<ExitCode> {
    let mut line = Vec::new();
    loop {
        // Looked for first: nothing is written to a file after the next one exists.
        let next = open_next_log(reader.get_ref(), path);
        // A part of a line stays until the rest is there.
        while more_of_line(&mut reader, &mut line)? {
            if let Some(text) = readable(&line) {
                writeln!(out, "{}", Shown::line(text))?;
            }
            line.clear();
        }
        out.flush()?;
        match next {
            Ok(Some(next)) => {
                reader = BufReader::new(next);
                line.clear();
            }
            // An error may be over at the next look.
            Ok(None) | Err(_) => thread::sleep(TICK),
        }
    }
}

/// Reads the next line, or what is left of one at the end of the file.
fn next_line(reader: &mut BufReader<File>, line: &mut Vec<u8>) -> Result<bool> {
    line.clear();
    more_of_line(reader, line)?;
    Ok(!line.is_empty())
}

/// Reads on to the end of the line: whether that was found. Of a line that is too long only the beginning is kept.
fn more_of_line(reader: &mut BufReader<File>, line: &mut Vec<u8>) -> Result<bool> {
    loop {
        let room = LONGEST_LINE.saturating_sub(line.len() as u64).max(1);
        if reader.by_ref().take(room).read_until(b'\n', line)? == 0 {
            return Ok(false);
        }
        if line.ends_with(b"\n") {
            return Ok(true);
        }
        line.truncate(LONGEST_LINE as usize);
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

pub(crate) fn export(args: &AuditExportArgs) -> Result<ExitCode> {
    // Whether there is a log at all, before anything is written.
    let files = log_files(&args.file);
    open(files.first().unwrap_or(&args.file))?;
    let mut out = BufWriter::new(io::stdout().lock());
    if args.format == ExportFormat::Csv {
        writeln!(out, "{}", COLUMNS.join(","))?;
    }
    for file in files {
        let mut reader = open(&file)?;
        let mut line = Vec::new();
        while next_line(&mut reader, &mut line)? {
            let line: Value = serde_json::from_slice(&line)
                .with_context(|| format!("{} is not an audit log", file.display()))?;
            if line["event"] != "call" && line["event"] != "denials" {
                continue;
            }
            match args.format {
                ExportFormat::Csv => writeln!(out, "{}", row(&line))?,
                ExportFormat::Jsonl => writeln!(out, "{}", quiet_json(&line.to_string()))?,
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

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = open_log(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(BufReader::new(file))
}
