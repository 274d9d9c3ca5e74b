use super::*;
use crate::{
    Engine, Event, Preset, Settings,
    options::{Bounded, nonzero},
};

fn engine(preset: Preset) -> Engine {
    Engine::new(Settings::of(preset))
}

fn stored() -> Vec<u8> {
    let mut engine = engine(Preset::Standard);
    engine.observe(Event::turn());
    engine.snapshot("default", "main").unwrap()
}

#[test]
fn an_unknown_agent_has_no_snapshot() {
    assert_eq!(engine(Preset::Standard).snapshot("default", "main"), None);
}

#[test]
fn another_schema_is_refused_by_its_number() {
    let mut snapshot = stored();
    snapshot[MAGIC.len()] = 8;
    let refused = engine(Preset::Standard).restore("s", "a", &snapshot);
    assert_eq!(refused, Err(SnapshotError::OtherSchema { found: 8 }));
    assert_eq!(
        SnapshotError::OtherSchema { found: 8 }.to_string(),
        "a snapshot of schema 8, this version reads schema 14"
    );
}

#[test]
fn bytes_that_are_not_a_snapshot_are_refused() {
    for bytes in [&b""[..], b"{}", b"unstuc"] {
        let refused = engine(Preset::Standard).restore("s", "a", bytes);
        assert_eq!(refused, Err(SnapshotError::NotASnapshot));
    }
    let refused = engine(Preset::Standard).restore("s", "a", b"unstuck");
    assert_eq!(refused, Err(SnapshotError::Damaged));
}

#[test]
fn bytes_after_the_end_are_refused() {
    let mut snapshot = stored();
    snapshot.push(0);
    let refused = engine(Preset::Standard).restore("s", "a", &snapshot);
    assert_eq!(refused, Err(SnapshotError::Damaged));
}

#[test]
fn state_goes_on_under_other_settings() {
    let mut before = engine(Preset::Standard);
    for id in 0..50 {
        let call = format!(r#"{{"event":"call","id":{id},"tool":"t","args":{{"n":{id}}}}}"#);
        let result = format!(
            r#"{{"event":"result","id":{id},"output":"answer number {id}, long enough to tell"}}"#
        );
        before.observe(Event::parse(call.as_bytes()).unwrap());
        before.observe(Event::parse(result.as_bytes()).unwrap());
        before.observe(Event::turn());
    }
    let snapshot = before.snapshot("default", "main").unwrap();
    let mut settings = Settings::of(Preset::Standard);
    settings.memory.calls = Bounded::of::<4>();
    settings.memory.warned = Bounded::of::<1>();
    settings.rules.stagnation.memory = nonzero!(8);
    settings.rules.stuck_outcome.memory = nonzero!(8);
    settings.rules.call_burst.keys = nonzero!(2);
    let mut after = Engine::new(settings);
    after.restore("default", "main", &snapshot).unwrap();
    let shrunk = after.snapshot("default", "main").unwrap();
    assert!(shrunk.len() < snapshot.len());
    for preset in Preset::ALL {
        let mut other = engine(preset);
        other.restore("default", "main", &snapshot).unwrap();
        other.observe(Event::turn());
    }
}

/// Settings under which the rules that look at calls alone are on.
fn looking_at_calls(change: impl Fn(&mut crate::settings::Rules)) -> Settings {
    use crate::settings::{CountCalls, CountSimilar, CycleOf};

    let mut settings = Settings::of(Preset::Standard);
    settings.mode = crate::Mode::Observe;
    settings.rules.exact_repeat.count = CountCalls::CallsInWindow;
    settings.rules.near_repeat.count = CountSimilar::CallsInARow;
    settings.rules.cycle.of = CycleOf::Calls;
    change(&mut settings.rules);
    settings
}

/// Observes calls of the tools with these numbers, without results.
fn call(engine: &mut Engine, tools: impl IntoIterator<Item = u32>) -> Vec<crate::Decision> {
    let events = tools.into_iter().enumerate().map(|(id, tool)| {
        let call = format!(r#"{{"event":"call","id":{id},"tool":"t{tool}","at":1}}"#);
        Event::parse(call.as_bytes()).unwrap()
    });
    events.map(|event| engine.observe(event)).collect()
}

#[test]
fn histories_are_cut_to_smaller_options_when_they_are_restored() {
    type Change = fn(&mut crate::settings::Rules);
    let changes: [Change; 4] = [
        |rules| rules.exact_repeat.window = nonzero!(2),
        |rules| rules.near_repeat.window = nonzero!(2),
        |rules| rules.call_burst.limit = nonzero!(2),
        |rules| rules.cycle.longest = crate::settings::Bounded::of::<2>(),
    ];
    let mut before = Engine::new(looking_at_calls(|_| {}));
    call(&mut before, (0..10).chain([9; 9]));
    before.observe(Event::turn());
    // The present turn has a copy of what was there when the last one ended.
    call(&mut before, [9]);
    let snapshot = before.snapshot("default", "main").unwrap();
    let restored = |settings| {
        let mut engine = Engine::new(settings);
        engine.restore("default", "main", &snapshot).unwrap();
        engine.snapshot("default", "main").unwrap()
    };
    assert_eq!(restored(looking_at_calls(|_| {})), snapshot);
    for (at, change) in changes.into_iter().enumerate() {
        let cut = restored(looking_at_calls(change));
        assert!(cut.len() < snapshot.len(), "change {at}");
        let mut again = Engine::new(looking_at_calls(change));
        again.restore("default", "main", &cut).unwrap();
        assert_eq!(again.snapshot("default", "main").unwrap(), cut);
    }
}

#[test]
fn cycles_are_found_after_a_restore_with_longer_periods() {
    let settings =
        |longest: u32| looking_at_calls(|rules| rules.cycle.longest = longest.try_into().unwrap());
    let mut before = Engine::new(settings(3));
    call(&mut before, [7, 8, 1, 2, 1, 2]);
    let snapshot = before.snapshot("default", "main").unwrap();
    let mut after = Engine::new(settings(16));
    after.restore("default", "main", &snapshot).unwrap();
    let rounds = [1, 2, 1, 2];
    let cycles = |decisions: Vec<crate::Decision>| {
        let findings = decisions.into_iter().flat_map(|decision| decision.findings);
        let cycles = findings.filter(|finding| finding.rule == crate::RuleName::Cycle);
        cycles.map(|finding| finding.repeats).collect::<Vec<_>>()
    };
    let expected = cycles(call(&mut before, rounds));
    assert!(!expected.is_empty());
    assert_eq!(cycles(call(&mut after, rounds)), expected);
}

#[test]
fn line_numbers_go_on() {
    let mut after = engine(Preset::Standard);
    after.restore("default", "main", &stored()).unwrap();
    assert_eq!(after.observe(Event::turn()).line, 2);
}

/// An agent with as much in its memories as the settings allow.
#[test]
fn the_largest_memories_can_be_restored() {
    let mut settings = Settings::of(Preset::Standard);
    settings.mode = crate::Mode::Observe;
    settings.memory.calls = Bounded::of::<16_384>();
    settings.memory.pending = Bounded::of::<4_096>();
    settings.memory.warned = Bounded::of::<4_096>();
    let mut engine = Engine::new(settings.clone());
    for id in 0..17_000 {
        let call = format!(
            r#"{{"event":"call","id":{id},"tool":"t","args":{{"n":"{id} of many, with an argument that is as long as a label"}}}}"#
        );
        engine.observe(Event::parse(call.as_bytes()).unwrap());
        if id < 12_900 {
            let result = format!(
                r#"{{"event":"result","id":{id},"output":"answer number {id}, long enough to tell"}}"#
            );
            engine.observe(Event::parse(result.as_bytes()).unwrap());
        }
    }
    let snapshot = engine.snapshot("default", "main").unwrap();
    let mut other = Engine::new(settings);
    other.restore("default", "main", &snapshot).unwrap();
    assert_eq!(other.snapshot("default", "main").unwrap(), snapshot);
    assert!(snapshot.len() < MAX_BYTES / 2, "{}", snapshot.len());
}
