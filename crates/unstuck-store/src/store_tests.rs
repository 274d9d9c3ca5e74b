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

fn counted(hooks: u64) -> Stored {
    Stored {
        about: About {
            hooks,
            session: "s".into(),
            ..About::default()
        },
        watch: vec![1, 2],
        engine: vec![3],
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
    let found: Vec<_> = store.list().collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].stored.as_ref().unwrap(), &counted(2));
    store
        .open_file(&found[0].path, WAIT)
        .unwrap()
        .remove()
        .unwrap();
    assert_eq!(store.list().count(), 0);
}

#[test]
fn agents_have_files_of_their_own() {
    let names = [
        key("a").file_name(),
        key("b").file_name(),
        Key {
            agent: "sub",
            ..key("a")
        }
        .file_name(),
        Key {
            host: "codex",
            ..key("a")
        }
        .file_name(),
        // Where one name ends and the next begins matters.
        Key {
            session: "am",
            agent: "ain",
            ..key("")
        }
        .file_name(),
    ];
    for (at, name) in names.iter().enumerate() {
        assert!(!names[..at].contains(name));
    }
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
fn damage_is_told_and_written_over() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let slot = store.open(&key("a"), WAIT).unwrap();
    slot.write(&counted(1)).unwrap();
    let whole = fs::read(&slot.path).unwrap();
    let mut other_version = whole.clone();
    other_version[13] = 99;
    let mut changed = whole.clone();
    changed[40] ^= 1;
    // The last byte is the snapshot's, which has a checksum of its own.
    for (bytes, why) in [
        (whole[..20].to_vec(), "cut off"),
        (whole[..whole.len() - 2].to_vec(), "cut off"),
        (changed, "damaged"),
        (other_version, "another version"),
        (b"something else".to_vec(), "no state file"),
        (Vec::new(), "no state file"),
    ] {
        fs::write(&slot.path, bytes).unwrap();
        let error = slot.read().unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    slot.write(&counted(3)).unwrap();
    assert_eq!(slot.read().unwrap(), Some(counted(3)));
}

#[test]
fn a_directory_keeps_only_so_many() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let slot = store.open(&key("a"), WAIT).unwrap();
    let directory = slot.path.parent().unwrap().to_owned();
    for number in 0..MOST_PER_DIRECTORY + 20 {
        fs::write(directory.join(format!("{number}.state")), "old").unwrap();
    }
    fs::write(directory.join("left.new"), "by a killed process").unwrap();
    let long_ago = SystemTime::now() - OLDEST - Duration::from_mins(1);
    let ancient = fs::File::options()
        .write(true)
        .open(directory.join("0.state"))
        .unwrap();
    ancient.set_modified(long_ago).unwrap();
    slot.write(&counted(1)).unwrap();
    assert_eq!(slot.read().unwrap(), Some(counted(1)));
    let states = entries(&directory).filter(|path| path.extension().is_some());
    assert_eq!(states.count(), MOST_PER_DIRECTORY);
    assert!(!directory.join("0.state").exists());
    assert!(directory.join(LOCK).exists());
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
    let mode = fs::metadata(home.path().join("sessions"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0);
}

#[test]
fn places_are_known_without_reading() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    assert_eq!(store.places().count(), 0);
    let slot = store.open(&key("a"), WAIT).unwrap();
    slot.write(&counted(1)).unwrap();
    drop(slot);
    let places: Vec<_> = store.places().collect();
    assert_eq!(places.len(), 1);
    assert_eq!(store.look(&places[0].path).unwrap(), Some(counted(1)));
    fs::remove_file(&places[0].path).unwrap();
    assert_eq!(store.look(&places[0].path).unwrap(), None);
}
