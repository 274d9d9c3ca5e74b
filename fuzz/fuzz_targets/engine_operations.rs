//! Any sequence of operations: decisions replay, a snapshot changes nothing, checking counts nothing.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use unstuck::{Call, Decision, Engine, Event, EventKind, Json, Outcome, Preset, Settings, Status, Verdict};

#[derive(Arbitrary, Clone, Debug)]
enum Operation {
    Call { id: u8, tool: u8, args: u8, wait: u16 },
    Result { id: u8, status: u8, output: u8, exit_code: Option<i8> },
    Step { code: u8, output: Option<u8> },
    Text,
    Turn,
    User,
    Retry,
    Compaction,
    Resume,
    Reset,
    /// Goes on in another process.
    Move,
    Check { tool: u8, args: u8 },
    OtherAgent,
}

#[derive(Arbitrary, Debug)]
struct Input {
    preset: u8,
    operations: Vec<Operation>,
}

const TOOLS: [&str; 4] = ["bash", "read_file", "edit_file", "t"];
const ARGS: [&str; 6] = [
    "{}",
    r#"{"path":"a"}"#,
    r#"{"path":"a","timeout":1}"#,
    r#"{"command":"cat a"}"#,
    r#"{"command":"pytest -q"}"#,
    "[1,2]",
];
const OUTPUTS: [&str; 5] = ["null", "\"ok\"", "\"3 failed\"", "\"a long answer that tells something new\"", "{\"n\":1}"];

fn pick<'a>(from: &[&'a str], at: u8) -> &'a str {
    from[usize::from(at) % from.len()]
}

fn call(id: u8, tool: u8, args: u8) -> Call {
    Call::new(id.to_string(), pick(&TOOLS, tool), Json::parse(pick(&ARGS, args)).unwrap())
}

fn event(operation: &Operation) -> Option<Event> {
    Some(match *operation {
        Operation::Call { id, tool, args, .. } => Event::call(call(id % 8, tool, args)),
        Operation::Result { id, status, output, exit_code } => {
            let mut outcome = Outcome::ok((id % 8).to_string(), Json::parse(pick(&OUTPUTS, output)).unwrap());
            outcome.status = [Status::Ok, Status::Error, Status::Denied, Status::Pending][usize::from(status) % 4];
            outcome.exit_code = exit_code.map(i64::from);
            Event::result(outcome)
        }
        Operation::Step { code, output } => {
            Event::step(code.to_string(), output.map(|at| Json::parse(pick(&OUTPUTS, at)).unwrap()))
        }
        Operation::Text => Event::text("words"),
        Operation::Turn => Event::turn(),
        Operation::User => Event::new(EventKind::User),
        Operation::Retry => Event::new(EventKind::Retry),
        Operation::Compaction => Event::new(EventKind::Compaction),
        Operation::Resume => Event::new(EventKind::Resume),
        Operation::Reset => Event::new(EventKind::Reset),
        Operation::OtherAgent => Event::turn().by_agent("other"),
        Operation::Move | Operation::Check { .. } => return None,
    })
}

/// Runs the operations; `moving` decides whether `Move` really moves.
fn run(input: &Input, moving: bool) -> Vec<Decision> {
    let preset = Preset::ALL[usize::from(input.preset) % Preset::ALL.len()];
    let mut engine = Engine::new(Settings::of(preset));
    let mut now = 0;
    let mut decisions = Vec::new();
    for operation in &input.operations {
        if let Operation::Call { wait, .. } = operation {
            now += i64::from(*wait);
        }
        match operation {
            Operation::Move if moving => {
                let mut next = Engine::new(Settings::of(preset));
                for agent in ["main", "other"] {
                    if let Some(snapshot) = engine.snapshot("default", agent) {
                        next.restore("default", agent, &snapshot).unwrap();
                    }
                }
                engine = next;
            }
            Operation::Check { tool, args } if moving => {
                engine.check("default", "main", &call(9, *tool, *args));
            }
            _ => {}
        }
        if let Some(event) = event(operation) {
            decisions.push(engine.observe(event.at(now)));
        }
    }
    decisions
}

fuzz_target!(|input: Input| {
    let decisions = run(&input, true);
    // Swarm tallies belong to the engine, not to an agent: only there may moving make a difference.
    if Preset::ALL[usize::from(input.preset) % Preset::ALL.len()] != Preset::Attocode {
        assert_eq!(decisions, run(&input, false));
    }
    for decision in &decisions {
        let said = decision.verdict > Verdict::Allow;
        assert_eq!(said, decision.message().is_some());
    }
});
