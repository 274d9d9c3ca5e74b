//! The examples run, and what they assert holds; so do the streams of events that the documentation shows.

use std::{fs, path::Path};

use unstuck::{Decision, Engine, Event, Preset, Settings, Verdict};

#[path = "../examples/05_snapshot_and_restore.rs"]
mod across_processes;
#[path = "../examples/03_custom_settings.rs"]
mod custom_settings;
#[path = "../examples/01_guard_a_loop.rs"]
mod guard_a_loop;
#[path = "../examples/02_presets.rs"]
mod presets;
#[path = "../examples/04_swarm_of_threads.rs"]
mod swarm_of_threads;

#[test]
fn example_01_guards_a_loop() {
    guard_a_loop::main().unwrap();
}

#[test]
fn example_02_compares_the_presets() {
    presets::main().unwrap();
}

#[test]
fn example_03_has_settings_of_its_own() {
    custom_settings::main().unwrap();
}

#[test]
fn example_04_shares_a_tally_between_threads() {
    swarm_of_threads::main().unwrap();
}

#[test]
fn example_05_goes_on_in_other_processes() {
    across_processes::main().unwrap();
}

/// The decisions of `standard` about a stream of events under `examples/events`.
#[expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a helper of tests, which may read the repository's own files"
)]
fn decisions(name: &str) -> Vec<Decision> {
    let events = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/events");
    let text = fs::read_to_string(events.join(name)).unwrap();
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    text.lines()
        .map(|line| engine.observe(Event::parse(line.as_bytes()).unwrap()))
        .collect()
}

#[test]
fn the_stuck_stream_is_nudged_then_denied_then_halted() {
    let mut verdicts: Vec<_> = decisions("stuck.jsonl")
        .iter()
        .map(|decision| decision.verdict)
        .filter(|verdict| *verdict > Verdict::Allow)
        .collect();
    verdicts.dedup();
    assert_eq!(verdicts, [Verdict::Nudge, Verdict::Deny, Verdict::Halt]);
}

#[test]
fn the_healthy_stream_is_left_alone() {
    for decision in decisions("healthy.jsonl") {
        assert_eq!(decision.verdict, Verdict::Allow, "{decision:?}");
    }
}
