use super::*;
use crate::batch::Writer;

const WITHIN: Duration = Duration::from_secs(60);

fn count(store: &FileTallies, number: u64) -> u64 {
    let entry = Entry {
        number,
        call: CallKey::from_bytes([3; 16]),
        worker: Worker::from_bits(1),
        calls: 1,
    };
    let batch = Batch {
        swarm: SwarmKey::from_bytes([9; 16]),
        writer: Writer::from_bits(5),
        entries: &[entry],
    };
    store.apply(&batch, WITHIN).unwrap().calls()
}

fn only_file(root: &Path) -> PathBuf {
    root.join(SwarmKey::from_bytes([9; 16]).to_string())
        .join("3.tally")
}

#[test]
fn a_damaged_file_is_forgotten() {
    let directory = tempfile::tempdir().unwrap();
    let store = FileTallies::open(directory.path().join("swarms"), TallyLimits::default()).unwrap();
    assert_eq!((count(&store, 1), count(&store, 2)), (1, 2));
    let file = only_file(&store.root);
    let whole = fs::read(&file).unwrap();
    for cut in [0, 5, 12, whole.len() - 1] {
        fs::write(&file, &whole[..cut]).unwrap();
        assert_eq!(count(&store, 3), 1, "a file of {cut} bytes");
    }
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    fs::write(&file, changed).unwrap();
    assert_eq!(count(&store, 3), 1);
    fs::write(&file, whole).unwrap();
    assert_eq!(count(&store, 3), 3);
}

#[test]
fn directories_of_swarms_that_are_over_are_removed() {
    let directory = tempfile::tempdir().unwrap();
    let limits = TallyLimits {
        window: Duration::from_millis(20),
        ..TallyLimits::default()
    };
    let root = directory.path().join("swarms");
    let store = FileTallies::open(&root, limits).unwrap();
    count(&store, 1);
    assert!(only_file(&root).exists());
    std::thread::sleep(Duration::from_millis(80));
    FileTallies::open(&root, limits).unwrap();
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn names_of_swarms_fill_no_disk() {
    let directory = tempfile::tempdir().unwrap();
    let store = FileTallies::open(directory.path().join("swarms"), TallyLimits::default()).unwrap();
    assert_eq!(count(&store, 1), 1);
    for made in 1..MemoryTallies::MOST_SWARMS {
        fs::create_dir(store.root.join(format!("other-{made}"))).unwrap();
    }
    let until = || Instant::now() + WITHIN;
    let new = SwarmKey::from_bytes([8; 16]);
    assert!(matches!(
        store.open_shard(new, 3, until()),
        Err(TallyError::Full)
    ));
    assert!(!store.root.join(new.to_string()).exists());
    // A swarm that is known goes on, and there is room again when another is gone.
    assert_eq!(count(&store, 2), 2);
    fs::remove_dir(store.root.join("other-1")).unwrap();
    assert!(store.open_shard(new, 3, until()).is_ok());
}
