//! `unstuck audit verify`: whether the log is as it was written.

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::{Context as _, Result, bail};
use clap::{Args as ClapArgs, ValueHint};
use serde_json::{Value, json};
use unstuck_audit::{
    Head, RecordCounts, Start, Verified, VerifyError, noted_heads, verify_with_heads,
};
use unstuck_report::{counted, grouped};
use unstuck_text::Shown;

use super::named;
use crate::{
    args::{OutputArgs, TextOrJson},
    commands::Run,
};

/// Check that nothing was changed, removed, moved or cut off.
///
/// Every group of lines ends with a hash of itself and of the hash before; `FILE.head` records how far the log goes,
/// and whether a proxy found it broken. Full files (`FILE.1`, `FILE.2`, ...) are checked as well. The chain has no
/// key: a program that may write all of these files can rewrite them consistently. Heads that were sent elsewhere
/// (`unstuck mcp --head-to`, then `--heads`) or noted (`--head`) reveal that. The exit code is 1 if the log is not whole.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck audit verify audit.jsonl
  unstuck audit verify --heads /backup/heads.jsonl audit.jsonl
  unstuck audit verify --head '120 5f3c...' audit.jsonl")]
pub(super) struct VerifyArgs {
    /// The audit log, such as `audit.jsonl`, or the name of a server whose log `unstuck mcp` keeps in the state directory.
    #[arg(value_name = "LOG", value_parser = named::log(), value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Head that was noted earlier, instead of the one in `FILE.head`: a line number and 64 digits, as `verify` prints it.
    #[arg(long, value_name = "HEAD")]
    head: Option<String>,

    /// File with heads that `unstuck mcp --head-to` sent; every head of this log in it must be on the chain. Lines of
    /// other programs, such as those of a system log, are skipped.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    heads: Option<PathBuf>,

    /// Accept that the oldest full files are missing. A file that is missing between two others is still an error.
    #[arg(long)]
    partial: bool,

    #[command(flatten)]
    output: OutputArgs<TextOrJson>,
}

impl Run for VerifyArgs {
    fn run(&self) -> Result<ExitCode> {
        verify(self)
    }
}

fn verify(args: &VerifyArgs) -> Result<ExitCode> {
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
    let is_expected = args.head.is_some() || args.heads.is_some();
    if !is_expected && !named::is_log(&args.file) {
        bail!("{}", named::missing(&args.file));
    }
    let mut counts = RecordCounts::default();
    let each = |line: &[u8]| counts.add(line);
    match verify_with_heads(&args.file, known, &heads, start, each) {
        Ok(verified) => {
            let mut out = args.output.open()?;
            match args.output.format()? {
                TextOrJson::Text => print(&mut out, args, &verified, &counts, heads.len())?,
                TextOrJson::Json => out.json(&as_json(args, &verified, &counts, heads.len()))?,
            }
            out.finish()?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) if args.output.format()? == TextOrJson::Json => {
            let mut out = args.output.open()?;
            let error = anyhow::Error::from(error);
            out.json(&json!({
                "file": args.file.display().to_string(),
                "whole": false,
                "error": format!("{error:#}"),
            }))?;
            out.finish()?;
            Ok(ExitCode::from(1))
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

fn print(
    out: &mut impl Write,
    args: &VerifyArgs,
    verified: &Verified,
    counts: &RecordCounts,
    heads: usize,
) -> Result<()> {
    writeln!(out, "{} is whole", Shown::line(args.file.display()))?;
    if let Some((file, line)) = &verified.resumed {
        writeln!(
            out,
            "  it begins with line {}, after the broken log {} was closed, whose last known line is {line}",
            verified.first_line,
            Shown::line(file)
        )?;
    } else if verified.first_line > 1 {
        writeln!(
            out,
            "  it begins with line {}; older files are not here",
            verified.first_line
        )?;
    }
    writeln!(
        out,
        "  {} in {}: {}, {} of them denied, {}",
        counted(verified.lines, "line"),
        counted(verified.files.len() as u64, "file"),
        counted(counts.calls, "call"),
        grouped(counts.denied),
        counted(counts.refused, "refused message")
    )?;
    if counts.unfinished() > 0 {
        writeln!(
            out,
            "  no end on record: {} passed on",
            counted(counts.unfinished() as u64, "call")
        )?;
    }
    if counts.lost > 0 {
        writeln!(
            out,
            "  {} could not be written in time",
            counted(counts.lost, "line")
        )?;
    }
    if heads > 0 {
        let checked = heads.saturating_sub(verified.unchecked_heads);
        writeln!(out, "  {checked} of {heads} noted heads are on the chain")?;
    }
    writeln!(out, "  head: {}", verified.head)?;
    Ok(())
}

fn as_json(args: &VerifyArgs, verified: &Verified, counts: &RecordCounts, heads: usize) -> Value {
    json!({
        "file": args.file.display().to_string(),
        "whole": true,
        "first_line": verified.first_line,
        "lines": verified.lines,
        "files": verified.files.len(),
        "calls": counts.calls,
        "denied": counts.denied,
        "refused_messages": counts.refused,
        "unfinished_calls": counts.unfinished(),
        "lost_lines": counts.lost,
        "noted_heads": heads,
        "noted_heads_on_chain": heads.saturating_sub(verified.unchecked_heads),
        "head": verified.head.to_string(),
    })
}
