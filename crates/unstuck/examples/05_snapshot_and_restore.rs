//! One process for each event: state goes from one to the next as a snapshot, and decisions are the same.
//!
//! ```text
//! cargo run -p unstuck --example 05_snapshot_and_restore
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck::{Decision, Engine, Event, Preset, Settings, SnapshotError, Verdict};

const SESSION: &str = "s1";
const AGENT: &str = "main";

fn lines() -> Vec<String> {
    (1..=6)
        .flat_map(|n| {
            [
                format!(r#"{{"event":"call","session":"s1","id":{n},"tool":"ls","args":{{"path":"src"}}}}"#),
                format!(r#"{{"event":"result","session":"s1","id":{n},"output":["auth.py","main.py","tests"]}}"#),
                r#"{"event":"turn","session":"s1"}"#.to_owned(),
            ]
        })
        .collect()
}

/// What a short-lived process does: take the state up, decide, put the state down.
fn one_process(stored: &mut Option<Vec<u8>>, line: &str) -> Result<Decision, Box<dyn Error>> {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    if let Some(snapshot) = stored.as_deref() {
        engine.restore(SESSION, AGENT, snapshot)?;
    }
    let decision = engine.observe(Event::parse(line.as_bytes())?);
    *stored = engine.snapshot(SESSION, AGENT);
    Ok(decision)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut long_lived = Engine::new(Settings::of(Preset::Standard));
    let mut stored = None;
    let mut strictest = Verdict::Allow;
    for line in lines() {
        let here = long_lived.observe(Event::parse(line.as_bytes())?);
        let there = one_process(&mut stored, &line)?;
        assert_eq!(here, there);
        let bytes = stored.as_ref().map_or(0, Vec::len);
        println!(
            "line {:>2}: {:<6} state of {bytes} bytes",
            there.line,
            there.verdict.as_str()
        );
        strictest = strictest.max(there.verdict);
    }
    assert_eq!(strictest, Verdict::Deny);

    // Bytes that were changed on the way are refused, never misread.
    let mut damaged = stored.unwrap_or_default();
    if let Some(last) = damaged.last_mut() {
        *last ^= 1;
    }
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    let refused = engine.restore(SESSION, AGENT, &damaged);
    assert_eq!(refused, Err(SnapshotError::Damaged));
    println!("one bit flipped: {}", SnapshotError::Damaged);
    Ok(())
}
