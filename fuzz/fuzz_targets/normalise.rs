//! Any answers to one call: the normaliser and what is learned from them never panic, replay, survive a snapshot and a
//! retry, and equal answers are equal whatever was learned.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use unstuck::{Call, Engine, Event, Json, Outcome, Preset, Settings, Verdict};

#[derive(Arbitrary, Debug)]
struct Input {
    /// What all answers have in common, around what changes in them.
    pieces: Vec<String>,
    /// What stands between the pieces in each of the answers.
    answers: Vec<Vec<Value>>,
    /// The answers come as text, or as an object.
    object: bool,
    /// The query that is asked.
    query: String,
    /// After which answer to go on in another process.
    moved: u8,
    /// Which answers are taken back and come again.
    retried: u16,
}

#[derive(Arbitrary, Debug)]
enum Value {
    Number(u64),
    Small(u8),
    Text(String),
    /// Letters and digits by turns.
    Token(u64),
    Nothing,
}

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Small(number) => number.to_string(),
            Self::Text(text) => text.clone(),
            Self::Token(bits) => {
                let digit = |at: u32| char::from_digit((bits >> (at * 5)) as u32 % 36, 36).unwrap_or('0');
                (0..8).map(digit).collect()
            }
            Self::Nothing => String::new(),
        }
    }
}

impl Input {
    fn answer(&self, values: &[Value]) -> Json {
        let values = || values.iter().map(Value::text).chain(std::iter::repeat(String::new()));
        if self.object {
            let members = self.pieces.iter().cloned().zip(values().map(serde_json::Value::from));
            let object = serde_json::Value::Object(members.collect());
            return Json::parse(&object.to_string()).unwrap();
        }
        let text: Vec<_> = self.pieces.iter().zip(values()).map(|(piece, value)| format!("{piece}{value}")).collect();
        Json::string(&text.join(" "))
    }

    fn call(&self, id: usize) -> Event {
        let args = serde_json::json!({ "query": self.query, "name": "a" });
        Event::call(Call::new(id.to_string(), "ask", Json::parse(&args.to_string()).unwrap()))
    }
}

fn engine() -> Engine {
    Engine::new(Settings::of(Preset::Standard))
}

/// Everything that was said, as it is written. Line numbers are left out: a retry takes lines.
fn run(input: &Input, retries: bool, moves: bool) -> Vec<String> {
    let mut engine = engine();
    let mut said = Vec::new();
    for (at, values) in input.answers.iter().enumerate().take(16) {
        let again = retries && input.retried >> (at % 16) & 1 == 1;
        for replay in [true, false] {
            if replay && !again {
                continue;
            }
            let before = engine.observe(input.call(at)).verdict;
            let after = engine.observe(Event::result(Outcome::ok(at.to_string(), input.answer(values))));
            if !replay {
                let found: Vec<_> = after.findings.iter().map(|finding| (finding.rule, finding.repeats)).collect();
                said.push(format!("{before:?} {found:?}"));
            } else if before < Verdict::Halt && after.verdict < Verdict::Halt {
                engine.observe(Event::parse(br#"{"event":"retry"}"#).unwrap());
            }
        }
        engine.observe(Event::parse(br#"{"event":"turn"}"#).unwrap());
        if moves
            && at == usize::from(input.moved)
            && let Some(snapshot) = engine.snapshot("default", "main")
        {
            engine = self::engine();
            engine.restore("default", "main", &snapshot).unwrap();
        }
    }
    said
}

fuzz_target!(|input: Input| {
    let said = run(&input, false, false);
    assert_eq!(said, run(&input, false, false));
    assert_eq!(said, run(&input, false, true));
    // Replays leave warnings and denials behind, but must not panic.
    run(&input, true, true);

    // The same answer over and over is the same answer, whatever is in it.
    if let Some(values) = input.answers.first() {
        let mut engine = engine();
        let mut verdicts = Vec::new();
        for at in 0..8 {
            let before = engine.observe(input.call(at)).verdict;
            let result = Event::result(Outcome::ok(at.to_string(), input.answer(values)));
            verdicts.push(before.max(engine.observe(result).verdict));
            engine.observe(Event::parse(br#"{"event":"turn"}"#).unwrap());
        }
        let waits = verdicts.iter().all(|verdict| *verdict == Verdict::Allow);
        assert!(waits || verdicts[2] == Verdict::Nudge, "{verdicts:?}");
    }
});
