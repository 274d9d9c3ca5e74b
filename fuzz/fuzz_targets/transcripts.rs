//! Any bytes are read in every format without a panic, the same way each time, and the engine takes every event. The last
//! line of a file that is still being written is either read as a whole line is, or leaves no trace.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck::{Engine, Event, settings::Settings};
use unstuck_transcript::{Format, Layout, Origin, Problem, Sink, Tail, Transcript, Usage};

/// Records that one byte of a transcript may become: an event of a history that is sent again with every request.
const RECORDS_PER_BYTE: usize = 4;

#[derive(Default, PartialEq)]
struct Records {
    events: Vec<Event>,
    usage: Vec<Usage>,
    asked: Vec<(String, String, String)>,
    problems: Vec<Problem>,
}

impl Records {
    fn count(&self) -> usize {
        self.events.len() + self.usage.len() + self.asked.len() + self.problems.len()
    }
}

impl Sink for Records {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn usage(&mut self, usage: Usage) {
        self.usage.push(usage);
    }

    fn asked(&mut self, session: &str, agent: &str, text: &str) {
        self.asked.push((session.into(), agent.into(), text.into()));
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

fuzz_target!(|bytes: &[u8]| {
    // The format that the bytes look like, and one that their length chooses: the lengths of mutated seeds reach all.
    let forced = Format::ALL[bytes.len() % Format::ALL.len()];
    for format in Format::detect(bytes).into_iter().chain([forced]) {
        let records = read(format, bytes);
        assert!(records == read(format, bytes), "{format} is read in two ways");
        assert!(records.count() <= RECORDS_PER_BYTE * bytes.len() + 1, "{format}: {}", records.count());
        let mut engine = Engine::new(Settings::default());
        for event in records.events {
            let _ = engine.observe(event);
        }
    }
});

/// Reads bytes as the scan does.
fn read(format: Format, bytes: &[u8]) -> Records {
    let mut transcript = Transcript::new(format, &Origin::default());
    let mut records = Records::default();
    match format.layout() {
        Layout::Document => transcript.document(bytes, &mut records),
        Layout::Lines => lines(&mut transcript, bytes, &mut records),
    }
    transcript.end(&mut records);
    records
}

fn lines(transcript: &mut Transcript, bytes: &[u8], records: &mut Records) {
    let mut number = 0;
    let mut rest = bytes;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        number += 1;
        transcript.line(number, &rest[..end], records);
        rest = &rest[end + 1..];
    }
    let before = (records.events.len(), records.problems.len());
    let tail = transcript.tail(number + 1, rest, records);
    if tail == Tail::Unfinished {
        // A whole line that was held back until the next one came may be reported now.
        let events = records.events[before.0..].iter().map(|event| event.line);
        let problems = records.problems[before.1..].iter().map(|problem| problem.line);
        let is_earlier = events.chain(problems).flatten().all(|line| line <= number);
        assert!(is_earlier, "an unfinished line left a trace");
        transcript.line(number + 1, rest, records);
    }
}
