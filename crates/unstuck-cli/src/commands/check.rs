//! `unstuck check`: events in, decisions out.

mod restarts;
mod unknown;

use std::{
    fs::File,
    io::{self, BufWriter, Read, Write},
    panic::{self, AssertUnwindSafe},
    path::Path,
    process::ExitCode,
};

use anyhow::{Context as _, Result, bail};
use unstuck::{Engine, Verdict};
use unstuck_config::{Diagnostic, Fail};
use unstuck_text::Shown;
use unstuck_transcript::Format;

use self::restarts::Restarts;
use crate::{args::CheckArgs, configuration, events::Events, style};
use unstuck_session::{fault_of_a_test, index_key};

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
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
                anstream::eprintln!("{}", style::diagnostic(&warning));
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
            let next = events.next();
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
                    anstream::eprintln!("{}", style::diagnostic(&warning));
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
