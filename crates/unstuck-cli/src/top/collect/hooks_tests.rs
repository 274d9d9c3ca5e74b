use unstuck_store::{Key, SessionSlot as _, Stored};

use super::*;

fn write(home: &StateDir, session: &str, calls: u64) {
    let key = Key {
        host: "codex",
        session,
        agent: "main",
    };
    let slot = home.store().open(&key, Duration::from_mins(1)).unwrap();
    let mut stored = Stored::default();
    stored.about.session = session.into();
    stored.about.calls = calls;
    slot.write(&stored).unwrap();
}

fn calls(states: &HookStates) -> Vec<u64> {
    let mut calls: Vec<_> = states
        .agents()
        .iter()
        .map(|agent| agent.about.calls)
        .collect();
    calls.sort_unstable();
    calls
}

#[test]
fn what_was_written_since_the_last_look_is_seen() {
    let directory = tempfile::tempdir().unwrap();
    let home = StateDir::at(directory.path());
    let mut states = HookStates::new(home.clone());
    states.look(0);
    assert_eq!(calls(&states), [0; 0]);
    write(&home, "a", 1);
    write(&home, "b", 2);
    states.look(0);
    assert_eq!(calls(&states), [1, 2]);
    write(&home, "a", 3);
    states.look(0);
    assert_eq!(calls(&states), [2, 3]);
    states.look(i64::MAX);
    assert_eq!(calls(&states), [0; 0]);
}

#[test]
fn what_did_not_change_is_not_read_again() {
    let directory = tempfile::tempdir().unwrap();
    let home = StateDir::at(directory.path());
    write(&home, "a", 1);
    let place = home.store().existing().unwrap().entries().next().unwrap();
    let long_ago = SystemTime::now() - Duration::from_mins(10);
    let age = |contents: &[u8]| {
        std::fs::write(place.id.as_path(), contents).unwrap();
        let file = std::fs::File::options()
            .write(true)
            .open(place.id.as_path())
            .unwrap();
        file.set_modified(long_ago).unwrap();
    };
    age(&std::fs::read(place.id.as_path()).unwrap());
    let mut states = HookStates::new(home);
    states.look(0);
    assert_eq!((calls(&states), states.trouble()), (vec![1], None));
    // Of the same age, so it is not opened.
    age(b"something else");
    states.look(0);
    assert_eq!((calls(&states), states.trouble()), (vec![1], None));
}

#[test]
fn a_damaged_file_is_named_and_leaves_the_others_alone() {
    let directory = tempfile::tempdir().unwrap();
    let home = StateDir::at(directory.path());
    write(&home, "a", 1);
    let place = home.store().existing().unwrap().entries().next().unwrap();
    std::fs::write(place.id.as_path(), "nonsense").unwrap();
    write(&home, "b", 2);
    let mut states = HookStates::new(home);
    states.look(0);
    assert_eq!(calls(&states), [2]);
    assert!(
        states
            .trouble()
            .is_some_and(|trouble| trouble.contains("not a state file"))
    );
}
