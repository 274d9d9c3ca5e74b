use super::*;

fn kept(number: u64) -> Kept {
    Kept {
        swarm: SwarmKey::from_bytes([1; 16]),
        at: 7,
        entry: Entry {
            number,
            call: CallKey::from_bytes([2; 16]),
            worker: Worker::from_bits(u64::MAX - 1),
            calls: 3,
        },
    }
}

#[test]
fn entries_outlive_their_process_and_are_taken_over_once() {
    let directory = tempfile::tempdir().unwrap();
    let writer = Writer::from_bits(0xfeed);
    let mut spool = Spool::open(directory.path(), writer).unwrap();
    spool.add(&kept(1)).unwrap();
    spool.add(&kept(4)).unwrap();
    assert!(
        Spool::abandoned(directory.path()).is_empty(),
        "its process runs"
    );
    drop(spool);
    let found = Spool::abandoned(directory.path());
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].0.writer(), &found[0].1),
        (writer, &vec![kept(1), kept(4)])
    );
    assert!(Spool::abandoned(directory.path()).is_empty());
}

#[test]
fn an_entry_that_was_cut_off_hides_no_others() {
    let directory = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(directory.path(), Writer::from_bits(1)).unwrap();
    spool.add(&kept(1)).unwrap();
    spool.file.write_all(&record(&kept(2))[..20]).unwrap();
    spool.add(&kept(3)).unwrap();
    drop(spool);
    let (_, found) = Spool::abandoned(directory.path()).remove(0);
    assert_eq!(found, [kept(1), kept(3)]);
}

#[test]
fn a_file_without_entries_goes_with_its_writer() {
    let directory = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(directory.path(), Writer::from_bits(1)).unwrap();
    spool.add(&kept(1)).unwrap();
    spool.empty();
    drop(spool);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn damaged_entries_are_left_out() {
    let mut bytes = [record(&kept(1)), record(&kept(2)), record(&kept(3))].concat();
    bytes[RECORD + 5] ^= 1;
    assert_eq!(parse(&bytes), [kept(1), kept(3)]);
    assert_eq!(parse(&bytes[..RECORD - 1]), []);
}
