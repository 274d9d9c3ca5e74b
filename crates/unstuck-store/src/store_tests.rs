use std::thread;

use super::*;
use crate::about::About;

const WAIT: Duration = Duration::from_mins(1);

fn key(session: &str) -> Key<'_> {
    Key {
        host: "claude-code",
        session,
        agent: "main",
    }
}

fn believed(store: &Store) -> usize {
    let store = store.existing().unwrap();
    store.list().filter(|entry| entry.stored.is_ok()).count()
}

fn counted(hooks: u64) -> Stored {
    Stored {
        about: About {
            hooks,
            session: "s".into(),
            ..About::default()
        },
        watch: vec![1, 2],
        engine: vec![3],
        ..Stored::default()
    }
}

#[test]
fn what_was_written_is_read_back() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path().join("deep").join("sessions"));
    let slot = store.open(&key("a"), WAIT).unwrap();
    assert_eq!(slot.read().unwrap(), None);
    slot.write(&counted(1)).unwrap();
    slot.write(&counted(2)).unwrap();
    assert_eq!(slot.read().unwrap(), Some(counted(2)));
    drop(slot);
    let open = store.existing().unwrap();
    let found: Vec<_> = open.list().collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].stored.as_ref().unwrap(), &counted(2));
    open.reopen(&found[0].id, WAIT).unwrap().remove().unwrap();
    assert_eq!(open.list().count(), 0);
}

#[test]
fn no_count_is_lost_between_threads() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let slot = store.open(&key("a"), WAIT).unwrap();
                    let known = slot.read().unwrap().map_or(0, |stored| stored.about.hooks);
                    slot.write(&counted(known + 1)).unwrap();
                }
            });
        }
    });
    let slot = store.open(&key("a"), WAIT).unwrap();
    assert_eq!(slot.read().unwrap(), Some(counted(200)));
}

#[test]
fn damage_is_reported_and_written_over() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let slot = store.open(&key("a"), WAIT).unwrap();
    slot.write(&counted(1)).unwrap();
    let whole = fs::read(&slot.path).unwrap();
    let mut other_version = whole.clone();
    other_version[13] = 99;
    for (bytes, why) in [
        (whole[..20].to_vec(), "cut off"),
        (whole[..whole.len() - 2].to_vec(), "damaged"),
        (other_version, "another version"),
        (b"something else".to_vec(), "not a state file"),
        (Vec::new(), "not a state file"),
    ] {
        fs::write(&slot.path, bytes).unwrap();
        let error = slot.read().unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    slot.write(&counted(3)).unwrap();
    assert_eq!(slot.read().unwrap(), Some(counted(3)));
}

#[test]
fn no_flipped_byte_is_believed() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let slot = store.open(&key("a"), WAIT).unwrap();
    slot.write(&counted(1)).unwrap();
    let whole = fs::read(&slot.path).unwrap();
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[at] ^= 1 << bit;
            fs::write(&slot.path, changed).unwrap();
            assert!(slot.read().is_err(), "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn the_state_of_another_session_is_not_believed() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let paths = ["a", "b"].map(|session| {
        let slot = store.open(&key(session), WAIT).unwrap();
        slot.write(&counted(1)).unwrap();
        slot.path
    });
    fs::copy(&paths[0], &paths[1]).unwrap();
    let slot = store.open(&key("b"), WAIT).unwrap();
    let error = slot.read().unwrap_err().to_string();
    assert!(error.contains("another session"), "{error}");
    assert_eq!(believed(&store), 1);
    // With another key nothing is believed.
    drop(slot);
    fs::write(home.path().join("key"), [7; 32]).unwrap();
    assert_eq!(believed(&store), 0);
    assert_eq!(store.open(&key("a"), WAIT).unwrap().read().unwrap(), None);
}

#[cfg(unix)]
#[test]
fn a_fifo_in_the_place_of_a_file_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let slot = store.open(&key("a"), WAIT).unwrap();
    let mode = nix::sys::stat::Mode::S_IRWXU;
    nix::unistd::mkfifo(&slot.path, mode).unwrap();
    let way = slot.path.with_extension("new");
    nix::unistd::mkfifo(&way, mode).unwrap();
    assert!(slot.read().unwrap_err().to_string().contains("regular"));
    slot.write(&counted(1)).unwrap();
    assert_eq!(slot.read().unwrap(), Some(counted(1)));
}

#[cfg(unix)]
#[test]
fn state_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path().join("sessions"));
    store
        .open(&key("a"), WAIT)
        .unwrap()
        .write(&counted(1))
        .unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let root = home.path().join("sessions");
    assert_eq!(mode(&root), 0o700);
    assert_eq!(mode(&root.join("key")), 0o600);
    let place = store.existing().unwrap().entries().next().unwrap().id;
    let place = place.as_path();
    assert_eq!(mode(place), 0o600);
    assert_eq!(mode(&place.with_file_name(LOCK)), 0o600);
}

#[test]
fn places_are_known_without_reading() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    assert!(store.existing().is_none());
    let slot = store.open(&key("a"), WAIT).unwrap();
    slot.write(&counted(1)).unwrap();
    drop(slot);
    let store = store.existing().unwrap();
    let entries: Vec<_> = store.entries().collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(store.look(&entries[0].id).unwrap(), Some(counted(1)));
    fs::remove_file(entries[0].id.as_path()).unwrap();
    assert_eq!(store.look(&entries[0].id).unwrap(), None);
}
