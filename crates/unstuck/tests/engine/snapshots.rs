//! Golden snapshots: those of the last three schemas are read or refused, and never misread.
//!
//! `tests/data/snapshots/before.jsonl` was observed by the version that had the schema, and then the snapshot was taken.
//! `UNSTUCK_BLESS=1 cargo test -p unstuck snapshot` writes that of the present schema; the others are never written anew.

use std::{fs, path::PathBuf};

use unstuck::{Decision, Engine, Event, Preset, Settings, SnapshotError, Verdict};

fn file(name: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/snapshots");
    PathBuf::from(folder).join(name)
}

#[expect(clippy::disallowed_methods, reason = "a test reads its data")]
fn golden(schema: u16) -> Vec<u8> {
    let path = file(&format!("schema-{schema}.bin"));
    fs::read(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; `UNSTUCK_BLESS=1 cargo test -p unstuck snapshot` writes that of the present schema", path.display())
    })
}

#[expect(clippy::disallowed_methods, reason = "a test reads its data")]
fn observe(engine: &mut Engine, stream: &str) -> Vec<Decision> {
    let lines = fs::read_to_string(file(stream)).unwrap();
    let events = lines.lines().map(|line| Event::parse(line.as_bytes()));
    events.map(|event| engine.observe(event.unwrap())).collect()
}

/// An engine that has observed the first part of the stream, and its snapshot.
fn interrupted() -> (Engine, Vec<u8>) {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    observe(&mut engine, "before.jsonl");
    let snapshot = engine.snapshot("default", "main").unwrap();
    (engine, snapshot)
}

/// The schema that a snapshot says it has.
fn schema(snapshot: &[u8]) -> u16 {
    u16::from_le_bytes(snapshot[7..9].try_into().unwrap())
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "writes the snapshot when asked to"
)]
fn a_golden_snapshot_of_the_present_schema_is_gone_on_with() {
    let (mut engine, snapshot) = interrupted();
    let present = schema(&snapshot);
    if std::env::var_os("UNSTUCK_BLESS").is_some() {
        fs::write(file(&format!("schema-{present}.bin")), &snapshot).unwrap();
    }
    let golden = golden(present);
    assert_eq!(schema(&golden), present);
    let mut restored = Engine::new(Settings::of(Preset::Standard));
    restored.restore("default", "main", &golden).unwrap();
    let decisions = observe(&mut engine, "after.jsonl");
    assert_eq!(
        observe(&mut restored, "after.jsonl"),
        decisions,
        "the golden snapshot is misread: raise `SCHEMA` in engine/snapshot.rs, or the version of the rule's state, and write \
         it with `UNSTUCK_BLESS=1 cargo test -p unstuck snapshot`"
    );
    for verdict in [Verdict::Nudge, Verdict::Deny, Verdict::Halt] {
        assert!(decisions.iter().any(|said| said.verdict == verdict));
    }
    let after = |engine: &Engine| engine.snapshot("default", "main");
    assert!(after(&restored) == after(&engine));
}

#[test]
fn golden_snapshots_of_the_two_schemas_before_are_refused_by_their_numbers() {
    let present = schema(&interrupted().1);
    for found in [present - 2, present - 1] {
        let golden = golden(found);
        assert_eq!(schema(&golden), found);
        for preset in Preset::ALL {
            let mut engine = Engine::new(Settings::of(preset));
            let refused = engine.restore("default", "main", &golden);
            assert_eq!(refused, Err(SnapshotError::OtherSchema { found }));
            assert_eq!(engine.agents().count(), 0);
        }
        let error = SnapshotError::OtherSchema { found };
        assert_eq!(
            error.to_string(),
            format!("a snapshot of schema {found}, this version reads schema {present}")
        );
    }
}

/// An old snapshot that claims to be of the present schema is found out by what it holds.
#[test]
fn golden_snapshots_with_another_number_are_not_misread() {
    let present = schema(&interrupted().1);
    for found in [present - 2, present - 1] {
        let mut golden = golden(found);
        golden[7..9].copy_from_slice(&present.to_le_bytes());
        let mut engine = Engine::new(Settings::of(Preset::Standard));
        let refused = engine.restore("default", "main", &golden);
        assert_eq!(refused, Err(SnapshotError::Damaged), "schema {found}");
    }
}
