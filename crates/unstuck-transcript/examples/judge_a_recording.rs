//! Judges a recorded run: every event of the recording goes through the engine.
//!
//! ```text
//! cargo run -p unstuck-transcript --example judge_a_recording
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck::{Engine, Event, Settings, Verdict};
use unstuck_transcript::{Format, Origin, Problem, Sink, Transcript, Usage};

const RECORDING: &str = include_str!("../../../examples/events/stuck.jsonl");

struct Judge {
    engine: Engine,
    strictest: Verdict,
    problems: usize,
}

impl Sink for Judge {
    fn event(&mut self, event: Event) {
        let decision = self.engine.observe(event);
        self.strictest = self.strictest.max(decision.verdict);
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, _: Problem) {
        self.problems += 1;
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let format = Format::detect(RECORDING.as_bytes()).ok_or("an unknown format")?;
    let mut transcript = Transcript::new(format, &Origin::default());
    let mut judge = Judge {
        engine: Engine::new(Settings::default()),
        strictest: Verdict::Allow,
        problems: 0,
    };
    for (number, line) in (1..).zip(RECORDING.lines()) {
        transcript.line(number, line.as_bytes(), &mut judge);
    }
    transcript.end(&mut judge);
    println!("{}: {:?}", format.name(), judge.strictest);
    assert_eq!((judge.strictest, judge.problems), (Verdict::Halt, 0));
    Ok(())
}
