//! The least that judging a call and its result can cost.

use std::{
    hint::black_box,
    io::{self, Write as _},
    time::Instant,
};

use unstuck::{
    Json,
    fingerprint::{Domain, Fingerprinter},
};

use super::{Failure, text};

/// How often it is measured; the median counts.
const ROUNDS: usize = 501;

pub(super) fn measure(bytes: usize) -> Result<(), Failure> {
    let fingerprinter = Fingerprinter::new(b"");
    let mut took = Vec::new();
    for round in 0..ROUNDS {
        let text = text(round, bytes);
        let arguments = format!("{{\"text\":\"{text}\"}}");
        let result = format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}");
        let start = Instant::now();
        let arguments = Json::parse(black_box(&arguments))?;
        black_box(fingerprinter.action("echo", &arguments));
        let result = Json::parse(black_box(&result))?;
        black_box(fingerprinter.canonical(Domain::Outcome, result.as_str().as_bytes()));
        took.push(start.elapsed().as_nanos());
    }
    took.sort_unstable();
    writeln!(io::stdout(), "{}", took[ROUNDS / 2])?;
    Ok(())
}
