//! The start of the reference stream: every planted loop is caught, nothing else is. The package `unstuck-reference` judges all
//! of it.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "what may fail here fails the test"
)]

mod support;

use support::{planted, stream::Stream};
use unstuck::{Engine, Event, Preset, Settings, settings::Attendance};

fn assert_perfect(rows: usize, attendance: Attendance) {
    let faults = planted::faults(&planted::run(rows, attendance).unwrap());
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_planted_loop_is_caught_and_nothing_else() {
    assert_perfect(3_000, Attendance::Unattended);
}

#[test]
fn a_watched_run_is_denied_rather_than_halted_and_caught_all_the_same() {
    assert_perfect(3_000, Attendance::Attended);
}

/// The key of lookups changes neither decisions nor snapshots, whatever is evicted, taken back and restored on the way.
#[test]
fn two_engines_with_different_keys_decide_and_store_the_same() {
    for preset in Preset::ALL {
        let engine = |key| {
            let mut settings = Settings::of(preset);
            settings.memory.sessions = 3.try_into().unwrap();
            settings.memory.calls = 16.try_into().unwrap();
            Engine::with_index_key(settings, key)
        };
        let mut engines = [engine([0; 16]), engine([0xa7; 16])];
        for (at, row) in Stream::new(7).take(1_000).enumerate() {
            let agent = format!("agent-{}", at / 50 % 5);
            let extra = match at % 97 {
                0 => "retry",
                1 => "reset",
                2 => "user",
                _ => "resume",
            };
            let extra = format!(r#"{{"event":"{extra}"}}"#);
            for line in [row.call, row.result, row.turn, extra] {
                let [one, other] = engines.each_mut().map(|engine| {
                    let mut event = Event::parse(line.as_bytes()).unwrap();
                    event.agent = agent.as_str().into();
                    engine.observe(event)
                });
                assert_eq!(one, other, "{preset:?}, row {at}");
            }
            if at % 25 == 0 {
                let [one, other] = engines
                    .each_ref()
                    .map(|engine| engine.snapshot("default", &agent));
                assert!(one == other && one.is_some(), "{preset:?}, row {at}");
                // Each goes on with what the other stored.
                for engine in &mut engines {
                    let stored = one.as_deref().unwrap();
                    engine.restore("default", &agent, stored).unwrap();
                }
            }
            let [one, other] = engines.each_ref().map(|engine| {
                let mut agents: Vec<_> = engine.agents().collect();
                agents.sort_unstable();
                agents
            });
            assert_eq!(one, other, "{preset:?}, row {at}");
        }
    }
}
