use super::*;

fn event(text: &str) -> Record<'_> {
    Record::Event { text, at: Some(5) }
}

fn found(directory: &Path) -> (Journal, Option<Vec<u8>>, Vec<String>) {
    let found = Journal::open(directory, 3).unwrap();
    let texts = records(&found.records).map(|record| match record {
        Record::Event { text, .. } => text.to_owned(),
        Record::Tally { question, .. } => question.to_string(),
    });
    let texts = texts.collect();
    (found.journal, found.snapshot, texts)
}

#[test]
fn records_outlive_the_process_once_they_are_flushed() {
    let directory = tempfile::tempdir().unwrap();
    let (mut journal, snapshot, records) = found(directory.path());
    assert_eq!((snapshot, records.len()), (None, 0));
    journal.add(&event("a"));
    journal.add(&Record::Tally {
        question: 7,
        tally: Some(Tally::default()),
    });
    journal.flush().unwrap();
    journal.add(&event("lost"));
    drop(journal);
    assert_eq!(found(directory.path()).2, ["a", "7"]);
}

#[test]
fn a_record_that_was_cut_off_hides_no_later_one() {
    let directory = tempfile::tempdir().unwrap();
    let (mut journal, ..) = found(directory.path());
    journal.add(&event("a"));
    journal.flush().unwrap();
    let path = path_of(directory.path(), "shard-03", 0, "journal");
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, [&whole[..], &whole[..cut]].concat()).unwrap();
        let (mut journal, _, records) = found(directory.path());
        assert_eq!(records, ["a"], "{cut} bytes of a second record");
        journal.add(&event("b"));
        journal.flush().unwrap();
        assert_eq!(found(directory.path()).2, ["a", "b"]);
    }
}

#[test]
fn a_snapshot_takes_the_place_of_its_journal() {
    let directory = tempfile::tempdir().unwrap();
    let (mut journal, ..) = found(directory.path());
    journal.add(&event("a"));
    journal.flush().unwrap();
    journal.restart(b"state").unwrap();
    journal.add(&event("b"));
    journal.flush().unwrap();
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    let (_, snapshot, records) = found(directory.path());
    assert_eq!(
        (snapshot.as_deref(), records),
        (Some(&b"state"[..]), vec!["b".to_owned()])
    );
}

#[test]
fn a_damaged_snapshot_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let (mut journal, ..) = found(directory.path());
    journal.restart(b"one").unwrap();
    journal.add(&event("a"));
    journal.flush().unwrap();
    // As if the process were killed while it wrote the next one.
    fs::write(
        path_of(directory.path(), "shard-03", 2, "snapshot"),
        b"half",
    )
    .unwrap();
    let (_, snapshot, records) = found(directory.path());
    assert_eq!(
        (snapshot.as_deref(), records),
        (Some(&b"one"[..]), vec!["a".to_owned()])
    );
}
