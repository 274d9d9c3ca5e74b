//! The reference stream: every planted loop is caught, nothing else is.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "what may fail here fails the test"
)]

mod support;

use std::collections::BTreeMap;

use support::stream::{Label, Row, Stream};
use unstuck::{Engine, Event, EventReader, Preset, Settings, Verdict, settings::Attendance};

/// What came of the episodes of one label.
#[derive(Debug, Default, PartialEq, Eq)]
struct Caught {
    /// Loops of three laps or more, and how many of them got a nudge or more.
    loops: u32,
    found: u32,
    /// Episodes in which nothing may be said, and how many of them something was said in.
    harmless: u32,
    alarms: u32,
}

/// Runs the stream and gathers what was said by label.
fn run(rows: usize, attendance: Attendance) -> BTreeMap<Label, Caught> {
    let mut settings = Settings::of(Preset::Standard);
    settings.attendance = attendance;
    let mut engine = Engine::new(settings);
    let mut reader = EventReader::default();
    let mut episodes: BTreeMap<u32, (Label, u32, bool)> = BTreeMap::new();
    for row in Stream::new(20_261_115).take(rows) {
        let Row {
            call,
            result,
            turn,
            label,
            episode,
            laps,
        } = row;
        let mut said = false;
        for line in [call, result, turn] {
            let verdict = engine
                .observe(reader.read(line.as_bytes()).unwrap())
                .verdict;
            said |= verdict > Verdict::Allow;
            if verdict == Verdict::Halt {
                // A person resets the run.
                engine.observe(Event::parse(br#"{"event":"reset"}"#).unwrap());
            }
        }
        let seen = episodes.entry(episode).or_insert((label, 0, false));
        seen.1 = seen.1.max(laps);
        seen.2 |= said;
    }
    let mut caught: BTreeMap<Label, Caught> = BTreeMap::new();
    for (label, laps, said) in episodes.into_values() {
        let caught = caught.entry(label).or_default();
        if !label.is_loop() {
            caught.harmless += 1;
            caught.alarms += u32::from(said);
        } else if laps >= 3 {
            caught.loops += 1;
            caught.found += u32::from(said);
        }
    }
    caught
}

fn assert_perfect(rows: usize, attendance: Attendance) {
    let caught = run(rows, attendance);
    for label in [
        Label::Exact,
        Label::ExactShuffled,
        Label::PingPong,
        Label::ThreeCycle,
    ] {
        let caught = &caught[&label];
        assert!(caught.loops > 0, "{label:?}: the stream has none");
        assert_eq!(caught.found, caught.loops, "{label:?}");
    }
    for label in [Label::Fresh, Label::Poll, Label::EditTest] {
        let caught = &caught[&label];
        assert!(caught.harmless > 0, "{label:?}: the stream has none");
        assert_eq!(caught.alarms, 0, "{label:?}");
    }
}

#[test]
fn every_planted_loop_is_caught_and_nothing_else() {
    assert_perfect(8_000, Attendance::Unattended);
}

#[test]
fn a_watched_run_is_denied_rather_than_halted_and_caught_all_the_same() {
    assert_perfect(8_000, Attendance::Attended);
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
        for (at, row) in Stream::new(7).take(2_500).enumerate() {
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

#[test]
#[ignore = "100,000 calls: for release builds"]
fn every_planted_loop_is_caught_and_nothing_else_in_the_whole_stream() {
    assert_perfect(100_000, Attendance::Unattended);
    assert_perfect(100_000, Attendance::Attended);
}
