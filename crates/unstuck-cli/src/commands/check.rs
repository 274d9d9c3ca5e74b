//! `unstuck check`: events in, decisions out.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use unstuck::{Engine, EventError, EventReader};

use crate::{
    args::CheckArgs,
    configuration,
    lines::{Line, Lines},
};

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration.print_warnings();
    let mut stream = Stream {
        engine: Engine::new(configuration.settings),
        reader: EventReader::default(),
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
    reader: EventReader,
    line: u64,
    broken: bool,
    out: BufWriter<W>,
}

impl<W: Write> Stream<W> {
    fn read(&mut self, name: &str, input: impl Read) -> Result<()> {
        let mut lines = Lines::new(input);
        loop {
            // Before waiting for more, everything decided so far goes out.
            if lines.must_wait() {
                self.out.flush()?;
            }
            let Some(line) = lines
                .next()
                .with_context(|| format!("cannot read {name}"))?
            else {
                self.out.flush()?;
                return Ok(());
            };
            self.line += 1;
            match line {
                Line::Text(text) if text.trim_ascii().is_empty() => {}
                Line::Text(text) => match self.reader.read(text) {
                    Ok(mut event) => {
                        event.line = Some(self.line);
                        let decision = self.engine.observe(event);
                        serde_json::to_writer(&mut self.out, &decision)?;
                        self.out.write_all(b"\n")?;
                    }
                    Err(error) => self.refuse(&error)?,
                },
                Line::TooLong(length) => self.refuse(&EventError::TooLong(length))?,
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
