use super::*;
use crate::{
    file::Stored,
    session_store::SessionSlot as _,
    store::{Key, Slot, Store},
};

const WAIT: Duration = Duration::from_mins(1);

/// A directory with the state of one agent, and what is needed to add more files to it.
struct Directory {
    _home: tempfile::TempDir,
    slot: Slot,
    path: PathBuf,
}

impl Directory {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let key = Key {
            host: "h",
            session: "s",
            agent: "a",
        };
        let slot = Store::at(home.path()).open(&key, WAIT).unwrap();
        let inside = entries(home.path()).find(|path| path.is_dir()).unwrap();
        Self {
            _home: home,
            slot,
            path: inside,
        }
    }

    fn add(&self, name: &str, standing: Standing, age: Duration, hooks: u32) -> PathBuf {
        self.add_long(name, standing, age, hooks, 100)
    }

    fn add_long(
        &self,
        name: &str,
        standing: Standing,
        age: Duration,
        hooks: u32,
        length: usize,
    ) -> PathBuf {
        let path = self.path.join(format!("{name}.state"));
        let mut bytes = b"unstuck-state\x05".to_vec();
        bytes.push(standing as u8);
        bytes.extend(hooks.to_le_bytes());
        bytes.resize(bytes.len() + length, 0);
        fs::write(&path, bytes).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
        path
    }

    /// Adds the agent's own file, which tidies the directory.
    fn tidy(&self) -> usize {
        self.slot.remove().unwrap();
        self.slot.write(&Stored::default()).unwrap();
        entries(&self.path)
            .filter(|path| path.extension().is_some())
            .count()
    }
}

const HOURS: fn(u64) -> Duration = Duration::from_hours;

#[test]
fn a_directory_keeps_only_so_many_and_halted_agents_longest() {
    let directory = Directory::new();
    let halted = directory.add("victim", Standing::Halted, HOURS(29 * 24), 10);
    let denied = directory.add("denied", Standing::Denied, HOURS(5), 10);
    for number in 0..300 {
        directory.add(&format!("{number}"), Standing::Free, HOURS(2), 100);
    }
    assert_eq!(directory.tidy(), MOST);
    assert!(halted.exists() && denied.exists());
    assert!(directory.path.join(LOCK).exists());
}

#[test]
fn a_flood_of_new_names_does_not_push_out_agents_with_history() {
    let directory = Directory::new();
    let known = directory.add("known", Standing::Free, HOURS(0), 9);
    let idle = directory.add("idle", Standing::Free, HOURS(3), 9_000);
    for number in 0..300 {
        // One hook can carry much.
        let name = format!("{number}");
        directory.add_long(&name, Standing::Free, HOURS(0), 1, 5_000);
    }
    assert_eq!(directory.tidy(), MOST);
    assert!(known.exists());
    assert!(!idle.exists());
}

#[test]
fn of_agents_with_equal_history_the_newest_goes() {
    let directory = Directory::new();
    let minutes = Duration::from_mins;
    let first = directory.add("first", Standing::Free, minutes(20), 1);
    for number in 0..300 {
        directory.add(&format!("{number}"), Standing::Free, minutes(2), 1);
    }
    let last = directory.add("last", Standing::Free, minutes(1), 1);
    assert_eq!(directory.tidy(), MOST);
    assert!(first.exists());
    assert!(!last.exists());
}

/// The number that makes room goes by is the one that the store writes.
#[test]
fn the_beginning_of_a_file_has_the_number_of_hooks() {
    let directory = Directory::new();
    let mut stored = Stored::default();
    stored.about.hooks = 77;
    stored.standing = Standing::Denied;
    directory.slot.write(&stored).unwrap();
    let file = entries(&directory.path).find(|path| path.extension().is_some());
    let found = beginning(&file.unwrap());
    assert_eq!((found.hooks, found.standing), (77, Standing::Denied));
    assert_eq!(directory.slot.read().unwrap(), Some(stored));
}

#[test]
fn halted_agents_leave_room_for_new_ones_and_are_bounded() {
    let directory = Directory::new();
    let victim = directory.add("victim", Standing::Halted, HOURS(10), 10);
    for number in 0..MOST_HELD + MOST + 50 {
        directory.add(&format!("{number}"), Standing::Halted, HOURS(0), 10);
    }
    let denied = directory.add("denied", Standing::Denied, HOURS(0), 10);
    assert_eq!(directory.tidy(), MOST + MOST_HELD);
    assert!(victim.exists());
    assert!(!denied.exists());
    assert!(directory.slot.read().unwrap().is_some());
}

#[test]
fn of_agents_that_are_held_back_old_denials_go_first_and_new_halts_next() {
    let directory = Directory::new();
    let minutes = |number: usize| Duration::from_mins(number as u64);
    let add = |number: usize, standing, age| directory.add(&format!("{number}"), standing, age, 10);
    let all = MOST + MOST_HELD;
    let halted: Vec<_> = (1..all)
        .map(|number| add(number, Standing::Halted, minutes(number)))
        .collect();
    let old = directory.add("old", Standing::Denied, HOURS(20), 10);
    let new = directory.add("new", Standing::Denied, HOURS(10), 10);
    // With the file that is added there are two too many.
    assert_eq!(directory.tidy(), all);
    assert!(!old.exists() && !new.exists());
    assert!(halted.iter().all(|path| path.exists()));
    let new = directory.add("new", Standing::Denied, HOURS(10), 10);
    directory.add("newest", Standing::Denied, HOURS(0), 10);
    fs::remove_file(&halted[0]).unwrap();
    assert_eq!(directory.tidy(), all);
    assert!(!new.exists());
    assert!(directory.path.join("newest.state").exists());
    let back = add(1, Standing::Halted, minutes(1));
    let again = directory.add("again", Standing::Halted, minutes(0), 10);
    assert_eq!(directory.tidy(), all);
    // The newest halted one had to go, after the last denied one.
    assert!(!directory.path.join("newest.state").exists());
    assert!(!again.exists());
    assert!(back.exists() && halted[1..].iter().all(|path| path.exists()));
}

#[cfg(unix)]
#[test]
fn a_clock_that_jumps_ahead_removes_nothing() {
    let directory = Directory::new();
    let old = directory.add("old", Standing::Free, OLDEST + HOURS(1), 10);
    let left = directory.path.join("left.new");
    fs::write(&left, "by a killed process").unwrap();
    let file = fs::File::options().write(true).open(&left).unwrap();
    file.set_modified(SystemTime::now() - HOURS(2)).unwrap();
    directory.tidy();
    // Seen to be old for the first time.
    assert!(old.exists());
    assert!(!left.exists());
    directory.tidy();
    assert!(old.exists());
    // A day later it goes.
    assert!(has_been_old(&old, SystemTime::now() + GRACE + HOURS(1)));
    assert!(!has_been_old(&old, SystemTime::now() - HOURS(1)));
}
