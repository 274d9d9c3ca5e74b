//! `unstuck check`: events in, decisions out.

mod restarts;
mod unknown;

use std::{
    fs::File,
    io::{self, BufWriter, Read, Write},
    num::NonZeroU64,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, bail};
use clap::{Args as ClapArgs, ValueHint};
use unstuck::{Engine, Verdict};
use unstuck_config::{Diagnostic, Fail};
use unstuck_scan::Events;
use unstuck_text::Shown;
use unstuck_transcript::Format;

use self::restarts::Restarts;
use super::Run;
use crate::{args::ConfigArgs, configuration, notes, style};
use unstuck_session::{fault_of_a_test, index_key};

/// Judge a stream of events (JSON lines).
///
/// Reads events, one JSON object a line, and answers each with one decision a line, in order and at once. One
/// stream may carry any number of sessions and agents. A line that is not an event is answered by an error and changes
/// nothing; the stream goes on, and the exit code is 2 at the end. Blank lines are skipped. A field that no event has is
/// ignored, with one warning for each name. Transcripts of agents are for `unstuck scan`.
///
/// Every event has `event`, and may have `session`, `agent`, `swarm` and `at` (milliseconds). A `call` has `id`, `tool`,
/// `args`, `key`, `read_only` and `idempotent`; a `result` has `id`, `status`, `output` and `exit_code`; a `step` has
/// `code` and `output`; a `text` has `text` and `role`; a `turn` has `tokens` and `cost`; a `user` has `text`. `retry`,
/// `compaction`, `resume` and `reset` have no fields of their own.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Files of events, one JSON object a line; `-` or no file reads standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// Snapshot the engine after every N events, drop it and restore it. `cargo xtask same` checks with it that a restored
    /// engine decides the same.
    #[arg(long, value_name = "N", hide = true)]
    restart_every: Option<NonZeroU64>,

    #[command(flatten)]
    config: ConfigArgs,
}

const EXAMPLES: &str = r#"Examples:
  A call that comes back with the same result three times gets a nudge:
    printf '%s\n' \
      '{"event":"call","id":1,"tool":"read_file","args":{"path":"a.txt"}}' \
      '{"event":"result","id":1,"output":"no such file"}' \
      '{"event":"call","id":2,"tool":"read_file","args":{"path":"a.txt"}}' \
      '{"event":"result","id":2,"output":"no such file"}' \
      '{"event":"call","id":3,"tool":"read_file","args":{"path":"a.txt"}}' \
      '{"event":"result","id":3,"output":"no such file"}' | unstuck check

  Only what was found in a recorded run:
    unstuck check run.jsonl | grep -v '"verdict":"allow"'

  With the thresholds of another system, and nothing from configuration files:
    unstuck check --preset tool-loop-detector --no-config run.jsonl

  Decide but never interfere (the answer stands in `would`):
    UNSTUCK_MODE=observe unstuck check run.jsonl"#;

impl Run for CheckArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &CheckArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let restarts = args.restart_every;
    let restarts = restarts.map(|every| Restarts::new(every, &configuration.settings));
    let mut stream = Stream {
        restarts,
        engine: Engine::with_index_key(configuration.settings, index_key::random()),
        line: 0,
        fail: configuration.fail,
        broken: false,
        warned: Vec::new(),
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
    };
    if args.files.is_empty() {
        stream.read(&Name::StandardInput, io::stdin().lock())?;
    }
    for path in &args.files {
        if path == Path::new("-") {
            stream.read(&Name::StandardInput, io::stdin().lock())?;
        } else {
            let name = path.display().to_string();
            let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
            stream.read(&Name::File(name), file)?;
        }
    }
    Ok(if stream.broken {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    })
}

/// Where events come from.
enum Name {
    StandardInput,
    File(String),
}

impl Name {
    fn text(&self) -> &str {
        match self {
            Self::StandardInput => "standard input",
            Self::File(name) => name,
        }
    }

    /// Reports a transcript that was given in place of events. A file is refused. On standard input every line gets its
    /// answer, as the contract has it, so a warning has to do.
    fn refuse_transcript(&self, format: Format) -> Result<()> {
        let what = format!(
            "{} is a transcript ({}), not a stream of events",
            Shown::line(self.text()),
            format.title()
        );
        match self {
            Self::File(name) => bail!("{what}; run: unstuck scan {}", Shown::line(name)),
            Self::StandardInput => {
                let warning = Diagnostic::warning(what, "`unstuck scan -` reads transcripts");
                notes::print(style::diagnostic(&warning));
                Ok(())
            }
        }
    }
}

/// One engine and one count of lines, however many files there are.
struct Stream<W: Write> {
    engine: Engine,
    restarts: Option<Restarts>,
    line: u64,
    /// What callers shall make of a line without a decision, where that is configured.
    fail: Option<Fail>,
    broken: bool,
    /// Names of unknown fields that were warned of; each file adds at most 64.
    warned: Vec<Box<str>>,
    out: BufWriter<W>,
}

impl<W: Write> Stream<W> {
    fn read(&mut self, name: &Name, input: impl Read) -> Result<()> {
        let mut events = Events::after_line(self.line, input);
        let beginning = events.beginning();
        let beginning = beginning.with_context(|| format!("cannot read {}", name.text()))?;
        if let Some(format) = Format::detect(beginning).filter(|it| *it != Format::Events) {
            name.refuse_transcript(format)?;
        }
        loop {
            // Before waiting for more, everything decided so far goes out.
            if events.must_wait() {
                self.out.flush()?;
            }
            let next = events.next_event();
            self.line = events.line();
            let Some(event) = next.with_context(|| format!("cannot read {}", name.text()))? else {
                self.out.flush()?;
                return Ok(());
            };
            match event {
                Ok(event) => {
                    let decide = AssertUnwindSafe(|| {
                        fault_of_a_test();
                        match &mut self.restarts {
                            Some(restarts) => restarts.observe(&mut self.engine, event),
                            None => Ok(self.engine.observe(event)),
                        }
                    });
                    match (panic::catch_unwind(decide), self.fail) {
                        (Ok(decision), _) => {
                            serde_json::to_writer(&mut self.out, &decision?)?;
                            self.out.write_all(b"\n")?;
                        }
                        (Err(_), Some(_)) => self.refuse("there was a fault in unstuck")?,
                        (Err(fault), None) => panic::resume_unwind(fault),
                    }
                }
                Err(error) => self.refuse(&error.to_string())?,
            }
            while let Some(field) = events.next_unknown_field() {
                // Names that were warned of in an earlier file are not repeated.
                if !self.warned.contains(&field.name) {
                    let warning = unknown::warning(self.line, &field);
                    notes::print(style::diagnostic(&warning));
                    self.warned.push(field.name);
                }
            }
        }
    }

    fn refuse(&mut self, error: &str) -> Result<()> {
        self.broken = true;
        let mut answer = serde_json::json!({ "line": self.line, "error": error });
        if let Some(fail) = self.fail {
            let verdict = match fail {
                Fail::Open => Verdict::Allow,
                Fail::Closed => Verdict::Deny,
            };
            answer["verdict"] = verdict.as_str().into();
        }
        writeln!(self.out, "{answer}")?;
        Ok(())
    }
}
