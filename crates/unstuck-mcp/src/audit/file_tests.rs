use std::fmt::Write as _;

use std::{fs, thread};

use super::super::{Start, verify};
use super::*;

pub(in super::super) fn place(name: &str) -> PathBuf {
    let directory =
        std::env::temp_dir().join(format!("unstuck-audit-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    directory.join("audit.jsonl")
}

fn lines(texts: &[&str]) -> Journal {
    let mut journal = Journal::default();
    for text in texts {
        journal.push(|out| {
            let _ = write!(out, "\"event\":\"{text}\"");
        });
    }
    journal
}

fn write(path: &Path, options: AuditOptions, texts: &[&str]) {
    let mut audit = AuditFile::open(path, options).unwrap();
    for text in texts {
        audit.commit(&mut lines(&[text])).unwrap();
    }
}

fn events(path: &Path) -> Vec<String> {
    let mut events = Vec::new();
    verify(path, None, Start::First, |line| {
        let line: serde_json::Value = serde_json::from_slice(line).unwrap();
        events.push(line["event"].as_str().unwrap().to_owned());
    })
    .unwrap();
    events
}

#[test]
fn the_chain_goes_on_after_a_restart() {
    let path = place("restart");
    write(&path, AuditOptions::default(), &["a", "b"]);
    write(&path, AuditOptions::default(), &["c"]);
    assert_eq!(events(&path), ["a", "b", "c"]);
}

#[test]
fn several_writers_share_one_log() {
    let path = place("writers");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let options = AuditOptions {
                    rotate_bytes: 8_000,
                    ..AuditOptions::default()
                };
                write(&path, options, &["x"; 200]);
            });
        }
    });
    let events = events(&path);
    assert_eq!(events.iter().filter(|event| *event == "x").count(), 800);
    assert!(events.iter().any(|event| event == "continues"));
}

#[test]
fn full_files_make_room_and_the_chain_goes_through_them() {
    let path = place("rotation");
    let options = AuditOptions {
        rotate_bytes: 300,
        ..AuditOptions::default()
    };
    write(&path, options, &["a", "b", "c", "d", "e"]);
    assert!(numbered(&path, 1).exists());
    let events = events(&path);
    let calls: Vec<_> = events.iter().filter(|event| event.len() == 1).collect();
    assert_eq!(calls, ["a", "b", "c", "d", "e"]);
    assert!(events.iter().any(|event| event == "rotated"));

    // Without its oldest file a log is whole only for those who say that this is fine.
    fs::remove_file(numbered(&path, 1)).unwrap();
    assert!(verify(&path, None, Start::First, |_| {}).is_err());
    let rest = verify(&path, None, Start::AnyFile, |_| {}).unwrap();
    assert!(rest.first_line > 1);
}

#[test]
fn a_writer_that_died_while_it_made_room_is_no_harm() {
    let path = place("died");
    let mut options = AuditOptions::default();
    write(&path, options, &["a"]);
    // The line is there, the file is not renamed yet.
    write(&path, options, &["rotated"]);
    options.rotate_bytes = 1 << 20;
    write(&path, options, &["b"]);
    assert_eq!(events(&path), ["a", "rotated", "continues", "b"]);
    assert!(numbered(&path, 1).exists());
}

#[test]
fn a_line_torn_by_the_end_of_the_machine_is_taken_off_and_told_of() {
    let path = place("torn");
    write(&path, AuditOptions::default(), &["a", "b"]);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"line\":3,\"ev").unwrap();
    assert!(verify(&path, None, Start::First, |_| {}).is_err());
    write(&path, AuditOptions::default(), &["c"]);
    assert_eq!(events(&path), ["a", "b", "torn", "c"]);
}

#[test]
fn lines_written_together_are_torn_together_wherever_the_machine_went_down() {
    let path = place("torn-group");
    write(&path, AuditOptions::default(), &["a"]);
    let before = fs::read(&path).unwrap();
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    audit.commit(&mut lines(&["b", "c", "d"])).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in before.len() + 1..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        drop(AuditFile::open(&path, AuditOptions::default()).unwrap());
        let text = fs::read_to_string(&path).unwrap();
        let lost = format!("\"event\":\"torn\",\"bytes\":{}", length - before.len());
        assert_eq!(text.lines().count(), 2, "{length} bytes");
        assert!(text.as_bytes().starts_with(&before), "{length} bytes");
        assert!(text.contains(&lost), "{length} bytes");
    }
}

#[test]
fn space_that_was_never_written_to_is_taken_off() {
    let path = place("zeros");
    write(&path, AuditOptions::default(), &["a"]);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(&[0; 100]).unwrap();
    write(&path, AuditOptions::default(), &["b"]);
    assert_eq!(events(&path), ["a", "torn", "b"]);
}

#[test]
fn a_log_torn_in_its_first_lines_begins_anew() {
    let path = place("torn-start");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\"line\":1,\"event\":\"call\"}\n{\"li").unwrap();
    write(&path, AuditOptions::default(), &["a"]);
    assert_eq!(events(&path), ["torn", "a"]);
}

#[test]
fn what_is_no_log_is_not_written_to() {
    let path = place("other");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    for text in ["dear diary\n", "dear diary", "{\"line\":1}\ndear diary"] {
        fs::write(&path, text).unwrap();
        let error = AuditFile::open(&path, AuditOptions::default()).unwrap_err();
        assert!(error.to_string().contains("audit.jsonl cannot be opened"));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    write(&path.with_file_name("log"), AuditOptions::default(), &["a"]);
    let mut text = fs::read_to_string(path.with_file_name("log")).unwrap();
    text.push_str("dear diary");
    fs::write(&path, &text).unwrap();
    assert!(AuditFile::open(&path, AuditOptions::default()).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[cfg(target_os = "linux")]
#[test]
fn lines_that_cannot_be_written_are_counted_and_told_of_later() {
    let path = place("full");
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    audit.commit(&mut lines(&["a"])).unwrap();
    let real = std::mem::replace(
        &mut audit.file,
        OpenOptions::new().read(true).open(&path).unwrap(),
    );
    let mut journal = lines(&["b", "c"]);
    assert!(audit.commit(&mut journal).is_err());
    assert!(journal.is_empty());
    audit.file = real;
    audit.commit(&mut lines(&["d"])).unwrap();
    assert_eq!(events(&path), ["a", "gap", "d"]);
}

#[cfg(unix)]
#[test]
fn only_its_owner_may_read_a_log() {
    use std::os::unix::fs::PermissionsExt as _;
    let path = place("private");
    write(&path, AuditOptions::default(), &["a"]);
    for file in [path.clone(), head_path(&path)] {
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}

#[test]
fn the_head_that_a_killed_process_left_unwritten_is_written_by_the_next() {
    let path = place("no-head");
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    audit.commit_lines(&mut lines(&["a", "b"])).unwrap();
    // Killed: nothing more is written.
    std::mem::forget(audit);
    assert!(verify(&path, None, Start::First, |_| {}).is_err());
    drop(AuditFile::open(&path, AuditOptions::default()).unwrap());
    assert_eq!(events(&path), ["a", "b"]);
}

#[test]
fn to_open_a_log_that_was_cut_off_hides_nothing() {
    let path = place("cut-off");
    write(&path, AuditOptions::default(), &["a", "b"]);
    let text = fs::read_to_string(&path).unwrap();
    let first = text.split_inclusive('\n').next().unwrap();
    fs::write(&path, first).unwrap();
    drop(AuditFile::open(&path, AuditOptions::default()).unwrap());
    assert!(verify(&path, None, Start::First, |_| {}).is_err());
}
