use super::*;
use crate::{Engine, Event, Preset, Settings};

fn engine(preset: Preset) -> Engine {
    Engine::new(Settings::of(preset))
}

fn stored() -> Vec<u8> {
    let mut engine = engine(Preset::Standard);
    engine.observe(Event::turn());
    engine.snapshot("default", "main").unwrap()
}

#[test]
fn an_agent_nobody_knows_has_no_snapshot() {
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
        "a snapshot of schema 8, this version reads schema 9"
    );
}

#[test]
fn what_is_no_snapshot_is_refused_as_such() {
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
    settings.memory.calls = 4;
    settings.memory.warned = 1;
    settings.rules.stagnation.memory = 8;
    settings.rules.stuck_outcome.memory = 8;
    settings.rules.call_burst.keys = 2;
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

#[test]
fn line_numbers_go_on() {
    let mut after = engine(Preset::Standard);
    after.restore("default", "main", &stored()).unwrap();
    assert_eq!(after.observe(Event::turn()).line, 2);
}
