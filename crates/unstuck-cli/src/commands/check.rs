//! `unstuck check`: events in, decisions out.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use unstuck::{Engine, EventError};

use crate::{args::CheckArgs, configuration, events::Events, index_key};

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration.print_warnings();
    let mut stream = Stream {
        engine: Engine::with_index_key(configuration.settings, index_key::random()),
        line: 0,
        broken: false,
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
    };
    if args.files.is_empty() {
        stream.read("standard input", io::stdin().lock())?;
    }
    for path in &args.files {
        if path == Path::new("-") {
            stream.read("standard input", io::stdin().lock())?;
        } else {
            let name = path.display().to_string();
            let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
            stream.read(&name, file)?;
        }
    }
    Ok(if stream.broken {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    })
}

/// One engine and one count of lines, however many files there are.
struct Stream<W: Write> {
    engine: Engine,
    line: u64,
    broken: bool,
    out: BufWriter<W>,
}

impl<W: Write> Stream<W> {
    fn read(&mut self, name: &str, input: impl Read) -> Result<()> {
        let mut events = Events::after_line(self.line, input);
        loop {
            // Before waiting for more, everything decided so far goes out.
            if events.must_wait() {
                self.out.flush()?;
            }
            let next = events.next();
            self.line = events.line();
            let Some(entry) = next.with_context(|| format!("cannot read {name}"))? else {
                self.out.flush()?;
                return Ok(());
            };
            match entry.event {
                Ok(event) => {
                    let decision = self.engine.observe(event);
                    serde_json::to_writer(&mut self.out, &decision)?;
                    self.out.write_all(b"\n")?;
                }
                Err(error) => self.refuse(&error)?,
            }
        }
    }

    fn refuse(&mut self, error: &EventError) -> Result<()> {
        self.broken = true;
        let answer = serde_json::json!({ "line": self.line, "error": error.to_string() });
        writeln!(self.out, "{answer}")?;
        Ok(())
    }
}
